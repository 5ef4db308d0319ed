"""Generated families of cognitive tests: reasoning, space, memory, speed, with proven keys.

A family is one file of `families/`: it draws scenes with recorded design (radicals), a solver
proves that one answer fits, every distractor has the error that leads to it, and a scene is
presented as a picture or in words, in six languages. The paradigms are from the literature, the
items are new.
"""

from gfactor.benchmarks import benchmark as _benchmark
from gfactor.benchmarks.chc.audit import HOOKS
from gfactor.benchmarks.chc.build import ABOUT, OPTIONS, VERSION, plan
from gfactor.benchmarks.chc.check import check_family
from gfactor.benchmarks.chc.common import FORMAT_SENTENCES
from gfactor.benchmarks.chc.family import (
    ABILITIES,
    BROAD_ABILITIES,
    FAMILIES,
    Distractor,
    Draft,
    Family,
    MisdrawnError,
    Proof,
    Turn,
    register,
)
from gfactor.benchmarks.chc.parallel import M3GIA as _M3GIA
from gfactor.benchmarks.chc.parallel import MM_IQ as _MM_IQ
from gfactor.benchmarks.chc.parallel import benchmark as _parallel_of

__all__ = [
    "ABILITIES",
    "BROAD_ABILITIES",
    "FAMILIES",
    "Distractor",
    "Draft",
    "Family",
    "MisdrawnError",
    "Proof",
    "Turn",
    "check_family",
    "register",
]

_benchmark.register(
    _benchmark.Benchmark(
        name="chc",
        version=VERSION,
        description=ABOUT["description"],
        license=ABOUT["license"],
        citation=ABOUT["citation"],
        options=OPTIONS,
        plan=plan,
        hooks=HOOKS,
        format_sentences=lambda _: FORMAT_SENTENCES,
    )
)
_benchmark.register(_parallel_of("m3gia", name=_M3GIA["name"], description=_M3GIA["description"]))
_benchmark.register(_parallel_of("mm-iq", name=_MM_IQ["name"], description=_MM_IQ["description"]))
