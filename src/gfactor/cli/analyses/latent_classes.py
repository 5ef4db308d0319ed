"""gfactor analyze latent-classes: groups of respondents that answer alike.

gfactor analyze latent-classes answers.csv --classes 2
gfactor analyze latent-classes c.db --classes 3 --starts 50
gfactor analyze latent-classes survey.sav --columns 'item*' --classes 4 --json
"""

from __future__ import annotations

from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.tables import ABOUT, TABLE, put_result


@derived(
    __doc__,
    "latent_classes",
    {"n_classes": "--classes N", "starts": "--starts N"},
    without=["scores", "benchmark"],
    options=[TABLE],
    about=ABOUT,
)
def command(**given: Any) -> None:
    put_result("latent_classes", given, usual="item")
