"""What a report's figure is: a drawing made from tables that are exported beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from gfactor.escaping import visible
from gfactor.registry import Registry
from gfactor.reports.extras import need
from gfactor.reports.subjects import ENGLISH
from gfactor.reports.table import Maker, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

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

_DOLLAR = re.compile(r"(?<!\\)\$")


@dataclass(frozen=True)
class Figure:
    """A figure: its caption, what it shows in words (for who cannot see it), and the drawing."""

    title: str
    alt: str
    tables: tuple[str, ...]
    drawing: Drawing
    notes: tuple[str, ...] = ()


FIGURES: Registry[Maker[Figure]] = Registry(
    "figure", home="gfactor.reports.figures", group="gfactor.figures"
)

MakeFigure = Callable[[Mapping[str, Table]], Figure | None]


def figure(
    name: str,
    section: str,
    order: int,
    needs: tuple[str, ...],
    benchmarks: tuple[str, ...] = (),
) -> Callable[[MakeFigure], MakeFigure]:
    """Register a function from tables to a figure; `needs` are the names of those it uses, and
    `benchmarks` those that can have them, where not all can."""

    def decorate(make: MakeFigure) -> MakeFigure:
        FIGURES.add(name, Maker(make, section, order, needs, benchmarks))
        return make

    return decorate


def make_figures(tables: Mapping[str, Table]) -> Iterator[tuple[str, Figure, dict[str, bytes]]]:
    """Every figure that can be drawn: its name, itself, and its files by ending."""
    for name, maker in sorted(FIGURES.items(), key=lambda entry: (entry[1].order, entry[0])):
        if all(table in tables for table in maker.needs):
            with drawing_style():
                drawn = maker.make(tables)
                if drawn is not None:
                    yield name, drawn, rendered(drawn.drawing)


@contextmanager
def drawing_style() -> Iterator[None]:
    """The house's style; MissingExtraError where matplotlib is not installed."""
    with need("matplotlib").rc_context(dict(STYLE)):
        yield


def blank(width: float, height: float, *, arranged: bool = True) -> Drawing:
    """An empty drawing, inches, free of pyplot and its global state; its layout is worked out
    unless the caller, who has many panels, sets it."""
    layout = "constrained" if arranged else None
    return need("matplotlib.figure").Figure(figsize=(width, height), layout=layout)


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


@lru_cache(maxsize=1)
def _letters() -> frozenset[int]:
    manager = need("matplotlib.font_manager")
    return frozenset(manager.get_font(manager.findfont("DejaVu Sans")).get_charmap())


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
    texts: Any = drawing.findobj(need("matplotlib.text").Text)
    for text in texts:
        (written,) = legible([text.get_text()])
        text.set_text(written)
    # What stands at ticks is written anew whenever they are drawn.
    given = need("matplotlib.ticker").FuncFormatter
    for axis in (axis for axes in drawing.axes for axis in (axes.xaxis, axes.yaxis)):
        names = axis.get_major_formatter()
        if isinstance(names, given):
            axis.set_major_formatter(given(partial(_legible_tick, names)))


def _legible_tick(names: Callable[..., str], at: float, position: int | None = None) -> str:
    (written,) = legible([names(at, position)])
    return written
