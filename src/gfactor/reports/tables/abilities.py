"""MULTI's figure 8: the abilities that questions need, as people say."""

from __future__ import annotations

from typing import Any

import pandas as pd

from gfactor.frames import pick
from gfactor.psychometrics import wilson
from gfactor.reports.answers.error_labels import needed
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table


@table("required_abilities", section="errors", order=33, needs=("answer_type",),
       benchmarks=("multi",))  # fmt: skip
def abilities(results: Results) -> Table | None:
    """Return the share of labeled items that need each ability."""
    if results.error_labels is None:
        return None
    labels = results.error_labels
    with_abilities = needed(pick(labels, labels["benchmark"] == "multi"))
    with_abilities = (
        with_abilities.loc[[bool(listed) for listed in with_abilities["abilities"]]]
        if len(with_abilities)
        else with_abilities
    )
    if not len(with_abilities):
        return None
    rows = []
    for name in sorted(frozenset().union(*with_abilities["abilities"])):
        has: Any = pd.Series(
            [float(name in listed) for listed in with_abilities["abilities"]],
            index=with_abilities["item"],
        )
        most = has.groupby(level=0).mean() > 0.5
        low, high = wilson(most.sum(), len(most), results.level)
        rows.append(
            {
                "ability": name, "n": len(most), "items": int(most.sum()), "share": most.mean(),
                "share_low": float(low), "share_high": float(high),
            }
        )  # fmt: skip
    return Table(
        "Figure 8: abilities that the questions need",
        pd.DataFrame(rows),
        percent=("share",),
        headings={"n": "n (labeled questions)", "items": "questions"},
        notes=(
            "An item needs an ability where more than half of its annotators say so; it may need "
            "several. Brackets: 95 % intervals, Wilson (1927). The paper shows bars without "
            "numbers.",
        ),
    )
