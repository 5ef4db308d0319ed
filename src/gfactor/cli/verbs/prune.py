"""gfactor prune: choose the tasks of a battery that are worth keeping (GOLD, Algorithm 1).

gfactor prune scores.csv --model gold.pls --stability 500 --validate 5 -o pruned/
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.backends import jobs_option
from gfactor.cli.criterion import pairs
from gfactor.cli.deriving import PAGE_OPTION, derived, put
from gfactor.errors import ParameterError

HEADING = "Statistics"


@derived(
    __doc__,
    "prune",
    {
        "model": "--model FILE",
        "data": "DATA.csv",
        "without": "--without MODEL",
        "tasks": "--tasks FILE|PATTERN",
        "condition": "--condition KEY",
        "n_bootstrap": "--stability N",
        "folds": "--validate K",
        "where": "--where COLUMN=VALUE...",
    },
    reads={"model": str, "tasks": str, "where": pairs},
    optional=["model"],
    options=[
        jobs_option("Processes for --stability; the result does not depend on it."),
        PAGE_OPTION,
    ],
)
def command(
    model: str | None,
    data: str,
    condition: str | None,
    folds: int,
    criterion: Path | None,
    names: Path | None,
    where: Any,
    page: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    from gfactor.api.pruning import prune
    from gfactor.api.reach import as_flag
    from gfactor.api.score_tables import naming_of, rated
    from gfactor.scoring.tables import format_of

    rating = rated(criterion, names, where or {}, as_flag)
    if rating.criterion is not None and not folds:
        raise ParameterError("a criterion is for the validation; give --validate K")
    _ = naming_of({"condition": condition}, [format_of(data)])
    matches = prune(model, data, condition=condition, folds=folds, **rating.given, **given)
    put(matches, as_json, page)
