"""Persons who occur twice: within a sample, and in several samples under any shift or scale.

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

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.respondents.alignment import align
from gfactor.psychometrics.respondents.chance import BY_CHANCE, Chance, chance_agreement
from gfactor.psychometrics.respondents.grid import Grid, recover_grid

_PERSONS = 60
"""Largest number of persons of a sample whose differences are compared: 1,770 x 1,770 ratios."""

_WIDTH = 1e-7
"""Relative width within which two ratios count as the same; rounding to 9 digits passes."""

_PROBED = 3
"""Number of columns searched first; for the others the persons matched by these are used."""

_FEWEST = 3
"""Number of shared persons below which a scale may be coincidence."""


def continuous_agreements(
    first: NDArray[np.float64], second: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.int64] | None:
    """Return, per pair of persons (n x m), the number of columns on which they agree up to an
    affine map.

    None if no column has such a map, which means that the samples share hardly any persons.
    """
    n, m, columns = len(first), len(second), first.shape[1]
    total = np.zeros((n, m), np.int64)
    probed = [c for c in range(columns) if _spread(first[:, c]) and _spread(second[:, c])]
    same_in: dict[int, NDArray[np.bool_]] = {}
    for c in probed[:_PROBED]:
        line = _line(first[:, c], second[:, c], rng)
        if line is not None:
            same_in[c] = _same(first[:, c], second[:, c], *line)
    if not same_in:
        return None
    votes = np.sum(list(same_in.values()), axis=0)
    rows = np.flatnonzero(votes.max(axis=1) == len(same_in))
    partners = votes.argmax(axis=1)
    for c in probed:
        if c not in same_in:
            line = _line_through(first[rows, c], second[partners[rows], c])
            if line is not None:
                same_in[c] = _same(first[:, c], second[:, c], *line)
    for same in same_in.values():
        total += same
    return total


def _spread(x: NDArray[np.float64]) -> bool:
    observed = x[np.isfinite(x)]
    return observed.size >= _FEWEST and float(np.ptp(observed)) > 0


def _line(
    x: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
) -> tuple[float, float] | None:
    """Scale and shift with x = scale * y + shift for the most persons; None below three."""
    a, b = _distinct(x, rng), _distinct(y, rng)
    first, second = _log_differences(a), _log_differences(b)
    ratios = np.sort((first[:, None] - second[None, :]).ravel())
    ahead = np.searchsorted(ratios, ratios + _WIDTH, side="right") - np.arange(len(ratios))
    best = int(ahead.argmax())
    # Three shared persons give three ratios. By chance, three ratios fall into one window only if
    # windows are crowded, which the expected number of ratios per window shows.
    expected = len(ratios) * _WIDTH / max(float(np.ptp(ratios)), _WIDTH)
    if ahead[best] < max(3, 5 + 20 * expected):
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
    """The map of already matched persons, by least squares; None if they do not vary."""
    observed = np.isfinite(x) & np.isfinite(y)
    x, y = x[observed], y[observed]
    if len(x) < _FEWEST or np.ptp(y) == 0 or np.ptp(x) == 0:
        return None
    scale, shift = np.polyfit(y, x, 1)
    return float(scale), float(shift)


def _same(
    x: NDArray[np.float64], y: NDArray[np.float64], scale: float, shift: float
) -> NDArray[np.bool_]:
    observed = x[np.isfinite(x)]
    tolerance = 1e-5 * float(np.ptp(observed))
    with np.errstate(invalid="ignore"):
        return np.abs(x[:, None] - (scale * y[None, :] + shift)) <= tolerance


FEWEST_SHARED = 3
"""Smallest number of persons that two samples must share for a shift per column, because shifts can
always be chosen so that one pair agrees on everything."""

_MATCH_COLUMNS = ["first", "person", "second", "partner", "agree", "columns", "by_chance",
                  "mutual"]  # fmt: skip


@dataclass(frozen=True)
class RowOverlap:
    """Rows that two samples (or a sample with itself) share.

    Parameters
    ----------
    first, second: names of the samples.
    columns: columns compared, by name.
    aligned: "as given" if equal values matched, "shift and scale" if columns were aligned.
    first_shared, second_shared: persons of each with at least one partner.
    exact: persons of `first` with a partner equal on all columns.
    chance: agreement of unrelated persons, and the number of columns that were needed.
    matches: `first`, `person`, `second`, `partner`, `agree`, `columns`, `by_chance` (number of
        pairs expected to agree on as many columns by chance) and `mutual`, True if the two are each
        other's best match; one row per person of `first` with a partner.
    """

    first: str
    second: str
    columns: tuple[str, ...]
    aligned: str
    first_shared: int
    second_shared: int
    exact: int
    chance: Chance
    matches: pd.DataFrame

    @property
    def least(self) -> int:
        """Smallest number of agreeing columns among the listed pairs."""
        return int(self.matches["agree"].to_numpy(int).min(initial=self.chance.columns))


def grids_of(sample: pd.DataFrame) -> list[Grid | None]:
    """Return the grid of every column, in their order."""
    return [recover_grid(sample[c].to_numpy(float)) for c in sample.columns]


def within(name: str, sample: pd.DataFrame, rate: float = BY_CHANCE) -> RowOverlap:
    """Return duplicated and near-duplicated persons of one sample; every pair is listed once."""
    x = sample.to_numpy(float)
    agree = _as_given(x, x)
    agree[np.tril_indices(len(x))] = -1
    chance = chance_agreement(agree, x.shape[1], rate)
    rows, partners = np.nonzero(agree >= chance.needed)
    names = tuple(map(str, sample.columns))
    pairs = _frame(name, name, sample.index, sample.index, rows, partners, agree, chance)
    exact = int((agree[rows, partners] == x.shape[1]).sum())
    persons = len(set(rows) | set(partners))
    return RowOverlap(name, name, names, "as given", persons, persons, exact, chance, pairs)


def between(
    samples: Mapping[str, pd.DataFrame], seed: int = 0, rate: float = BY_CHANCE
) -> tuple[RowOverlap, ...]:
    """Return every pair of samples that have at least two columns in common, in their order."""
    grids = {name: dict(zip(s.columns, grids_of(s), strict=True)) for name, s in samples.items()}
    pairs = list(combinations(samples, 2))
    overlaps = []
    for number, (one, two) in enumerate(pairs):
        common = [c for c in samples[one].columns if c in grids[two]]
        if len(common) < 2 or min(len(samples[one]), len(samples[two])) == 0:
            continue
        rng = np.random.default_rng((seed, number))
        a, b = samples[one].loc[:, common], samples[two].loc[:, common]
        ours, theirs = [grids[one][c] for c in common], [grids[two][c] for c in common]
        overlaps.append(_overlap(one, two, a, b, ours, theirs, rng, rate / len(pairs)))
    return tuple(overlaps)


def _overlap(
    one: str,
    two: str,
    first: pd.DataFrame,
    second: pd.DataFrame,
    ours: list[Grid | None],
    theirs: list[Grid | None],
    rng: np.random.Generator,
    rate: float,
) -> RowOverlap:
    """Compare two samples, with an alignment of their values if it matches more persons."""
    x, y = first.to_numpy(float), second.to_numpy(float)
    columns = x.shape[1]
    agree = _as_given(x, y)
    chance = chance_agreement(agree, columns, rate)
    aligned = "as given"
    moved = _aligned(x, y, ours, theirs, rng)
    if moved is not None:
        other = chance_agreement(moved, columns, rate)
        shared = _shared(moved, other)
        better = (shared, _agreement(moved, other)) > (
            _shared(agree, chance),
            _agreement(agree, chance),
        )
        if shared >= FEWEST_SHARED and better:
            agree, chance, aligned = moved, other, "shift and scale"
    rows = np.flatnonzero(agree.max(axis=1) >= chance.needed)
    partners = agree[rows].argmax(axis=1)
    matches = _frame(one, two, first.index, second.index, rows, partners, agree, chance)
    return RowOverlap(
        one,
        two,
        tuple(map(str, first.columns)),
        aligned,
        len(rows),
        int((agree.max(axis=0) >= chance.needed).sum()),
        int((agree[rows].max(axis=1, initial=0) == columns).sum()),
        chance,
        matches,
    )


def _as_given(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    agree = np.zeros((len(x), len(y)), np.int64)
    for c in range(x.shape[1]):
        a, b = x[:, c], y[:, c]
        observed = np.concatenate([a[np.isfinite(a)], b[np.isfinite(b)]])
        tolerance = 1e-6 * float(np.ptp(observed)) if observed.size else 0.0
        with np.errstate(invalid="ignore"):
            agree += np.abs(a[:, None] - b[None, :]) <= tolerance
    return agree


def _aligned(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    ours: list[Grid | None],
    theirs: list[Grid | None],
    rng: np.random.Generator,
) -> NDArray[np.int64] | None:
    """Agreements on the columns with grids and on those without, each aligned; None for neither."""
    total: NDArray[np.int64] | None = None
    gridded = [(a, b) for a, b in zip(ours, theirs, strict=True) if a and b]
    if gridded:
        a = np.column_stack([g.codes for g, _ in gridded])
        b = np.column_stack([g.codes for _, g in gridded])
        alignment = align(a, b, rng)
        total = alignment.agreements(a, b) if alignment else None
    rest = [c for c, (a, b) in enumerate(zip(ours, theirs, strict=True)) if not (a and b)]
    if rest:
        smooth = continuous_agreements(x[:, rest], y[:, rest], rng)
        if smooth is not None:
            total = smooth if total is None else total + smooth
    return total


def _shared(agree: NDArray[np.int64], chance: Chance) -> int:
    """Number of persons with a partner, in the sample with fewer such persons."""
    hit = agree >= chance.needed
    return int(min(hit.any(axis=1).sum(), hit.any(axis=0).sum()))


def _agreement(agree: NDArray[np.int64], chance: Chance) -> int:
    """Columns on which the persons with a partner agree with it, in all."""
    best = agree.max(axis=1)
    return int(best[best >= chance.needed].sum())


def _frame(
    one: str,
    two: str,
    persons: pd.Index,
    partners: pd.Index,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    agree: NDArray[np.int64],
    chance: Chance,
) -> pd.DataFrame:
    lines = [
        (one, persons[i], two, partners[j], int(agree[i, j]), chance.columns,
         chance.expected(int(agree[i, j])), bool(agree[i, j] >= agree[:, j].max()))
        for i, j in zip(rows, columns, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(lines, columns=_MATCH_COLUMNS)
