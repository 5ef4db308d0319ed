"""The path diagram of a model: latent variables, indicators, and arrows with their estimates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.parameters import REGRESSIONS
from gfactor.reports.drawing.canvas import COLORS, GUIDE, Path, blank, legible, patches
from gfactor.reports.drawing.path_layout import Arrow, ShapedArrow, VariableBox, lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_INK = "#1f252b"
_LATENT, _OBSERVED = "#eaf1f8", "#ffffff"
_LABEL_SIZE, _NAME_SIZE = 6.5, 7.5


def path_diagram(rows: pd.DataFrame) -> Drawing:
    """Draw one group's standardized solution.

    Parameters
    ----------
    rows: columns lhs, op, rhs, est (standardized), and if known pvalue; loadings, regressions,
        covariances and variances of one group; other rows are left out, as are covariances of 0.

    Latent variables are ellipses, observed ones boxes; arrows are as wide as their estimate is
    large, orange where it is negative, gray where p is above .05. Small gray figures in boxes and
    ellipses are residual variances. Call it inside `drawing_style()`.

    Raises
    ------
    ParameterError: no loading, regression or covariance to draw.
    """
    faint = _not_significant(rows)
    arrows = _arrows(rows)
    if not arrows:
        raise ParameterError("the model has no loading, regression or covariance to draw")
    layout = lay_out(arrows, lambda name: len(_written(name)))
    drawing = blank(layout.width, layout.height, arranged=False)
    axes = drawing.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, layout.width), ylim=(0, layout.height), aspect="equal")
    axes.set_axis_off()
    for line in layout.lines:
        key = (line.arrow.source, line.arrow.target, line.arrow.both)
        _draw_line(axes, line, key in faint)
    variances = {lhs: est for lhs, op, rhs, est in _listed(rows) if op == "~~" and lhs == rhs}
    predicted = {a.target for a in arrows if not a.both}
    for box in layout.boxes:
        _draw_box(axes, box, variances.get(box.name) if box.name in predicted else None)
    _legend(axes)
    # In a figure or axes of another size letters grow and shrink with boxes.
    share, (width, height) = axes.get_position(), drawing.get_size_inches()
    scale = min(share.width * width / layout.width, share.height * height / layout.height)
    for text in axes.texts:
        text.set_fontsize(float(text.get_fontsize()) * round(scale, 6))
    return drawing


def apa_decimals(value: float) -> str:
    """Return two decimals as APA writes what cannot exceed one: .72, -.05, 1.08; a dash for
    none."""
    if not math.isfinite(value):
        return "-"
    text = f"{value:.2f}"
    text = text.replace("-0.00", "0.00")
    return text.replace("0.", ".", 1) if abs(value) < 0.995 else text


def _written(name: str) -> str:
    """Return the name as it is drawn."""
    (written,) = legible([name])
    return written


def _listed(rows: pd.DataFrame) -> list[tuple[str, str, str, float]]:
    columns = (rows[name] for name in ("lhs", "op", "rhs", "est"))
    return [(str(a), str(b), str(c), float(d)) for a, b, c, d in zip(*columns, strict=True)]


def _arrows(rows: pd.DataFrame) -> list[Arrow]:
    arrows: list[Arrow] = []
    for lhs, op, rhs, value in _listed(rows):
        if op == "=~":
            arrows.append(Arrow(lhs, rhs, value, loading=True))
        elif op in REGRESSIONS:
            arrows.append(Arrow(rhs, lhs, value))
        elif op == "~~" and lhs != rhs and value != 0:
            arrows.append(Arrow(lhs, rhs, value, both=True))
    return arrows


def _not_significant(rows: pd.DataFrame) -> set[tuple[str, str, bool]]:
    """Source, target and whether it is a covariance, of every row with p above .05."""
    if "pvalue" not in rows:
        return set()
    weak = _listed(rows.loc[rows["pvalue"].astype(float) > 0.05])
    return {
        (rhs, lhs, False) if op in REGRESSIONS else (lhs, rhs, op == "~~")
        for lhs, op, rhs, _ in weak
    }


def _draw_line(axes: Axes, line: ShapedArrow, faint: bool) -> None:
    points, codes = list(line.curve), [1, 4, 4, 4]
    if line.end is not None:
        points, codes = [*points, line.end], [*codes, 2]
    value = line.arrow.value
    color = GUIDE if faint else COLORS[1] if value < 0 else COLORS[0]
    width = 0.5 + 1.3 * min(abs(value), 1.2) if math.isfinite(value) else 0.5
    axes.add_patch(
        patches.FancyArrowPatch(
            path=Path(points, codes),
            arrowstyle="<|-|>" if line.arrow.both else "-|>",
            mutation_scale=6,
            linewidth=width,
            color=color,
            alpha=0.85,
            zorder=1,
            capstyle="butt",
            joinstyle="miter",
        )
    )
    axes.text(
        *line.label,
        apa_decimals(value),
        size=_LABEL_SIZE,
        color=_INK,
        ha="center",
        va="center",
        zorder=3,
        gid="label",
        bbox={"boxstyle": "square,pad=0.08", "facecolor": "#fdfdfc", "edgecolor": "none"},
    )


def _draw_box(axes: Axes, box: VariableBox, variance: float | None) -> None:
    look = {"linewidth": 0.8, "edgecolor": _INK, "zorder": 4}
    if box.latent:
        shape = patches.Ellipse((box.x, box.y), box.width, box.height, facecolor=_LATENT, **look)
    else:
        corner = (box.x - box.width / 2, box.y - box.height / 2)
        shape = patches.Rectangle(corner, box.width, box.height, facecolor=_OBSERVED, **look)
    axes.add_patch(shape)
    text = {"va": "center", "zorder": 5}
    if variance is None:
        axes.text(
            box.x, box.y, _written(box.name), ha="center", size=_NAME_SIZE, gid="name", **text
        )
        return
    color = COLORS[1] if variance < 0 else "#5b6470"
    if box.latent:
        axes.text(
            box.x,
            box.y + 0.06,
            _written(box.name),
            ha="center",
            size=_NAME_SIZE,
            gid="name",
            **text,
        )
        axes.text(
            box.x, box.y - 0.1, apa_decimals(variance), ha="center", size=5.8, color=color, **text
        )
        return
    half = box.width / 2 - 0.08
    axes.text(
        box.x - half, box.y, _written(box.name), ha="left", size=_NAME_SIZE, gid="name", **text
    )
    axes.text(
        box.x + half, box.y, apa_decimals(variance), ha="right", size=5.8, color=color, **text
    )


def _legend(axes: Axes) -> None:
    axes.text(
        0.25,
        0.18,
        "Standardized estimates; small figures: residual variances; gray: p > .05; orange: < 0.",
        size=6,
        color="#5b6470",
        va="center",
    )
