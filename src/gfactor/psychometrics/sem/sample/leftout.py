"""Cases that do not count, told as findings."""

from __future__ import annotations

from typing import Protocol

from gfactor.psychometrics.diagnostic import Diagnostic

_MANY = 0.1
"""Share of the cases from which on leaving them out can change what is estimated."""


class _Counted(Protocol):
    @property
    def n(self) -> int: ...


def left_out(
    groups: tuple[_Counted, ...],
    asked: int,
    listwise: bool,
    homeless: int = 0,
    column: str | None = None,
) -> tuple[Diagnostic, ...]:
    """Notes on incomplete cases and on rows without a group.

    Parameters
    ----------
    groups: what is left. asked: rows of the groups in the data. listwise: whether incomplete
        cases were left out, or only those that show nothing.
    homeless: rows without a value in the grouping `column`.
    """
    found: list[Diagnostic] = []
    lost = asked - sum(group.n for group in groups)
    if lost:
        many = lost > _MANY * asked
        found.append(
            Diagnostic(
                "cases_left_out",
                "warning" if listwise and many else "note",
                f"Left out: {lost} of {asked} cases ({lost / asked:.0%}), which "
                + (
                    "lack a value of some variable of the model."
                    if listwise
                    else "show nothing, or lack a covariate."
                ),
                "Take incomplete cases in (missing = 'fiml'; 'pairwise' for ordinal variables): "
                "leaving them out is right only where values are missing completely at random."
                if listwise
                else "See that this is meant.",
                (),
                {"left_out": lost, "cases": asked},
            )
        )
    if homeless:
        found.append(
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
    return tuple(found)
