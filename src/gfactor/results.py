"""What every analysis returns: one protocol for text, notebooks and programs.

A result is a frozen dataclass that derives from `Result` and says what its facts (single numbers)
and tables are; text, HTML and strict JSON follow from these.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, is_dataclass
from html import escape
from typing import Any

import numpy as np
import pandas as pd

_REPR_LINES = 10


def plain(value: Any) -> Any:
    """The value as strict JSON can hold it: no NaN, no infinity, no numpy, no pandas.

    Parameters
    ----------
    value : object
        A number, text, array, table, mapping, dataclass, or any nesting of these.

    Returns
    -------
    object
        None for what is not a finite number; a table becomes a list with a mapping per row, with
        its index first where the index has a name.

    Examples
    --------
    >>> plain({"x": np.array([1.0, np.nan])})
    {'x': [1.0, None]}
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, pd.DataFrame):
        frame = value.reset_index() if any(value.index.names) else value
        return [{str(k): plain(v) for k, v in row.items()} for row in frame.to_dict("records")]
    if isinstance(value, pd.Series):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return [plain(entry) for entry in value.tolist()]
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Iterable):
        return [plain(entry) for entry in value]
    return str(value)


class Result:
    """Base of what an analysis returns.

    A subclass is a frozen dataclass with an attribute `diagnostics` and defines `title`, `facts`
    and `tables`.
    """

    diagnostics: tuple[Any, ...]
    """What limits the use of the result (`gfactor.psychometrics.Diagnostic`), errors first."""

    @property
    def title(self) -> str:
        """What was estimated, from how many, in one line."""
        raise NotImplementedError

    @property
    def facts(self) -> Mapping[str, Any]:
        """Single numbers and words by name."""
        raise NotImplementedError

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Tables by name, the most important first."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Facts, tables and diagnostics as strict JSON holds them (no NaN)."""
        found = {**self.facts, **self.tables}
        found["diagnostics"] = [entry.to_dict() for entry in self.diagnostics]
        return plain(found)

    def summary(self) -> str:
        """Diagnostics first, then facts and tables, as text."""
        lines = [self.title, *(str(entry) for entry in self.diagnostics), ""]
        width = max((len(name) for name in self.facts), default=0)
        lines += [f"{name:<{width}}  {_shown(value)}" for name, value in self.facts.items()]
        for name, table in self.tables.items():
            lines += ["", name.replace("_", " "), table.to_string(float_format=_number)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        lines = [f"<{type(self).__name__}: {self.title}>"]
        lines += [f"  {entry}" for entry in self.diagnostics]
        if len(lines) > _REPR_LINES:
            left = len(lines) - _REPR_LINES + 1
            lines = [*lines[: _REPR_LINES - 1], f"  ... and {left} more; see summary()"]
        return "\n".join(line[:200] for line in lines)

    def _repr_html_(self) -> str:
        parts = [f"<h3>{escape(self.title)}</h3>"]
        if self.diagnostics:
            rows = "".join(
                f"<li><b>{entry.severity}</b>: {escape(entry.sentence)} {escape(entry.remedy)}</li>"
                for entry in self.diagnostics
            )
            parts.append(f"<ul>{rows}</ul>")
        facts = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(_shown(value))}</td></tr>"
            for name, value in self.facts.items()
        )
        parts.append(f"<table>{facts}</table>")
        for name, table in self.tables.items():
            parts.append(f"<h4>{escape(name.replace('_', ' '))}</h4>")
            parts.append(table.to_html(float_format=_number))
        return "".join(parts)


def _number(value: float) -> str:
    return f"{value:.3f}"


def _shown(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return f"{value:.3f}" if math.isfinite(value) else "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {_shown(v)}" for k, v in value.items())
    return str(value)
