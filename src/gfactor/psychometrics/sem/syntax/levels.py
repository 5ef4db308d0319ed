"""The rows of both levels of a two-level model, which are treated like two groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gfactor.psychometrics.sem.parameters import Parameter
from gfactor.psychometrics.sem.syntax.defaults import group_rows
from gfactor.psychometrics.sem.syntax.lexer import ModelSyntaxError
from gfactor.psychometrics.sem.syntax.model import Formula
from gfactor.psychometrics.sem.syntax.options import SyntaxOptions

LEVELS = ("within", "between")
"""Names of the levels of a two-level model."""


def level_names(groups: Sequence[str]) -> list[str]:
    """Return the names of all levels, of one group after the other."""
    return [f"{one}: {level}" if one else level for one in groups or ("",) for level in LEVELS]


def group_levels(
    formulas: Sequence[Formula], options: SyntaxOptions, group: int, groups: int
) -> list[Parameter]:
    """Return the rows of both levels of a group.

    Raises
    ------
    ModelSyntaxError: the text does not have exactly two levels, or has formulas above the first
    one.
    """
    named = tuple(dict.fromkeys(formula.level for formula in formulas))
    if "" in named:
        raise ModelSyntaxError("expected every formula after a 'level:' line, found some before it")
    if len(named) != len(LEVELS):
        raise ModelSyntaxError(
            f"the text has {len(named)} block{'s' if len(named) > 1 else ''} 'level:'; a two-level "
            "model has 'level: 1' (within clusters) and 'level: 2' (between them)"
        )
    order = ("1", "2") if set(named) == {"1", "2"} else named
    inside, outside = (
        group_rows([one for one in formulas if one.level == name], options, group, groups)
        for name in order
    )
    between = {name for row in outside for name in (row.lhs, row.rhs)}
    first = len(LEVELS) * (group - 1) + 1
    return [
        *(replace(_deviation(row, between), group=first) for row in inside),
        *(replace(row, group=first + 1) for row in outside),
    ]


def _deviation(row: Parameter, between: Collection[str]) -> Parameter:
    """Return a row within clusters without the mean of a variable of both levels: the mean belongs
    to level 2, because deviations within clusters have mean 0."""
    if row.op == "~1" and not row.user and not row.exo and row.lhs in between:
        return replace(row, free=0, value=0.0)
    return row
