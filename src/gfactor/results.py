"""Results of analyses: one protocol for text, notebooks, programs and pages.

A result is a frozen dataclass that derives from `Result` and defines its facts (single numbers)
and its tables. Text, HTML, strict JSON and a page are made from these. A class whose document or
text is not "facts, then tables" overrides `_document` or `_lines`, and nothing else.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from html import escape
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

Writer = TypeVar("Writer", bound=Callable[..., Any])

PAGES = "gfactor.reports.pages.of_results"
"""The module that registers writers of pages; imported when the first page is asked for."""

PLOTTING = "gfactor.reports.pages.plotting"
"""The module that draws; imported when the first figure is asked for."""

PARAGRAPHS = "gfactor.reports.paragraphs"
"""The module that writes paragraphs; imported when the first is asked for."""

_REPR_LINES = 10
_HTML_ROWS = 60
_WRITERS: dict[type, Callable[..., Any]] = {}


def plain(value: Any) -> Any:
    """Convert a value to types of strict JSON, without NaN, infinity, numpy and pandas.

    Parameters
    ----------
    value : object
        A number, text, array, table, mapping, dataclass, or any nesting of these.

    Returns
    -------
    object
        The converted value. NaN and infinity become None; a table becomes a list with a mapping per
        row, which begins with the index if that has a name.

    Examples
    --------
    >>> plain({"x": np.array([1.0, np.nan])})
    {'x': [1.0, None]}
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is pd.NA:
        return None
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, pd.DataFrame):
        frame = value.reset_index() if any(value.index.names) else value
        names = [str(name) for name in frame.columns]
        columns = [[plain(v) for v in column.tolist()] for _, column in frame.items()]
        rows = zip(*columns, strict=True) if columns else [()] * len(frame)
        return [dict(zip(names, row, strict=True)) for row in rows]
    if isinstance(value, pd.Series):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return [plain(entry) for entry in value.tolist()]
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: plain(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, Iterable):
        return [plain(entry) for entry in value]
    return str(value)


def by_row(frame: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return a table as strict JSON by row, then by column.

    Examples
    --------
    >>> by_row(pd.DataFrame({"f": [0.5, np.nan]}, index=["x1", "x2"]))
    {'x1': {'f': 0.5}, 'x2': {'f': None}}
    """
    return {str(name): plain(row) for name, row in zip(frame.index, _rows(frame), strict=True)}


def named_rows(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the table with its row names as the first column."""
    return frame.rename_axis(name).reset_index()


def _rows(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    return frame.to_dict("records")


def writes_page_of(kind: type) -> Callable[[Writer], Writer]:
    """Register a function (result, folder) -> what was written, for results of a class."""

    def register(writer: Writer) -> Writer:
        _WRITERS[kind] = writer
        return writer

    return register


class Result:
    """Base of what an analysis returns.

    A subclass is a frozen dataclass with an attribute `diagnostics` and defines `title`, `facts`
    and `tables`.
    """

    diagnostics: tuple[Any, ...]
    """Limits to the use of the result (`gfactor.psychometrics.Diagnostic`), errors first."""

    @property
    def title(self) -> str:
        """Return one line that names the estimated quantity and the number of cases."""
        raise NotImplementedError

    @property
    def facts(self) -> Mapping[str, Any]:
        """Single numbers and words by name."""
        return {}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Tables by name, the most important first."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Return the result as strict JSON holds it: None if a number is missing or infinite."""
        return plain(self._document())

    def summary(self) -> str:
        """Return diagnostics first, then the result, as text."""
        return "\n".join([*self._above(), *map(str, self.diagnostics), *self._lines()])

    def body(self) -> str:
        """Return the text of `summary` without the diagnostics."""
        return "\n".join([*self._above(), *self._lines()])

    def report(self, folder: Path | str) -> Any:
        """Write the page of the result: `report.html`, `tables/` and `figures/` in a folder.

        Parameters
        ----------
        folder : path
            Made if it does not exist.

        Returns
        -------
        Written
            `path` of the page, names of `tables` and `figures`.

        Raises
        ------
        ParameterError
            If the folder cannot be written.
        """
        importlib.import_module(PAGES)
        writer = next(_WRITERS[kind] for kind in type(self).__mro__ if kind in _WRITERS)
        return writer(self, folder)

    def plot(
        self,
        kind: str | None = None,
        *,
        ax: Any = None,
        figsize: tuple[float, float] | None = None,
        **options: Any,
    ) -> Any:
        """Draw a figure of the result's page with Matplotlib.

        Fonts and colors are those of the page; the settings of Matplotlib stay as they are. Save
        the figure with `.figure.savefig("name.pdf")`: SVG and PDF files hold texts as text.

        Parameters
        ----------
        kind : str, optional
            Name of the figure; by default the first one. An unknown name is answered by all names.
        ax : Axes, or list or array of Axes, optional
            Axes to draw on, one for each panel; by default those of a new figure.
        figsize : pair of float, optional
            Width and height of the new figure in inches.
        **options : any
            Options of the figure: `items` and `broken` of "item_curves", `broken` of "wright_map",
            `bootstrap` of the "paths" of PLS.

        Returns
        -------
        Axes or array of Axes
            The axes drawn on; an array if the figure has several panels.

        Raises
        ------
        ParameterError
            For a figure or an option that the result does not have, and if the number of axes is
            not that of the panels.

        Examples
        --------
        >>> import numpy as np, pandas as pd
        >>> import gfactor as gf
        >>> random = np.random.default_rng(1)
        >>> g = random.normal(size=300)
        >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 7)})
        >>> axes = gf.sem("g =~ x1 + x2 + x3 + x4 + x5 + x6", data).plot("loadings")
        >>> axes.get_xlabel()
        'standardized loading, 95 % interval'
        >>> axes.figure.savefig("loadings.pdf")
        """
        return importlib.import_module(PLOTTING).plot_result(self, kind, ax, figsize, options)

    def paragraph(self) -> str:
        """Return a written paragraph on a result, with what journals ask for.

        Structural equation, exploratory factor, PLS, item response and latent class models and
        their comparisons, generalizability studies, tests of invariance and DIF, reliability,
        validity, norms and compared examinees have one: what was not met, sample, missing values,
        model, estimator, software, convergence, fit, main estimates with intervals, and limits
        (JARS-Quant; Appelbaum and others 2018).

        Returns
        -------
        str
            Sentences to start a results section from.

        Raises
        ------
        ParameterError
            If the result is of no such kind.

        Examples
        --------
        >>> import numpy as np, pandas as pd
        >>> import gfactor as gf
        >>> random = np.random.default_rng(1)
        >>> g = random.normal(size=300)
        >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
        >>> gf.sem("g =~ x1 + x2 + x3 + x4", data).paragraph().split(" was fitted")[0]
        'A confirmatory factor model of 4 observed variables and 1 latent variable'
        """
        return importlib.import_module(PARAGRAPHS).paragraph_of(self)

    def _document(self) -> Mapping[str, Any]:
        """Return the content of `to_dict`."""
        return {**self.facts, **self.tables, "diagnostics": self.diagnostics}

    def _lines(self) -> list[str]:
        """Return the lines of `summary` below the diagnostics."""
        width = max((len(name) for name in self.facts), default=0)
        lines = [self.title, ""]
        lines += [f"{name:<{width}}  {shown(value)}" for name, value in self.facts.items()]
        for name, table in self.tables.items():
            text = table.to_string(float_format=_number) if len(table) else "none"
            lines += ["", name.replace("_", " "), text]
        return lines

    def _above(self) -> list[str]:
        """Return the lines of `summary` above the diagnostics."""
        return []

    def _head(self) -> list[str]:
        """Lines below the title in `repr`."""
        return []

    def __repr__(self) -> str:
        lines = [f"<{type(self).__name__}: {self.title}>", *self._head()]
        kinds = [_word(entry) for entry in self.diagnostics]
        counts = ", ".join(
            number_of(kinds.count(kind), kind, "serious" * (kind == "serious"))
            for kind in ("error", "serious", "warning", "note")
            if kind in kinds
        )
        if counts:
            lines.append(f"Diagnostics: {counts}; summary() has them.")
        lines += [f"  {entry}" for entry in self.diagnostics if entry.severity == "error"]
        return "\n".join(line[:300] for line in lines[:_REPR_LINES])

    def _repr_html_(self) -> str:
        parts = [f"<h3>{escape(self.title)}</h3>"]
        if self.diagnostics:
            rows = "".join(
                f"<li><b>{_word(entry)}</b>: {escape(_stated(entry))} {escape(entry.remedy)}</li>"
                for entry in self.diagnostics
            )
            parts.append(f"<ul>{rows}</ul>")
        facts = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(shown(value))}</td></tr>"
            for name, value in self.facts.items()
        )
        parts.append(f"<table>{facts}</table>" if facts else "")
        for name, table in self.tables.items():
            parts.append(f"<h4>{escape(name.replace('_', ' '))}</h4>")
            parts.append(table.to_html(float_format=_number, max_rows=_HTML_ROWS))
        return "".join(parts)


def number_of(n: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: "1 item", "2 items"; `plural` if it is not the noun and s."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {plural or noun + 's'}"


def _word(entry: Any) -> str:
    """The severity of a diagnostic as text says it."""
    return str(getattr(entry, "word", entry.severity))


def _stated(entry: Any) -> str:
    """The sentence of a diagnostic with its example."""
    return str(getattr(entry, "with_example", entry.sentence))


def _number(value: float) -> str:
    # First to 12 digits: 0.2875 may be stored just below or above, by the order of additions.
    # A zero has no sign: that of a difference of two equal numbers depends on their order.
    value = float(f"{value:.12g}") + 0.0
    return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"


Frame = TypeVar("Frame", pd.DataFrame, pd.Series)


def rounded(table: Frame, decimals: int) -> Frame:
    """Return a table for printing, whose digits do not depend on the last bit of its numbers.

    Parameters
    ----------
    table : DataFrame or Series
        Numbers and words; only floats are rounded.
    decimals : int
        Number of decimals.

    Returns
    -------
    DataFrame or Series
        The rounded table. Numbers are first rounded to 12 decimals, because .2875 may be stored
        just below or above its value. Zeros have no sign.

    Examples
    --------
    >>> import pandas as pd
    >>> rounded(pd.Series([-1e-17, 0.28749999999999998, 2.0]), 3).tolist()
    [0.0, 0.288, 2.0]
    """
    if isinstance(table, pd.Series):
        floats = pd.api.types.is_float_dtype(table)
        return table.round(12).round(decimals) + 0.0 if floats else table
    copy = table.copy()
    for k in range(copy.shape[1]):
        copy.isetitem(k, rounded(table.iloc[:, k], decimals))
    return copy


def shown(value: Any) -> str:
    """Return a single number or word as a text; "-" if there is none."""
    if isinstance(value, float | np.floating):
        return _number(float(value)) if math.isfinite(value) else "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {shown(v)}" for k, v in value.items())
    return "-" if value is None else str(value)


def decimal(value: float, form: str) -> str:
    """Return a number in a format (".3f"); "-" if there is none."""
    return "-" if math.isnan(value) else format(value, form)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as lines: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
