"""What a report's figure is: a drawing made from tables that are exported beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

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
    place: int,
    needs: tuple[str, ...],
    benchmarks: tuple[str, ...] = (),
) -> Callable[[MakeFigure], MakeFigure]:
    """Register a function from tables to a figure; `needs` are the names of those it uses, and
    `benchmarks` those that can have them, where not all can."""

    def decorate(make: MakeFigure) -> MakeFigure:
        FIGURES.add(name, Maker(make, section, place, needs, benchmarks))
        return make

    return decorate


def make_figures(tables: Mapping[str, Table]) -> Iterator[tuple[str, Figure, dict[str, bytes]]]:
    """Every figure that can be drawn: its name, itself, and its files by ending."""
    for name, maker in sorted(FIGURES.items(), key=lambda entry: (entry[1].place, entry[0])):
        if all(table in tables for table in maker.needs):
            with drawing_style():
                made = maker.make(tables)
                if made is not None:
                    yield name, made, rendered(made.drawing)


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
    any others, which would be drawn as empty boxes. Fonts of the machine would change a report's
    bytes."""
    font = need("matplotlib.font_manager").get_font(
        need("matplotlib.font_manager").findfont("DejaVu Sans")
    )
    known = font.get_charmap()
    return [
        "".join(c if ord(c) in known else f"\\u{ord(c):04x}" for c in ENGLISH.get(text, text))
        for text in texts
    ]


def rendered(drawing: Drawing) -> dict[str, bytes]:
    """The drawing as SVG and PNG, the same bytes every time."""
    files = {}
    for ending, metadata in (("svg", {"Date": None, "Creator": None}), ("png", {"Software": None})):
        buffer = BytesIO()
        drawing.savefig(buffer, format=ending, dpi=PNG_DPI, metadata=metadata)
        files[ending] = buffer.getvalue()
    return files
