"""gfactor analyze latent-classes: groups of respondents that answer alike.

gfactor analyze latent-classes answers.csv --classes 2
gfactor analyze latent-classes c.db --classes 3 --starts 50
gfactor analyze latent-classes survey.sav --columns 'item*' --classes 4 --json
"""

from __future__ import annotations

from typing import Any

from gfactor.cli.deriving import derived, function_of
from gfactor.cli.tables import ABOUT, ALL_BENCHMARKS, TABLE, Analyzed, put_groups

NAMES = ("n_classes", "starts", "seed", "level")


@derived(
    __doc__,
    "latent_classes",
    {"n_classes": "--classes N", "starts": "--starts N"},
    without=["scores", "benchmark"],
    options=[TABLE],
    about=ABOUT,
)
def command(**given: Any) -> None:
    how = {name: given.pop(name) for name in NAMES}

    def analyze(scores: Any) -> Analyzed:
        result = function_of("latent_classes")(scores, **how, benchmark=ALL_BENCHMARKS)
        return Analyzed(result.to_dict(), result.summary(), result.report)

    put_groups(**given, analyze=analyze, usual="item")
