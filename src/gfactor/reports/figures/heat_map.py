"""Which examinee can do what: accuracy of every examinee in every domain, as colors."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.reports.figure import Figure, blank, figure
from gfactor.reports.table import Table


@figure(
    "accuracy_heat_map",
    section="domains",
    place=10,
    needs=("accuracy_of_each_by_domain", "summary"),
)
def heat_map(tables: Mapping[str, Table]) -> Figure | None:
    """Domains from hard to easy, examinees as in the summary."""
    rows = tables["accuracy_of_each_by_domain"].frame
    cells = rows.pivot(index="domain", columns="label", values="accuracy")
    order = [name for name in tables["summary"].frame["label"] if name in cells.columns]
    cells = cells.loc[cells.mean(axis=1).sort_values(kind="stable").index, order]
    drawing = blank(2.6 + 0.34 * cells.shape[1], 1.4 + 0.2 * cells.shape[0])
    axes = drawing.subplots()
    image = axes.imshow(cells.to_numpy(float), vmin=0, vmax=1, cmap="cividis", aspect="auto")
    axes.set_xticks(range(cells.shape[1]), list(cells.columns), rotation=45, ha="right")
    axes.set_yticks(range(cells.shape[0]), list(cells.index))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = drawing.colorbar(image, ax=axes, fraction=0.03, pad=0.02, ticks=[0, 0.5, 1])
    bar.ax.set_yticklabels(["0 %", "50 %", "100 %"])
    bar.outline.set_visible(False)
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
