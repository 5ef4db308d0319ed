"""gfactor prune: choose tasks of a battery, or items of a benchmark, that are worth keeping.

gfactor prune scores.csv --model gold.pls --stability 500 --validate 5 -o pruned/
gfactor prune board.db --items 50 --bank bank.parquet -o pruned/

Tasks are removed for redundancy and for a low contribution (GOLD, Algorithm 1). With --items, the
items of a benchmark are pruned, and the output says what is lost in reliability, in the order of
models, in accuracy and in coverage.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.backends import jobs_option
from gfactor.cli.common import refuse_typed
from gfactor.cli.deriving import derived
from gfactor.cli.printing import PAGE_OPTION, called, function_of, put
from gfactor.cli.spelling import options_with
from gfactor.errors import ParameterError

HEADING = "Statistics"

OF_ITEMS = ("by", "drop", "benchmark", "bank")


@derived(
    __doc__,
    "prune",
    {
        "model": "--model FILE", "data": "DATA",
        "n_bootstrap": "--stability N", "folds": "--validate K",
        "where": "--where COLUMN=VALUE...",
    },
    reads={"model": str, "tasks": str},
    optional=["model"],
    options=[
        PAGE_OPTION,
        jobs_option("Number of processes for --stability; the result does not depend on it."),
        options_with(
            "With --items", "prune_items", OF_ITEMS, {"bank": "--bank BANK", "drop": "--drop NAMES"}
        ),
    ],
    twins=["prune_items"],
)  # fmt: skip
def command(page: Path | None, as_json: bool, items: int | None = None, **given: Any) -> Any:
    """Prune tasks, or items.

    Parameters
    ----------
    items : int, optional
        Prune items instead of tasks: number of items to keep, of a journal or of a table of right
        and wrong answers. With --bank and -o, the folder also gets a bank of the retained items,
        pruned.parquet.
    """
    if items is None:
        refuse_typed("goes with --items", among=OF_ITEMS[:3])
        if [given.pop(name) for name in OF_ITEMS][-1] is not None:
            raise ParameterError("--bank goes with --items")
        return put(function_of("prune")(**given), as_json, page)
    bank = given["bank"]
    if bank is not None and page is None:
        raise ParameterError("--bank needs a folder for the bank of the retained items: -o FOLDER")
    path = None
    if bank is not None and page is not None:
        page.mkdir(parents=True, exist_ok=True)
        path = page / "pruned.parquet"
    reason = "does not go with --items, which prunes items"
    result = called(
        "prune_items", given | {"items": items, "path": path}, reason, beside=("items", "page")
    )
    return put(result, as_json, page, last=f"wrote {path}" if path else "")
