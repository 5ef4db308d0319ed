"""gfactor analyze reliability: alpha, omega, the greatest lower bound, and what each item adds.

gfactor analyze reliability answers.csv -o reliability/
gfactor analyze reliability c.db
gfactor analyze reliability survey.dta --columns 'item*' --group country --json
"""

from __future__ import annotations

from typing import Any

from gfactor.cli.deriving import derived, function_of
from gfactor.cli.tables import ABOUT, ALL_BENCHMARKS, TABLE, Analyzed, put_groups

NAMES = ("level", "n_bootstrap", "seed")


@derived(
    __doc__,
    "consistency",
    {"n_bootstrap": "--bootstrap N"},
    without=["scores", "benchmark"],
    options=[TABLE],
    about=ABOUT,
)
def command(**given: Any) -> None:
    how = {name: given.pop(name) for name in NAMES}

    def analyze(scores: Any) -> Analyzed:
        result = function_of("consistency")(scores, **how, benchmark=ALL_BENCHMARKS)
        return Analyzed(result.to_dict(), result.summary(), result.report)

    put_groups(**given, analyze=analyze, usual="item")
