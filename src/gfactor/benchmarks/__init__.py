"""Benchmarks: the registry of tests, the building of their banks, and their audit."""

from gfactor.benchmarks.audit import Audit, audit_bank
from gfactor.benchmarks.benchmark import BENCHMARKS, Benchmark, Option, build, register
from gfactor.benchmarks.findings import Hooks, Limit
from gfactor.benchmarks.quality import Quality, check_quality, read_decisions, write_review

__all__ = [
    "BENCHMARKS",
    "Audit",
    "Benchmark",
    "Hooks",
    "Limit",
    "Option",
    "Quality",
    "audit_bank",
    "build",
    "check_quality",
    "read_decisions",
    "register",
    "write_review",
]
