"""The grid of equally spaced values behind a column, found from its spacings alone.

Standardising counts leaves them on a grid: (count - mean) / sd has the spacing 1 / sd. The whole
numbers are recovered up to an unknown constant, which is enough for comparing persons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_DIVISORS = (1, 2, 3, 4, 5)
"""Divisors of the smallest gap, which may be several steps, as in a column of 0, 2 and 5."""

_RESIDUAL = 0.05
"""Largest distance, in steps, of a value from its grid point; z-scores with two decimals fit."""

_ROUGHER = 10.0
"""Largest ratio of a coarser grid's error to that of the closest grid."""

_LONGEST = 1000
"""Largest number of steps of a grid; with more, values count as continuous."""


@dataclass(frozen=True)
class Grid:
    """A column as whole numbers.

    Parameters
    ----------
    codes: steps above the column's smallest value, one per person; -1 if it is missing.
    step: the spacing, in the column's unit (1 / sd where counts were standardised).
    origin: the smallest value, in the column's unit.
    """

    codes: NDArray[np.int64]
    step: float
    origin: float

    @property
    def steps(self) -> int:
        """Steps from the smallest to the largest value."""
        return int(self.codes.max(initial=0))


def recover_grid(values: NDArray[np.float64]) -> Grid | None:
    """Return the coarsest grid on which all values lie; None if they look continuous.

    Columns in which even the nearest two values are more than five steps apart count as continuous.

    A column of one or two distinct values is on a grid of one step. The chance that k continuous
    values fit a grid by accident is about 0.1 ** (k - 2) times the number of steps tried.

    Parameters
    ----------
    values : array
        Values of one column; NaN is left out.

    Returns
    -------
    Grid, optional
        Step, origin and counts; None if values look continuous.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics.respondents import recover_grid
    >>> round(recover_grid(np.array([0.1, 0.3, 0.2, 0.5])).step, 3)
    0.1
    """
    x = np.asarray(values, float)
    finite = np.isfinite(x)
    if not finite.any():
        return None
    low, spread = float(x[finite].min()), float(np.ptp(x[finite]))
    distinct = _distinct(x[finite], spread)
    if len(distinct) < 2:
        return Grid(np.where(finite, 0, -1).astype(np.int64), 1.0, low)
    gaps = np.diff(distinct)
    smallest = float(gaps.min())
    fits = [f for d in _DIVISORS if (f := _fitted_step(distinct, gaps, smallest / d)) is not None]
    # A coarse grid that fits only roughly is an accident if a finer one fits exactly.
    closest = min((away for _, away in fits), default=0.0)
    for step, away in fits:
        if away <= _ROUGHER * closest + 1e-9 * spread:
            steps = np.rint(np.where(finite, x - low, -step) / step)
            return Grid(steps.astype(np.int64), step, low)
    return None


def _distinct(x: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    """Sorted values, those nearer than rounding taken as one."""
    ordered = np.sort(x)
    return ordered[np.r_[True, np.diff(ordered) > 1e-7 * spread]] if spread else ordered[:1]


def _fitted_step(
    distinct: NDArray[np.float64], gaps: NDArray[np.float64], step: float
) -> tuple[float, float] | None:
    """Refine the step over the whole range; None if a value is too far from the grid.

    The largest distance of a value from the grid, in the column's unit, is returned, too.
    """
    jumps = np.rint(gaps / step)
    if jumps.sum() > _LONGEST or jumps.sum() > 20 * len(distinct):
        return None
    codes = np.r_[0.0, jumps.cumsum()]
    above = distinct - distinct[0]
    fitted = float(above @ codes / (codes @ codes))
    away = float(np.abs(above / fitted - codes).max())
    return (fitted, away * fitted) if away <= _RESIDUAL else None
