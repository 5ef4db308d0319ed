"""Percept-V: thirty domains of basic visual perception, generated, in two editions.

Ghosh, S., Agarwal, N., Garg, H., Mittal, C., Mausam, & Singla, P. (2025). Can Multimodal LLMs
Solve the Basic Perception Problems of Percept-V? arXiv:2508.21143. Generators, prompts and
pictures here are written anew from the published description.
"""

from gfactor.benchmarks import benchmark as _benchmark
from gfactor.benchmarks.percept_v.audit import HOOKS
from gfactor.benchmarks.percept_v.build import (
    ABOUT,
    OPTIONS,
    VERSION,
    chance_at,
    format_sentences,
    plan,
)
from gfactor.benchmarks.percept_v.check import check_domain
from gfactor.benchmarks.percept_v.domain import (
    DOMAINS,
    SKILLS,
    Domain,
    Edition,
    Legibility,
    Prompt,
    register,
)

__all__ = [
    "DOMAINS",
    "SKILLS",
    "Domain",
    "Edition",
    "Legibility",
    "Prompt",
    "check_domain",
    "register",
]

_benchmark.register(
    _benchmark.Benchmark(
        name="percept-v",
        version=VERSION,
        description=ABOUT["description"],
        license=ABOUT["license"],
        citation=ABOUT["citation"],
        options=OPTIONS,
        plan=plan,
        hooks=HOOKS,
        chance=chance_at,
        format_sentences=format_sentences,
    )
)
