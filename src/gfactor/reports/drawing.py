"""The style and the canvas of every figure; loaded where something is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from io import BytesIO
from typing import Any, cast

from gfactor.errors import MissingExtraError
from gfactor.escaping import visible
from gfactor.reports.subjects import ENGLISH

try:
    from matplotlib import font_manager, patches, rc_context
    from matplotlib.figure import Figure as Drawing
    from matplotlib.lines import Line2D
    from matplotlib.path import Path
    from matplotlib.text import Text
    from matplotlib.ticker import FuncFormatter, MaxNLocator
except ImportError as error:
    raise MissingExtraError("a report", "report") from error

__all__ = [
    "BROKEN", "COLORS", "GUIDE", "INK", "PNG_DPI", "STYLE", "Drawing", "Line2D", "MaxNLocator",
    "Path", "blank", "drawing_style", "legible", "patches", "rendered", "shortened",
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


@contextmanager
def drawing_style() -> Iterator[None]:
    """The house's style."""
    with rc_context(cast(Any, dict(STYLE))):
        yield


def blank(width: float, height: float, *, arranged: bool = True) -> Drawing:
    """An empty drawing, inches, free of pyplot and its global state; its layout is worked out
    unless the caller, who has many panels, sets it."""
    layout = "constrained" if arranged else None
    return Drawing(figsize=(width, height), layout=layout)


def legible(texts: Iterable[str]) -> list[str]:
    """Texts in letters that the drawings' font has: Chinese school subjects in English, escapes for
    any others and for what a reader would obey (`gfactor.escaping`). Fonts of the machine would
    change a report's bytes, and unknown letters be empty boxes. A dollar sign begins no formula."""
    known = _letters()
    return [
        "".join(
            c if ord(c) in known or c == "\n" else c.encode("unicode_escape").decode()
            for c in _DOLLAR.sub(r"\\$", visible(ENGLISH.get(text, text)))
        )
        for text in texts
    ]


def shortened(name: object, most: int) -> str:
    """A name of at most `most` letters, its middle left out where it is longer."""
    text = str(name)
    return text if len(text) <= most else f"{text[: most - 8]}…{text[-7:]}"


@lru_cache(maxsize=1)
def _letters() -> frozenset[int]:
    font = font_manager.get_font(font_manager.findfont("DejaVu Sans"))
    return frozenset(font.get_charmap())


def rendered(drawing: Drawing) -> dict[str, bytes]:
    """The drawing as SVG and PNG, the same bytes every time; all of its texts are `legible`."""
    _write_legibly(drawing)
    files = {}
    for ending, metadata in (("svg", {"Date": None, "Creator": None}), ("png", {"Software": None})):
        buffer = BytesIO()
        drawing.savefig(buffer, format=ending, dpi=PNG_DPI, metadata=metadata)
        files[ending] = buffer.getvalue()
    return files


def _write_legibly(drawing: Drawing) -> None:
    texts: Any = drawing.findobj(Text)
    for text in texts:
        (written,) = legible([text.get_text()])
        text.set_text(written)
    # What stands at ticks is written anew whenever they are drawn.
    for axis in (axis for axes in drawing.axes for axis in (axes.xaxis, axes.yaxis)):
        names = axis.get_major_formatter()
        if isinstance(names, FuncFormatter):
            axis.set_major_formatter(FuncFormatter(partial(_legible_tick, names)))


def _legible_tick(names: Callable[..., str], at: float, position: int | None = None) -> str:
    (written,) = legible([names(at, position)])
    return written
