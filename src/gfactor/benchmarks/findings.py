"""What a benchmark contributes to the audit of its banks: findings, columns and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.imaging import Pixels
from gfactor.items import Item

Columns = Mapping[str, Any]
"""The audit of one domain: column names to numbers; infinity where there is nothing to measure."""


def always(_: Columns) -> bool:
    """The condition of a limit without one."""
    return True


@dataclass(frozen=True)
class Limit:
    """A bound on a column of the audit.

    Parameters
    ----------
    column: the column.
    least, most: the bounds, both allowed.
    why: the reason for the bound.
    when: for which domains it holds.
    """

    column: str
    why: str
    least: float = float("-inf")
    most: float = float("inf")
    when: Callable[[Columns], bool] = always

    def broken(self, columns: Columns) -> str | None:
        """What is broken, in words, or None."""
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
    inspect: (item, its decoded pictures) -> a finding; runs in other processes. Raises ValueError
        (what is wrong and what to do, in words) where the item is not one of the benchmark's.
    columns: (domain's name, the findings of its items in order) -> further columns.
    limits: edition -> the limits that a bank of that edition must keep.
    control: the same as `columns`, for what takes work of its own; runs in other processes.
    """

    inspect: Callable[[Item, tuple[Pixels, ...]], Any]
    columns: Callable[[str, Sequence[Any]], Columns]
    limits: Callable[[str], tuple[Limit, ...]]
    control: Callable[[str, Sequence[Any]], Columns] | None = None
