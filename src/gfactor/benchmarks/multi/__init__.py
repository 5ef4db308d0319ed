"""MULTI: examination questions in Chinese, with Elite and Extend, loaded as released.

Zhu, Z., Xu, Y., Chen, L., et al. (2025). MULTI: Multimodal Understanding Leaderboard with Text and
Images. arXiv:2402.03173.
"""

from gfactor.benchmarks import benchmark as _benchmark
from gfactor.benchmarks.multi.build import ABOUT, CAPTIONS, KNOWLEDGE, OCR, OPTIONS, plan
from gfactor.benchmarks.multi.items import NAME, VERSION
from gfactor.benchmarks.multi.vocabulary import LEVELS, SOCIAL, TYPES, level_of

__all__ = ["CAPTIONS", "KNOWLEDGE", "LEVELS", "OCR", "SOCIAL", "TYPES", "level_of"]

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
