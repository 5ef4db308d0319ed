"""Which variables are hardly ever seen in the same case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gfactor.errors import ParameterError

FEW = 0.1
"""Share of the cases below which lavaan and Mplus warn of a covariance."""

_SHOWN = 5


@dataclass(frozen=True)
class Pair:
    """Two variables and the share of cases that show both."""

    first: str
    second: str
    share: float


def pairs_apart(rows: np.ndarray, names: Sequence[str], below: float = FEW) -> list[Pair]:
    """The pairs seen together in less than the share `below` of the cases, rarest first.

    Parameters
    ----------
    rows: shape (n, p), NaN where missing. names: of the columns.
    """
    seen = (~np.isnan(rows)).astype(float)
    share = seen.T @ seen / len(rows)
    found = [
        Pair(names[j], names[i], float(share[i, j]))
        for i in range(len(names))
        for j in range(i)
        if share[i, j] < below
    ]
    return sorted(found, key=lambda pair: pair.share)


def refuse_apart(rows: np.ndarray, names: Sequence[str], where: str = "") -> None:
    """ParameterError where two variables are seen together in fewer than two cases, so that they
    have no covariance; `where` names the group."""
    never = pairs_apart(rows, names, 2 / max(len(rows), 1))
    if never:
        raise ParameterError(
            f"{told(never)} are never seen together{where}, so that their covariance has no "
            "value; leave one of each pair out."
        )


def told(pairs: Sequence[Pair], *, shares: bool = False) -> str:
    """The pairs in words, the first few by name."""
    shown = ", ".join(
        f"{one.first} with {one.second}" + (f" ({one.share:.1%})" if shares else "")
        for one in pairs[:_SHOWN]
    )
    return shown + (f" and {len(pairs) - _SHOWN} more pairs" if len(pairs) > _SHOWN else "")
