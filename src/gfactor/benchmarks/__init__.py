"""Which tests exist: the registry of benchmarks, building their banks, auditing them."""

from gfactor.benchmarks.audit import Audit, audit_bank
from gfactor.benchmarks.benchmark import BENCHMARKS, Benchmark, Option, build, register
from gfactor.benchmarks.findings import Hooks, Limit

__all__ = [
    "BENCHMARKS",
    "Audit",
    "Benchmark",
    "Hooks",
    "Limit",
    "Option",
    "audit_bank",
    "build",
    "register",
]
