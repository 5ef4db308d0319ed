"""Any data set in the TSV of VLMEvalKit: MMBench, BLINK, MMMU, MME and others.

Duan, H., et al. (2024). VLMEvalKit: An Open-Source Toolkit for Evaluating Large Multi-Modality
Models. arXiv:2407.11691.
"""

from gfactor.benchmarks import benchmark as _benchmark
from gfactor.benchmarks.vlmevalkit.build import ABOUT, NAME, OPTIONS, plan
from gfactor.benchmarks.vlmevalkit.items import VERSION, benchmark_of

__all__ = ["benchmark_of"]

_benchmark.register(
    _benchmark.Benchmark(
        name=NAME,
        version=VERSION,
        description=f"{ABOUT['description']} Also your own table of questions.",
        license=ABOUT["license"],
        citation=ABOUT["citation"],
        options=OPTIONS,
        plan=plan,
        example="--from MMBench_DEV_EN.tsv",
    )
)
