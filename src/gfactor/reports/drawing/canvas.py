"""Style and canvas of all figures, bars and heat maps; loaded only when something is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from io import BytesIO
from typing import Any, cast

import numpy as np
import pandas as pd
from matplotlib import font_manager, patches, rc_context
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure as Drawing
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, MaxNLocator

from gfactor.escaping import visible
from gfactor.reports.drawing.subjects import ENGLISH

__all__ = [
    "BROKEN", "COLORS", "GUIDE", "INK", "PNG_DPI", "STYLE", "Drawing", "Line2D", "LineCollection",
    "MaxNLocator", "Path", "blank", "drawing_style", "legible", "grid_of", "patches", "rendered",
    "shortened", "texts_of", "write_legibly",
]  # fmt: skip

PNG_DPI = 110

STYLE: Mapping[str, object] = {
    "svg.hashsalt": "gfactor",  # else ids in the file are random
    "svg.fonttype": "path",  # the same letters wherever it is opened
    "font.family": ["DejaVu Sans"],  # comes with matplotlib
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.edgecolor": "#5b6470",
    "axes.labelcolor": "#2b323a",
    "text.color": "#1f252b",
    "xtick.color": "#5b6470",
    "ytick.color": "#5b6470",
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "figure.facecolor": "#fdfdfc",
    "axes.facecolor": "#fdfdfc",
    "savefig.facecolor": "#fdfdfc",
}

COLORS = ("#0b5fa5", "#b3541e", "#3f7d20", "#7b3fa0", "#a8892c", "#8c2d4a", "#27818c", "#5a5a5a")
"""For examinees, in order; dark enough for thin lines on a light ground."""
GUIDE = "#8a929b"
"""For chance lines and the ideal observer."""
INK = "#1f252b"
"""For texts and thin lines."""
BROKEN = "#b3261e"
"""For what has something wrong."""

_DOLLAR = re.compile(r"(?<!\\)\$")


_BLANK: ContextVar[Callable[..., Any]] = ContextVar("gfactor_blank", default=Drawing)
"""Makes the drawing that `blank` returns, from its size and layout."""


@contextmanager
def drawing_style(make: Callable[..., Any] | None = None) -> Iterator[None]:
    """Draw in gfactor's style until the block ends. `make` returns the figure to draw on, if it is
    not a page's figure."""
    before = _BLANK.set(make or _BLANK.get())
    try:
        with rc_context(cast(Any, dict(STYLE))):
            yield
    finally:
        _BLANK.reset(before)


def blank(width: float, height: float, *, arranged: bool = True) -> Drawing:
    """Return an empty drawing (size in inches) without pyplot and its global state. Its layout is
    computed unless the caller, for many panels, sets it."""
    layout = "constrained" if arranged else None
    return _BLANK.get()(figsize=(width, height), layout=layout)


def grid_of(drawing: Drawing, count: int, across: int, **options: Any) -> Any:
    """Return a grid of axes for `count` panels, `across` in a row; the caller's own axes if these
    were given."""
    if not isinstance(drawing, Drawing):
        return drawing.subplots(1, count, squeeze=False, **options)
    return drawing.subplots(-(-count // across), across, squeeze=False, **options)


def legible(texts: Iterable[str]) -> list[str]:
    """Return texts in letters of the drawings' font. Chinese school subjects become English; other
    foreign letters and control characters become escapes (`gfactor.escaping`). Other fonts of the
    machine would change a report's bytes, and unknown letters would be empty boxes. A dollar sign
    begins no formula."""
    drawable = _letters()
    return [
        "".join(
            c if ord(c) in drawable or c == "\n" else c.encode("unicode_escape").decode()
            for c in _DOLLAR.sub(r"\\$", visible(ENGLISH.get(text, text)))
        )
        for text in texts
    ]


def shortened(name: object, most: int) -> str:
    """Return a name with at most `most` letters; the middle of a longer one is left out."""
    text = str(name)
    return text if len(text) <= most else f"{text[: most - 8]}…{text[-7:]}"


@lru_cache(maxsize=1)
def _letters() -> frozenset[int]:
    font = font_manager.get_font(font_manager.findfont("DejaVu Sans"))
    return frozenset(font.get_charmap())


def rendered(drawing: Drawing) -> dict[str, bytes]:
    """Return the drawing as SVG and PNG, the same bytes every time; all of its texts are
    `legible`."""
    write_legibly([drawing], drawing.axes)
    files, layout = {}, drawing.get_layout_engine()
    for ending, metadata in (("svg", {"Date": None, "Creator": None}), ("png", {"Software": None})):
        buffer = BytesIO()
        drawing.savefig(buffer, format=ending, dpi=PNG_DPI, metadata=metadata)
        files[ending] = buffer.getvalue()
        # The second file has the layout of the first, so that it is worked out once; "none" would
        # have the drawing drawn once more before it is written.
        drawing.set_layout_engine(None)
    drawing.set_layout_engine(layout)
    return files


def write_legibly(
    parts: Sequence[Any], axes: Iterable[Any], before: Mapping[object, object] | None = None
) -> None:
    """Make all texts of figures or axes `legible`, except those that existed `before`."""
    before = before or {}
    for text in texts_of(parts):
        if before.get(text) != text.get_text():
            (written,) = legible([text.get_text()])
            text.set_text(written)
    # What stands at ticks is written anew whenever they are drawn.
    for axis in (axis for one in axes for axis in (one.xaxis, one.yaxis)):
        names = axis.get_major_formatter()
        # Axes that share their sizes share the formatter: it is wrapped once.
        wrapped = isinstance(getattr(names, "func", None), _LegibleTick)
        if isinstance(names, FuncFormatter) and before.get(axis) is not names and not wrapped:
            axis.set_major_formatter(FuncFormatter(_LegibleTick(names)))


def texts_of(parts: Sequence[Any]) -> list[Any]:
    """Return the texts of figures or axes."""
    return [text for part in parts for text in part.findobj(Text)]


class _LegibleTick:
    """Write what stands at a tick in `legible` letters."""

    def __init__(self, names: Callable[..., str]) -> None:
        self.names = names

    def __call__(self, at: float, position: int | None = None) -> str:
        (written,) = legible([self.names(at, position)])
        return written


def bars(
    rows: pd.DataFrame,
    group: str,
    within: str,
    value: str,
    label: str,
    order: Sequence[str] = (),
) -> Drawing:
    """Draw horizontal bars: a block per value of `group`, a bar in it per value of `within`.

    Bars have the order `order`, or that of the rows. Their intervals are the columns `value`_low
    and `value`_high, if these are known.
    """
    groups = list(dict.fromkeys(rows[group]))
    kinds = list(order or dict.fromkeys(rows[within]))
    ends = rows[[value, f"{value}_high"]].to_numpy(float)
    most = min(1.0, max(0.25, 0.05 * np.ceil(20 * np.nanmax(ends) + 0.5)))
    step = 0.8 / len(kinds)
    drawing = blank(6.4, 0.9 + len(groups) * max(0.34, 0.15 * len(kinds)))
    axes = drawing.subplots()
    for index, kind in enumerate(kinds):
        of_kind = rows.loc[(rows[within] == kind).to_numpy(bool)]
        at = np.array([groups.index(name) for name in of_kind[group]]) - 0.4 + step * (index + 0.5)
        x = of_kind[value].to_numpy(float)
        low, high = (of_kind[f"{value}_{end}"].to_numpy(float) for end in ("low", "high"))
        color = COLORS[index % len(COLORS)]
        axes.barh(at, x, height=0.86 * step, color=color, alpha=0.85, label=str(kind))
        finite = np.isfinite(low) & np.isfinite(high)
        axes.hlines(at[finite], low[finite], high[finite], color="#1f252b", linewidth=0.9)
    axes.set_yticks(range(len(groups)), [str(name) for name in groups])
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, most)
    ticks = [v for v in (0, 10, 25, 50, 75, 100) if v <= 100 * most and (v != 10 or most < 0.5)]
    axes.set_xticks([v / 100 for v in ticks], [f"{v} %" for v in ticks])
    axes.set_xlabel(label)
    if len(kinds) > 1:
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return drawing


def bars_in_words(rows: pd.DataFrame, names: Sequence[str], value: str) -> str:
    """Return the bars in words: "A, B 12 %; ..."."""
    return "; ".join(
        f"{', '.join(str(row[name]) for name in names)} {100 * row[value]:.0f} %"
        for row in rows.to_dict("records")
    )


_LETTER = 0.055
"""Inches that a letter of a label takes, at most."""


def heat(
    rows: pd.DataFrame, down: str, across: str, value: str, order: Sequence[str] = ()
) -> Drawing:
    """Draw a heat map with the hardest row on top; columns in the order given, or that of the
    rows.

    The drawing grows with its labels, so that long names leave room for the colors.
    """
    cells = rows.pivot(index=down, columns=across, values=value)
    names = [name for name in order or dict.fromkeys(rows[across]) if name in cells.columns]
    cells = cells.loc[cells.mean(axis=1).sort_values(kind="stable").index, names]
    left, below = legible(map(str, cells.index)), legible(map(str, cells.columns))
    slanted = 0.75 * _LETTER * max(map(len, below))
    drawing = blank(
        max(1.6 + _LETTER * max(map(len, left)), 1.2 + slanted) + 0.34 * len(below),
        0.8 + slanted + 0.2 * len(left),
    )
    axes = drawing.subplots()
    image = axes.imshow(cells.to_numpy(float), vmin=0, vmax=1, cmap="cividis", aspect="auto")
    axes.set_xticks(range(len(below)), below, rotation=45, ha="right")
    axes.set_yticks(range(len(left)), left)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = drawing.colorbar(image, ax=axes, fraction=0.03, pad=0.02, ticks=[0, 0.5, 1])
    bar.ax.set_yticklabels(["0 %", "50 %", "100 %"])
    bar.outline.set_visible(False)  # pyright: ignore[reportCallIssue]
    return drawing
