"""M3GIA: items of an intelligence test for models, in six languages, loaded as published.

Song, W., Li, Y., et al. (2024). M3GIA: A Cognition Inspired Multilingual and Multimodal General
Intelligence Ability Benchmark. arXiv:2406.05343.
"""

from gfactor.benchmarks import benchmark as _benchmark
from gfactor.benchmarks.m3gia.build import ABOUT, OPTIONS, plan
from gfactor.benchmarks.m3gia.factors import (
    BROAD,
    CLUSTERS,
    FACTORS,
    NARROW,
    TYPES,
    QuestionType,
    items_per_cluster,
    items_per_factor,
    q_matrix,
    type_named,
)
from gfactor.benchmarks.m3gia.items import NAME, VERSION
from gfactor.benchmarks.m3gia.languages import LANGUAGES

__all__ = [
    "BROAD",
    "CLUSTERS",
    "FACTORS",
    "LANGUAGES",
    "NARROW",
    "TYPES",
    "QuestionType",
    "items_per_cluster",
    "items_per_factor",
    "q_matrix",
    "type_named",
]

_benchmark.register(
    _benchmark.Benchmark(
        name=NAME,
        version=VERSION,
        description=ABOUT["description"],
        license=ABOUT["license"],
        citation=ABOUT["citation"],
        options=OPTIONS,
        plan=plan,
        example="--from FOLDER",
    )
)
