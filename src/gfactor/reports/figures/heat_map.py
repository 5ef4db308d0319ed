"""Heat map of accuracy: every examinee in every domain, as colors."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.reports.drawing.canvas import heat
from gfactor.reports.figure_registry import Figure, figure
from gfactor.reports.table_registry import Table


@figure(
    "accuracy_heat_map",
    section="domains",
    order=10,
    needs=("accuracy_of_each_by_domain", "summary"),
)
def heat_map(tables: Mapping[str, Table]) -> Figure | None:
    """Draw domains from hard to easy, examinees as in the summary."""
    rows = tables["accuracy_of_each_by_domain"].frame
    cells = rows.pivot(index="domain", columns="label", values="accuracy")
    labels = dict.fromkeys(tables["summary"].frame["label"])
    order = [name for name in labels if name in cells.columns]
    cells = cells.loc[cells.mean(axis=1).sort_values(kind="stable").index, order]
    drawing = heat(rows, "domain", "label", "accuracy", order)
    mean = cells.mean(axis=1)
    return Figure(
        "Accuracy of every examinee in every domain",
        f"Heat map of {cells.shape[0]} domains by {cells.shape[1]} examinees. Averaged over "
        f"examinees the hardest domain is {mean.index[0]} ({100 * mean.iloc[0]:.0f} %), the "
        f"easiest {mean.index[-1]} ({100 * mean.iloc[-1]:.0f} %).",
        ("accuracy_of_each_by_domain",),
        drawing,
        ("Domains from hard (top) to easy; n and intervals are in the table.",),
    )
