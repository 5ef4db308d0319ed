"""The parameter table: a model as the estimators read it, in lavaan's layout."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError

REGRESSIONS = ("~", "<~")
"""Operators whose right side predicts the left one: regressions, and the weights of composites."""


@dataclass(frozen=True)
class Parameter:
    """One row: a parameter of the model, a constraint or a definition.

    Parameters
    ----------
    lhs, op, rhs: lavaan's triple. `op` is one of "=~" (loading; lhs is the latent variable), "~"
        (regression of lhs on rhs), "<~" (weight of rhs in the composite lhs), "~~" (covariance),
        "~1" (intercept or mean of lhs, rhs ""), "|" (threshold rhs "t1" ... of lhs), "~*~" (scaling
        factor of lhs), and, with group 0, "==", "<", ">" (constraints between the expressions lhs
        and rhs) and ":=" (the definition of lhs as the expression rhs).
    group: 1, 2, ... ; 0 for constraints and definitions, which concern the whole model.
    user: 1 if the model text has it, 0 if a default added it.
    free: number of the free parameter, from 1 in the order of the rows; 0 if it is fixed. Rows
        that share a label have numbers of their own, and a "==" row ties them.
    value: value to which a fixed parameter is fixed; for a free one the start value that the text
        gave, or None.
    label: label in the text, or "" (equal labels are equal parameters).
    plabel: ".p1.", ".p2." ..., by which constraints name rows without a label.
    exo: True if the row belongs to exogenous covariates that are taken as given (fixed.x).
    efa: name of the exploratory block that a loading's factor belongs to, or "".
    lower, upper: bounds, minus and plus infinity if there are none.
    line, column: position in the text, from 1; 0 for defaults.
    """

    lhs: str
    op: str
    rhs: str
    group: int = 1
    user: int = 1
    free: int = 0
    value: float | None = None
    label: str = ""
    plabel: str = ""
    exo: bool = False
    efa: str = ""
    lower: float = -np.inf
    upper: float = np.inf
    line: int = 0
    column: int = 0

    def changed(self, **changes: Any) -> Parameter:
        """Return the row with other values, like `dataclasses.replace` but five times as fast;
        rewriting a table twice with `replace` took a tenth of a fit's time."""
        row = object.__new__(Parameter)
        row.__dict__.update(self.__dict__)
        row.__dict__.update(changes)
        return row

    @property
    def name(self) -> str:
        """Name in messages and of the coefficient: the label, or lhs, op and rhs."""
        return self.label or f"{self.lhs}{self.op}{self.rhs}"


@dataclass(frozen=True)
class ParameterTable:
    """All rows of a model, and the names of its groups (empty for a single sample).

    In a two-level model the "groups" are the levels (within clusters, between clusters) of each
    group in turn: their rows describe parts of the same observed variables, and each level has
    variables of its own.
    """

    rows: tuple[Parameter, ...]
    groups: tuple[str, ...] = ()
    two_level: bool = False

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def with_rows(self, rows: Iterable[Parameter]) -> ParameterTable:
        """Return the table of the same groups or levels with other rows."""
        return ParameterTable(tuple(rows), self.groups, self.two_level)

    def refuse_levels(self, what: str, remedy: str = "use a model of one level") -> None:
        """Raise ParameterError if the model has two levels and `what` does not support these."""
        if self.two_level:
            raise ParameterError(f"{what} of two-level models are not supported; {remedy}.")

    def level_in_words(self, number: int) -> str:
        """Return the description of a "group" of a two-level model: "within clusters (boys)"."""
        group, _, level = self.groups[number - 1].rpartition(": ")
        return f"{level} clusters ({group})" if group else f"{level} clusters"

    def of_group(self, number: int) -> ParameterTable:
        """Return the rows that name the variables of a group: all, or those of a level."""
        if not self.two_level:
            return self
        return ParameterTable(tuple(row for row in self.rows if row.group == number))

    @cached_property
    def n_free(self) -> int:
        """Free parameters, before equality constraints."""
        return max((row.free for row in self.rows), default=0)

    @cached_property
    def n_groups(self) -> int:
        return max((row.group for row in self.rows), default=1)

    @cached_property
    def latent(self) -> tuple[str, ...]:
        """Latent variables and composites, in the order in which the rows define them."""
        return tuple(dict.fromkeys(row.lhs for row in self.rows if row.op in {"=~", "<~"}))

    @cached_property
    def composites(self) -> frozenset[str]:
        """Variables that are weighted sums of others, without a residual."""
        return frozenset(row.lhs for row in self.rows if row.op == "<~")

    @cached_property
    def observed(self) -> tuple[str, ...]:
        """Observed variables: indicators first, in the order of the rows, then others."""
        latent = set(self.latent)
        indicators = [row.rhs for row in self.rows if row.op == "=~" and row.rhs not in latent]
        others = [
            name
            for row in self.rows
            if row.op in {*REGRESSIONS, "~~", "~1", "|"}
            for name in (row.lhs, row.rhs if row.op in {*REGRESSIONS, "~~"} else "")
            if name and name not in latent
        ]
        return tuple(dict.fromkeys([*indicators, *others]))

    @property
    def not_predictors(self) -> tuple[str, ...]:
        """Observed variables that predict nothing, to which lavaan's `ordered = TRUE` applies."""
        predictors = set(self.predictors)
        return tuple(name for name in self.observed if name not in predictors)

    @cached_property
    def has_means(self) -> bool:
        """Return True if any row is an intercept or a mean."""
        return any(row.op == "~1" for row in self.rows)

    @cached_property
    def given(self) -> tuple[str, ...]:
        """Observed covariates that the table takes as given (fixed.x)."""
        return tuple(
            dict.fromkeys(
                row.lhs for row in self.rows if row.exo and row.op == "~~" and row.lhs == row.rhs
            )
        )

    @cached_property
    def predictors(self) -> tuple[str, ...]:
        """Observed variables that predict others, and are neither predicted nor indicators."""
        led = {row.lhs for row in self.rows if row.op in REGRESSIONS}
        led |= {row.rhs for row in self.rows if row.op == "=~"}
        # A variable whose own moments the text models is more than a predictor.
        for row in self.rows:
            if row.user and row.op in {"~~", "~1"}:
                led |= {row.lhs, row.rhs}
        latent = set(self.latent)
        right = [row.rhs for row in self.rows if row.op in REGRESSIONS]
        return tuple(dict.fromkeys(n for n in right if n not in led and n not in latent))

    @cached_property
    def limits(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Lower and upper bounds of the free parameters, or None if there are none."""
        free = [row for row in self.rows if row.free]
        if all(math.isinf(row.lower) and math.isinf(row.upper) for row in free):
            return None
        lower, upper = np.full(self.n_free, -np.inf), np.full(self.n_free, np.inf)
        for row in free:
            lower[row.free - 1], upper[row.free - 1] = row.lower, row.upper
        return lower, upper

    @cached_property
    def starts(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions of the free parameters with start values in the text, and these values."""
        stated = {
            row.free - 1: row.value for row in self.rows if row.free and row.value is not None
        }
        return np.array(list(stated), dtype=int), np.array(list(stated.values()), dtype=float)

    @cached_property
    def free_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions of the rows with a free parameter, and the position of each one's parameter."""
        free = np.array([row.free for row in self.rows], dtype=int)
        (positions,) = free.nonzero()
        return positions, free[positions] - 1

    @cached_property
    def _fixed_values(self) -> np.ndarray:
        fixed = [(row.value or 0.0) if row.group else math.nan for row in self.rows]
        return np.array(fixed, dtype=float)

    def row_values(self, theta: np.ndarray) -> np.ndarray:
        """Return one value per row: estimates, fixed values, NaN for constraints."""
        values = self._fixed_values.copy()
        positions, parameters = self.free_rows
        values[positions] = theta[parameters]
        return values

    def frame(self) -> pd.DataFrame:
        """Return one line per row, columns named as the fields, in the style of lavaan's
        `parTable`."""
        return pd.DataFrame([vars(row) for row in self.rows])
