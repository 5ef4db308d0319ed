"""gfactor analyze reliability: alpha, omega, the greatest lower bound, and what each item adds.

gfactor analyze reliability answers.csv -o reliability/
gfactor analyze reliability c.db
gfactor analyze reliability survey.dta --columns 'item*' --group country --json
"""

from __future__ import annotations

from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.tables import ABOUT, TABLE, put_result


@derived(
    __doc__,
    "consistency",
    without=["scores", "benchmark"],
    options=[TABLE],
    about=ABOUT,
)
def command(**given: Any) -> None:
    put_result("consistency", given, usual="item")
