"""Findings about cases that do not count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic

FEW = 0.1
"""Share of the cases below which lavaan and Mplus warn of a covariance."""


@dataclass(frozen=True)
class MissingValues:
    """Values that the cases of a sample lack.

    Parameters
    ----------
    values, cells : int
        Missing values, and values that there could be.
    incomplete, cases : int
        Cases that lack a value, and all cases.
    patterns : int
        Different sets of observed variables, complete cases included, summed over groups.
    """

    values: int
    cells: int
    incomplete: int
    cases: int
    patterns: int

    def sentence(self) -> str:
        """Return the counts in words: "12 of 900 (1.3%), in 10 of 90 cases, 4 patterns"."""
        if not self.values:
            return "none"
        kinds = f"{self.patterns:,} pattern{'s' * (self.patterns != 1)} of observed variables"
        return (
            f"{self.values:,} of {self.cells:,} ({self.values / self.cells:.1%}), in "
            f"{self.incomplete:,} of {self.cases:,} cases; {kinds}"
        )


def missing_values(groups: Sequence[np.ndarray]) -> MissingValues:
    """Count the missing values of the cases of one or more groups.

    Parameters
    ----------
    groups: by group its cases, shape (n, p), NaN if missing.
    """
    gaps = [np.isnan(rows) for rows in groups]
    return MissingValues(
        values=sum(int(one.sum()) for one in gaps),
        cells=sum(one.size for one in gaps),
        incomplete=sum(int(one.any(axis=1).sum()) for one in gaps),
        cases=sum(len(one) for one in gaps),
        patterns=sum(len(np.unique(one, axis=0)) for one in gaps),
    )


@dataclass(frozen=True)
class VariablePair:
    """Two variables, and the share of cases in which both are observed."""

    first: str
    second: str
    share: float


def pairs_apart(rows: np.ndarray, names: Sequence[str], below: float = FEW) -> list[VariablePair]:
    """Return the pairs that are observed together in less than the share `below` of the cases,
    rarest first.

    Parameters
    ----------
    rows: shape (n, p), NaN if missing. names: names of the columns.
    """
    seen = (~np.isnan(rows)).astype(float)
    share = seen.T @ seen / len(rows)
    apart = [
        VariablePair(names[j], names[i], float(share[i, j]))
        for i in range(len(names))
        for j in range(i)
        if share[i, j] < below
    ]
    return sorted(apart, key=lambda pair: pair.share)


def refuse_apart(rows: np.ndarray, names: Sequence[str], where: str = "") -> None:
    """Raise ParameterError if two variables are observed together in fewer than two cases and
    therefore have no covariance; `where` names the group."""
    never = pairs_apart(rows, names, 2 / max(len(rows), 1))
    if never:
        raise ParameterError(
            f"{pairs_text(never)} are never observed together{where}, so that their covariance has "
            "no value; leave one of each pair out."
        )


def pairs_text(pairs: Sequence[VariablePair], *, shares: bool = False) -> str:
    """Return the pairs in words, the first few by name."""
    return first_few(
        f"{one.first} with {one.second}" + (f" ({one.share:.1%})" if shares else "")
        for one in pairs
    )


_MANY = 0.1
"""Share of the cases from which on leaving them out can change the estimates."""


class _Counted(Protocol):
    @property
    def n(self) -> int: ...


def left_out(
    groups: tuple[_Counted, ...],
    total: int,
    listwise: bool,
    homeless: int = 0,
    column: str | None = None,
) -> tuple[Diagnostic, ...]:
    """Return notes on incomplete cases and on rows without a group.

    Parameters
    ----------
    groups: groups that are left. asked: number of rows of the groups in the data. listwise: True if
    incomplete cases were left out, False if only cases without any value were.
    homeless: rows without a value in the grouping `column`.
    """
    diagnostics: list[Diagnostic] = []
    lost = total - sum(group.n for group in groups)
    if lost:
        many = lost > _MANY * total
        diagnostics.append(
            Diagnostic(
                "cases_left_out",
                "warning" if listwise and many else "note",
                f"Left out: {lost} of {total} cases ({lost / total:.0%}), which "
                + (
                    "lack a value of some variable of the model."
                    if listwise
                    else "show nothing, or lack a covariate."
                ),
                "Take incomplete cases in (missing = 'fiml'; 'pairwise' for ordinal variables): "
                "leaving them out is right only if values are missing completely at random."
                if listwise
                else "See that this is meant.",
                (),
                {"left_out": lost, "cases": total},
            )
        )
    if homeless:
        diagnostics.append(
            Diagnostic(
                "rows_without_group",
                "warning",
                f"{homeless} rows have no value in the grouping column {column!r} and were left "
                "out.",
                "Fill the group in, or leave these rows out on purpose.",
                (str(column),),
                {"rows": homeless},
            )
        )
    return tuple(diagnostics)
