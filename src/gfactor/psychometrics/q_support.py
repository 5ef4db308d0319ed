"""Support of a Q-matrix by answers: the effect of every skill that a row requires.

Reference: Williams, E. J. (1959). The comparison of regression variables. JRSS B 21, 396-399 (the
test of two correlations that share a variable).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import eigvalsh, inv

Array = NDArray[np.float64]

FEWEST = 10
"""Smallest number of respondents for the support of a row."""

_COLLINEAR = 1e-8


def support_of(
    matrix: NDArray[np.int_],
    rows: list[str],
    names: list[str],
    answers: pd.DataFrame,
    level: float,
) -> tuple[pd.DataFrame, int]:
    """Return the table of support of every skill of every row, and the number of respondents."""
    scores = answers.rename(columns=str)
    missing = [row for row in rows if row not in scores.columns]
    if missing:
        raise ParameterError(
            f"the answers have no column {missing[0]!r}; give its columns the names of the rows of "
            "the Q-matrix."
        )
    scores = scores[rows].astype(float).dropna()
    if len(scores) < FEWEST:
        raise ParameterError(
            f"{len(scores)} respondents have all rows; the audit of answers needs {FEWEST}."
        )
    values = scores.to_numpy()
    spread = values.std(axis=0)
    z = (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    z[:, spread == 0] = np.nan
    out = [
        row
        for number, name in enumerate(rows)
        for row in _row_support(z, matrix, number, name, names, level)
    ]
    return pd.DataFrame(out), len(scores)


def _row_support(
    z: Array, matrix: NDArray[np.int_], number: int, row: str, names: list[str], level: float
) -> Iterator[dict[str, Any]]:
    usable = ~np.isnan(z).any(axis=0)
    others = usable & (np.arange(len(matrix)) != number)
    rest = z[:, others] @ matrix[others]
    rest = np.where(rest.std(axis=0) > 0, rest, np.nan)
    rest = (rest - rest.mean(axis=0)) / rest.std(axis=0)
    required = np.flatnonzero(matrix[number])
    effects, errors = _effects(z[:, number], rest[:, required])
    critical = stats.t.ppf((1 + level) / 2, len(z) - len(required) - 1)
    r = (z[:, number] @ rest) / len(z)
    closest = -1 if np.isnan(r).all() else int(np.nanargmax(r))
    closer = closest not in required and _beyond_chance(
        r, rest, required, closest, len(z), len(matrix)
    )
    for skill, effect, error in zip(required, effects, errors, strict=True):
        lower, upper = effect - critical * error, effect + critical * error
        verdict = "-" if np.isnan(lower) else "not decided"
        verdict = "yes" if lower > 0 else "no" if upper < 0 else verdict
        yield {
            "row": row,
            "skill": names[skill],
            "effect": effect,
            "ci_lower": lower,
            "ci_upper": upper,
            "supported": verdict,
            "closest": "" if closest < 0 else names[closest],
            "closer": bool(closer),
        }


def _effects(y: Array, x: Array) -> tuple[Array, Array]:
    """Regression of a standardized row on standardized sums of its skills' other rows, with
    standard errors; NaN if these determine each other."""
    nothing = np.full(x.shape[1], np.nan)
    n, k = x.shape
    if not k or n <= k + 1 or np.isnan(x).any() or np.isnan(y).any():
        return nothing, nothing
    inner = x.T @ x
    if eigvalsh(inner / n)[0] < _COLLINEAR:
        return nothing, nothing
    inverse = inv(inner)
    effects = inverse @ x.T @ y
    variance = ((y - x @ effects) ** 2).sum() / (n - k - 1)
    return effects, np.sqrt(variance * np.diag(inverse))


def _beyond_chance(
    r: Array, rest: Array, required: NDArray[np.intp], other: int, n: int, tests: int
) -> bool:
    """Williams' test of whether a row correlates more with another skill than with the nearest of
    its own, at .05 divided by the number of rows."""
    if other < 0 or not len(required) or np.isnan(r[required]).all():
        return False
    nearest = int(required[np.nanargmax(r[required])])
    a, b, shared = r[other], r[nearest], float(rest[:, other] @ rest[:, nearest] / n)
    if shared > 1 - _COLLINEAR:
        return False
    size = 1 - a**2 - b**2 - shared**2 + 2 * a * b * shared
    below = 2 * size * (n - 1) / (n - 3) + ((a + b) / 2) ** 2 * (1 - shared) ** 3
    t = (a - b) * np.sqrt((n - 1) * (1 + shared) / below)
    return bool(2 * stats.t.sf(t, n - 3) < 0.05 / tests)
