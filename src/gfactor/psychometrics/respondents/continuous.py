"""Shared persons in columns without a grid: the scale under which differences recur.

A positive affine map between two samples multiplies every difference of two shared persons by the
same factor. The ratios of differences of one sample to differences of the other therefore pile up
at that factor; unrelated persons scatter. This is the Hough transform (Duda & Hart 1972) of a
straight line through pairs of points.

References
----------
Duda, R. O., Hart, P. E. (1972). Use of the Hough transformation to detect lines and curves in
    pictures. Communications of the ACM 15, 11-15.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_PERSONS = 60
"""Persons of each sample whose differences are compared: 1,770 x 1,770 ratios at most."""

_WIDTH = 1e-7
"""Relative width within which two ratios count as the same; rounding to 9 digits passes."""

_PROBED = 3
"""Columns searched from nothing; the others follow from the persons these match."""

_FEWEST = 3
"""Shared persons below which a scale cannot be told from coincidence."""


def continuous_agreements(
    first: NDArray[np.float64], second: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.int64] | None:
    """n x m: columns on which each pair agrees under the best affine map per column.

    None where no column shows one, that is, where the samples share fewer than a few persons.
    """
    n, m, columns = len(first), len(second), first.shape[1]
    total = np.zeros((n, m), np.int64)
    probed = [c for c in range(columns) if _spread(first[:, c]) and _spread(second[:, c])]
    found: dict[int, NDArray[np.bool_]] = {}
    for c in probed[:_PROBED]:
        line = _line(first[:, c], second[:, c], rng)
        if line is not None:
            found[c] = _same(first[:, c], second[:, c], *line)
    if not found:
        return None
    votes = np.sum(list(found.values()), axis=0)
    rows = np.flatnonzero(votes.max(axis=1) == len(found))
    partners = votes.argmax(axis=1)
    for c in probed:
        if c not in found:
            line = _line_through(first[rows, c], second[partners[rows], c])
            if line is not None:
                found[c] = _same(first[:, c], second[:, c], *line)
    for same in found.values():
        total += same
    return total


def _spread(x: NDArray[np.float64]) -> bool:
    known = x[np.isfinite(x)]
    return known.size >= _FEWEST and float(np.ptp(known)) > 0


def _line(
    x: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
) -> tuple[float, float] | None:
    """Scale and shift with x = scale * y + shift for the most persons; None below three."""
    a, b = _distinct(x, rng), _distinct(y, rng)
    first, second = _log_differences(a), _log_differences(b)
    ratios = np.sort((first[:, None] - second[None, :]).ravel())
    ahead = np.searchsorted(ratios, ratios + _WIDTH, side="right") - np.arange(len(ratios))
    best = int(ahead.argmax())
    # Three shared persons give three ratios; by chance so many fall into one window only where
    # the windows are crowded, which the expected number of ratios per window tells.
    crowd = len(ratios) * _WIDTH / max(float(np.ptp(ratios)), _WIDTH)
    if ahead[best] < max(3, 5 + 20 * crowd):
        return None
    scale = float(np.exp(np.median(ratios[best : best + ahead[best]])))
    shifts = np.sort((a[:, None] - scale * b[None, :]).ravel())
    width = 1e-5 * float(np.ptp(a))
    near = np.searchsorted(shifts, shifts + width, side="right") - np.arange(len(shifts))
    at = int(near.argmax())
    if near[at] < _FEWEST:
        return None
    return scale, float(np.median(shifts[at : at + near[at]]))


def _distinct(x: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    values = np.unique(x[np.isfinite(x)])
    if len(values) > _PERSONS:
        values = np.sort(values[rng.permutation(len(values))[:_PERSONS]])
    return values


def _log_differences(values: NDArray[np.float64]) -> NDArray[np.float64]:
    upper, lower = np.triu_indices(len(values), 1)
    return np.log(np.abs(values[lower] - values[upper]))


def _line_through(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float] | None:
    """The map of already matched persons, by least squares; None where they do not vary."""
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) < _FEWEST or np.ptp(y) == 0 or np.ptp(x) == 0:
        return None
    scale, shift = np.polyfit(y, x, 1)
    return float(scale), float(shift)


def _same(
    x: NDArray[np.float64], y: NDArray[np.float64], scale: float, shift: float
) -> NDArray[np.bool_]:
    known = x[np.isfinite(x)]
    tolerance = 1e-5 * float(np.ptp(known))
    with np.errstate(invalid="ignore"):
        return np.abs(x[:, None] - (scale * y[None, :] + shift)) <= tolerance
