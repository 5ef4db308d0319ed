"""The members of the population: what limits them, and how accurate they are."""

from __future__ import annotations

import pandas as pd

from gfactor.errors import GfactorError
from gfactor.examinees import Spec
from gfactor.frames import pick
from gfactor.reports.answers.accuracy import accuracies
from gfactor.reports.answers.group_rates import CHANCE_NOTE, RATE_NOTE, own_rows
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table

PARAMETERS = ("acuity", "contrast", "capacity")


@table("population", section="reliability", order=52)
def population(results: Results) -> Table | None:
    """Tabulate accuracy and parameters of every limited observer."""
    rows = own_rows(results)
    rows = pick(rows, rows["role"] == "population")
    if rows.empty:
        return None
    named = rows.drop_duplicates("label").set_index("label")["examinee"]
    limits = pd.DataFrame([{"label": k, **_limits(str(v))} for k, v in named.items()])
    frame = limits.merge(accuracies(results, rows, ["label"]), on="label")
    return Table(
        "The population",
        frame.sort_values("label").reset_index(drop=True),
        percent=("accuracy", "lenient", "chance"),
        headings={"label": "observer"},
        notes=(
            RATE_NOTE,
            CHANCE_NOTE,
            "Acuity: decimal visual acuity. Contrast: sensitivity relative to normal. Capacity: "
            "objects held in visual working memory.",
        ),
        folded=True,
    )


def _limits(examinee: str) -> dict[str, float]:
    try:
        given = Spec.parse(examinee).parameters
        return {name: float(given[name]) for name in PARAMETERS if name in given}
    except (GfactorError, ValueError):
        return {}
