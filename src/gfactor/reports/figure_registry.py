"""Figure of a report: a drawing made from tables that are exported beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gfactor.registry import Registry
from gfactor.reports.table_registry import Maker, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


@dataclass(frozen=True)
class Figure:
    """A figure: its caption, a description for people who cannot see it, and the drawing.

    Parameters
    ----------
    title : str
        The caption.
    alt : str
        Description in words, for people who cannot see the figure.
    tables : list of str
        Names of the tables that it was drawn from.
    drawing : Drawing
        Figure of matplotlib.
    notes : list of str
        Notes for the reader, below the figure.

    Examples
    --------
    >>> from gfactor.reports import Figure
    >>> from gfactor.reports.drawing.canvas import blank
    >>> Figure("Accuracy", "One bar per model.", ("summary",), blank(4, 3)).tables
    ('summary',)
    """

    title: str
    alt: str
    tables: tuple[str, ...]
    drawing: Drawing
    notes: tuple[str, ...] = ()


FIGURES: Registry[Maker[Figure]] = Registry(
    "figure", home="gfactor.reports.figures", group="gfactor.figures"
)

MakeFigure = Callable[[Mapping[str, Table]], Figure | None]

Drawers = dict[str, Callable[..., Figure]]
"""Functions that draw figures, by name; their parameters are options of `plot`."""


def figure(
    name: str,
    section: str,
    order: int,
    needs: tuple[str, ...],
    benchmarks: tuple[str, ...] = (),
) -> Callable[[MakeFigure], MakeFigure]:
    """Register a function from tables to a figure; `needs` are the names of the tables it uses, and
    `benchmarks` those that can have it, if not all can.

    Parameters
    ----------
    name : str
        File name of the exports.
    section : str
        Name of one of `gfactor.reports.writing.report_folder.SECTIONS`.
    order : int
        Figures are made and shown in this order.
    needs : list of str
        Names of the tables that it uses.
    benchmarks : list of str
        Benchmarks that can have the figure; all if none is named.

    Returns
    -------
    callable
        A decorator of a function from tables to a figure, or None if there is nothing to
        show.

    Raises
    ------
    ValueError
        If a figure of this name is registered already.

    Examples
    --------
    >>> from gfactor.reports import FIGURES
    >>> FIGURES["accuracy_by_size"].section
    'breakdowns'
    """

    def decorate(make: MakeFigure) -> MakeFigure:
        FIGURES.add(name, Maker(make, section, order, needs, benchmarks))
        return make

    return decorate


def make_figures(tables: Mapping[str, Table]) -> Iterator[tuple[str, Figure, dict[str, bytes]]]:
    """Yield every figure that can be drawn: its name, itself, and its files by ending."""
    from gfactor.reports.drawing.canvas import drawing_style, rendered  # noqa: PLC0415  (an extra)

    for name, maker in sorted(FIGURES.items(), key=lambda entry: (entry[1].order, entry[0])):
        if all(table in tables for table in maker.needs):
            with drawing_style():
                drawn = maker.make(tables)
                if drawn is not None:
                    yield name, drawn, rendered(drawn.drawing)
