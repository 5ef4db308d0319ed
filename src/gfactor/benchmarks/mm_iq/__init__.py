"""MM-IQ: abstract visual reasoning in eight paradigms, loaded as published.

Cai, H., Yang, Y., & Hu, W. (2025). MM-IQ: Benchmarking Human-Like Abstraction and Reasoning in
Multimodal Models. arXiv:2502.00698.
"""

from gfactor.benchmarks import benchmark as _benchmark
from gfactor.benchmarks.mm_iq.build import ABOUT, OPTIONS, plan
from gfactor.benchmarks.mm_iq.items import LANGUAGES, NAME, VERSION
from gfactor.benchmarks.mm_iq.paradigms import PARADIGMS, Paradigm, paradigm_named

__all__ = ["LANGUAGES", "PARADIGMS", "Paradigm", "paradigm_named"]

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
