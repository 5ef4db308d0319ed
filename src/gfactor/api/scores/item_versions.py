"""Ids with several contents in a journal: a corrected item counts beside the one it replaced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import number_of

_LISTED = 5
"""Ids that a warning lists."""


def several_contents(items: pd.DataFrame) -> Iterator[Diagnostic]:
    """Yield a warning for every benchmark of which an id stands for several items.

    Parameters
    ----------
    items : DataFrame
        Items that count, with the columns `benchmark`, `item_id` and `item_hash`; an item may have
        several rows.
    """
    distinct = items.drop_duplicates(["benchmark", "item_id", "item_hash"])
    for benchmark, rows in distinct.groupby("benchmark", sort=True):
        counts: Any = rows["item_id"].astype(str).value_counts(sort=False)
        ids = sorted(str(name) for name in counts.index[counts > 1])
        if not ids:
            continue
        most = int(counts.max())
        contents = "two contents" if most == 2 else "several contents"
        have = "has" if len(ids) == 1 else "have"
        yield Diagnostic(
            "several_contents", "warning",
            f"{number_of(len(ids), 'id')} of {benchmark} {have} {contents} "
            f"({first_few(ids, _LISTED)}); {'both' if most == 2 else 'all'} count.",
            "To count the items of one bank only: gfactor score JOURNAL --bank FILE (also for "
            "compare and report).",
            values={"benchmark": str(benchmark), "items": ids},
        )  # fmt: skip
