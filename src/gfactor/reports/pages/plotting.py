"""`plot` of every result: the figures of its page as axes of Matplotlib."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib import pyplot, rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from gfactor.errors import ParameterError
from gfactor.reports.drawing.canvas import drawing_style, texts_of, write_legibly
from gfactor.reports.figure_registry import Drawers, Figure
from gfactor.reports.pages.result_figures import figures_of
from gfactor.results import Result, number_of

_AS_TEXT: Any = {"svg.fonttype": "none", "pdf.fonttype": 42, "ps.fonttype": 42}


class TextFigure(Drawing):
    """A figure whose files hold texts as text, which can be searched and edited."""

    def savefig(self, *given: Any, **options: Any) -> None:
        """Save the figure as Matplotlib does, but keep the texts of SVG and PDF files as text."""
        with rc_context(_AS_TEXT):
            super().savefig(*given, **options)


class GivenAxes:
    """Axes of the caller, with the methods of a figure that drawing functions use."""

    def __init__(self, axes: Sequence[Axes]) -> None:
        self.axes = list(axes)

    def subplots(
        self,
        rows: int = 1,
        columns: int = 1,
        *,
        squeeze: bool = True,
        sharex: bool = False,
        sharey: bool = False,
        **_: Any,
    ) -> Any:
        """Return the axes as a grid, with a common scale if the figure has one; raise
        ParameterError if there are too few or too many."""
        if len(self.axes) != rows * columns:
            raise ParameterError(
                f"the figure has {number_of(rows * columns, 'panel')}, and ax is "
                f"{len(self.axes)} axes; give as many axes as panels, or leave ax out"
            )
        first = self.axes[0]
        for axes in self.axes[1:]:
            if sharex and not first.get_shared_x_axes().joined(first, axes):
                axes.sharex(first)
            if sharey and not first.get_shared_y_axes().joined(first, axes):
                axes.sharey(first)
        grid = np.array(self.axes, dtype=object).reshape(rows, columns)
        if not squeeze:
            return grid
        return grid[0, 0] if grid.size == 1 else grid.squeeze()

    def add_axes(self, *_: Any) -> Axes:
        """Return the axes."""
        return self.subplots()

    def add_subplot(self, *, projection: str) -> Axes:
        """Return the axes; raise ParameterError if they have another projection."""
        axes = self.subplots()
        if axes.name != projection:
            raise ParameterError(
                f"the figure needs {projection} axes: make ax with projection={projection!r}"
            )
        return axes

    def legend(self, *, loc: str, **options: Any) -> None:
        """Set a figure's legend above the axes, or to their right."""
        if "right" in loc.split()[1]:
            corner = {"loc": "upper left", "bbox_to_anchor": (1, 1)}
        else:
            titled = any(self.axes[0].get_title(where) for where in ("left", "center"))
            corner = {"loc": "lower left", "bbox_to_anchor": (0, 1.1 if titled else 1.01)}
        self.axes[0].legend(**{**options, **corner})

    def colorbar(self, image: Any, *, ax: Axes, **options: Any) -> Any:
        """Add the scale of a heat map beside the axes."""
        return ax.get_figure().colorbar(image, ax=ax, **options)  # type: ignore[union-attr]

    def supxlabel(self, label: str, **_: Any) -> None:
        """Write the label below each of the axes."""
        for axes in self.axes:
            axes.set_xlabel(label)

    def get_size_inches(self) -> Any:
        """Return width and height of the figure around the axes."""
        return self.axes[0].get_figure(root=True).get_size_inches()  # type: ignore[union-attr]

    def subplots_adjust(self, **_: Any) -> None:
        """Leave the layout to the caller."""


def plot(
    figures: Drawers,
    kind: str | None,
    ax: Any,
    figsize: tuple[float, float] | None,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> Any:
    """Draw one of these figures; see `Result.plot`."""
    draw = _drawer(figures, kind, options)
    if ax is None:
        with drawing_style(partial(_free_figure, figsize)):
            figure: Any = draw(**options).drawing
            write_legibly([figure], figure.axes)
            _settle(figure.axes)
        # A heat map's scale is no panel; panels that a grid has too many are hidden.
        panels = [a for a in figure.axes if a.get_visible() and a.get_label() != "<colorbar>"]
        return panels[0] if len(panels) == 1 else np.array(panels, dtype=object)
    if figsize is not None:
        raise ParameterError("figsize is for a figure of its own; leave it or ax out")
    axes = _axes_in(ax)
    before = {text: text.get_text() for text in texts_of(axes)}
    before |= {axis: axis.get_major_formatter() for a in axes for axis in (a.xaxis, a.yaxis)}
    with drawing_style(lambda **_: GivenAxes(axes)):
        draw(**options)
        write_legibly(axes, axes, before)
        _settle(axes)
    return ax


def plot_result(
    result: Result,
    kind: str | None,
    ax: Any,
    figsize: tuple[float, float] | None,
    options: Mapping[str, Any],
) -> Any:
    """Draw a figure of a result's page; see `Result.plot`."""
    return plot(figures_of(result), kind, ax, figsize, options)


def _drawer(
    figures: Drawers, kind: str | None, options: Mapping[str, Any]
) -> Callable[..., Figure]:
    if not figures:
        raise ParameterError(
            "no figure is drawn of this result; summary() and tables hold its numbers"
        )
    name = next(iter(figures)) if kind is None else kind
    if name not in figures:
        raise ParameterError(
            f"there is no figure {name!r} of this result; it has {', '.join(figures)}"
        )
    taken = list(inspect.signature(figures[name]).parameters)
    for option in options:
        if option not in taken:
            choice = f"it takes {', '.join(taken)}" if taken else "it has none"
            raise ParameterError(f"the figure {name!r} has no option {option!r}; {choice}")
    return figures[name]


def _free_figure(
    size: tuple[float, float] | None, *, figsize: tuple[float, float], layout: str | None
) -> Drawing:
    """Return a figure of pyplot, which notebooks show."""
    return pyplot.figure(FigureClass=TextFigure, figsize=size or figsize, layout=layout)  # type: ignore[arg-type]


def _axes_in(ax: Any) -> list[Axes]:
    axes = list(np.ravel(np.array(ax, dtype=object)))
    if not axes or not all(isinstance(one, Axes) for one in axes):
        raise ParameterError("ax is one axes of Matplotlib, or a list or array of them")
    return axes


def _settle(every: Sequence[Axes]) -> None:
    """Make the ticks now: later they would have the style of the user's settings."""
    for axis in (axis for axes in every for axis in (axes.xaxis, axes.yaxis)):
        axis.get_major_ticks()
        axis.get_minor_ticks()
