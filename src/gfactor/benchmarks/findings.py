"""Contributions of a benchmark to the audit of its banks: findings, columns and limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.errors import ParameterError
from gfactor.imaging import Pixels
from gfactor.items import Item

Columns = Mapping[str, Any]
"""The audit of one domain: column names to numbers; infinity if there is nothing to measure."""


def always(_: Columns) -> bool:
    """Return True: a limit with this condition applies to every domain."""
    return True


def check_installed(what: str, name: str, item: Item, installed: Collection[str]) -> None:
    """Raise ParameterError unless this version has the family or domain that an item names.

    Parameters
    ----------
    what : str
        Kind of thing that is named, such as "chc family".
    name : str
        The name in the item's label.
    item : Item
        The item.
    installed : collection of str
        The installed names.
    """
    if name not in installed:
        raise ParameterError(
            f"the {what} {name!r} of item {item.id!r} is not installed; install the package that "
            "it comes from, or correct the label"
        )


@dataclass(frozen=True)
class Limit:
    """A bound on a column of the audit.

    Parameters
    ----------
    column : str
        The column.
    why : str
        The reason for the bound.
    least, most : float
        The bounds, both allowed.
    when : callable
        Test of whether the limit holds for a domain's columns.

    Examples
    --------
    >>> from gfactor.benchmarks import Limit
    >>> Limit("constant", "nobody guesses that often", most=0.6).broken({"constant": 0.75})
    'constant 0.75 is over 0.6 (nobody guesses that often)'
    """

    column: str
    why: str
    least: float = float("-inf")
    most: float = float("inf")
    when: Callable[[Columns], bool] = always

    def broken(self, columns: Columns) -> str | None:
        """Return the broken limit in words, or None."""
        value = columns.get(self.column)
        if value is None or not self.when(columns) or self.least <= value <= self.most:
            return None
        side = f"under {self.least:g}" if value < self.least else f"over {self.most:g}"
        return f"{self.column} {value:.4g} is {side} ({self.why})"


@dataclass(frozen=True)
class Hooks:
    """A benchmark's part of the audit.

    Parameters
    ----------
    inspect : callable
        (item, its decoded pictures) -> a finding; runs in other processes. Raises
        ValueError (what is wrong and what to do, in words) where the item is not one of the
        benchmark's.
    columns : callable
        (domain's name, the findings of its items in order) -> further columns.
    limits : callable
        Edition -> the limits that a bank of that edition must keep.
    control : callable, optional
        The same as `columns`, for columns that take long to compute; runs in other processes.
    network : callable, optional
        Replaces `control` if an audit asks for the probe `network`. Raises
        MissingExtraError if PyTorch is not installed.

    Examples
    --------
    >>> from gfactor.benchmarks import BENCHMARKS, Hooks
    >>> isinstance(BENCHMARKS["percept-v"].hooks, Hooks)
    True
    """

    inspect: Callable[[Item, tuple[Pixels, ...]], Any]
    columns: Callable[[str, Sequence[Any]], Columns]
    limits: Callable[[str], tuple[Limit, ...]]
    control: Callable[[str, Sequence[Any]], Columns] | None = None
    network: Callable[[str, Sequence[Any]], Columns] | None = None
