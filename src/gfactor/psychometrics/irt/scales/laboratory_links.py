"""Linking of the design cells of several laboratories, all at once.

Under the Rasch model the scales of two calibrations differ by a shift. Laboratory l estimates the
mean difficulty of cell c as y_lc = b_c - s_l + f_lt + e_lc: s_l brings its scale to the common one,
the errors e have the covariance of its calibration, and f_lt, with variance v, is the extra
difficulty or ease of one family of items for the models of one laboratory. Generalized least
squares give all b and s with their joint covariance, so that the error of the links is in every
standard error (Haberman 2009; for two laboratories with equal errors this is the mean-mean link,
with the error that the delta method gives it: Kolen and Brennan 2014, chapter 7; Ogasawara 2000).
The variance v comes from the method of moments (DerSimonian and Laird 1986); with it the cells that
link count as a sample of cells (Monseur and Berezner 2007). Laboratories that asked the same clones
of a cell share the sampling error of these clones.

A cell drifted if its difficulty in one laboratory is far from the value expected from the others
and the link: an observation with a shift of its own is tested against the t distribution, the most
extreme first, with Holm's correction over cells.

References
----------
Haberman, S. J. (2009). Linking parameter estimates derived from an item response model through
    separate calibrations. ETS Research Report 09-40.
Kolen, M. J., Brennan, R. L. (2014). Test Equating, Scaling, and Linking (3rd ed.).
Ogasawara, H. (2000). Asymptotic standard errors of IRT equating coefficients using moments.
    Economic Review, Otaru University of Commerce 51, 1-23.
Monseur, C., Berezner, A. (2007). The computation of equating errors in international surveys in
    education. Journal of Applied Measurement 8, 323-335.
DerSimonian, R., Laird, N. (1986). Meta-analysis in clinical trials. Controlled Clinical Trials 7,
    177-188.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.inference.multiplicity import holm
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry

LEAST_COMMON = 2
"""Smallest number of common cells with which two laboratories are linked."""
RATE = 0.05
"""Rate of false alarms among the tests for drift of one merger."""
_SHARE = 0.9
"""Share of an error variance, at most, that common clones explain."""
_FLAT = 1e-10
"""Share of the largest curvature that counts as none."""
_TESTLET = ("family", "domain")


class CellDrift(NamedTuple):
    """A cell whose difficulty in one laboratory differs from that in the others; the difference is
    in logits."""

    cell: str
    laboratory: str
    shift: float
    se: float
    p: float


@dataclass(frozen=True)
class Links:
    """The cells of several laboratories on one scale.

    Parameters
    ----------
    cells, laboratories : tuple of str
    b : array (C,)
        Mean difficulties on the common scale.
    shifts : array (L,)
        Ability on the common scale is that of the laboratory plus its shift.
    rows : tuple of (int, int)
        Laboratory and cell of every estimate.
    slopes : array (C + L, R)
        Derivatives of difficulties and shifts in the estimates.
    of_means : array (C + L, L)
        Derivatives in the means of ability of the laboratories.
    errors : array (R, R)
        Covariance of the estimates.
    between_variance : float
        Variance of differences between laboratories in one family of items.
    drifted : tuple of CellDrift
        Cells that were left out.
    common : int
        Cells that two or more laboratories have.
    """

    cells: tuple[str, ...]
    laboratories: tuple[str, ...]
    b: Floats
    shifts: Floats
    rows: tuple[tuple[int, int], ...]
    slopes: Floats
    of_means: Floats
    errors: Floats
    between_variance: float
    drifted: tuple[CellDrift, ...]
    common: int

    def shift_error(self, laboratory: int, other: int = 0) -> float:
        """Return the standard error of the link between two laboratories."""
        row = self.slopes[len(self.cells) + laboratory] - self.slopes[len(self.cells) + other]
        return float(np.sqrt(max(float(row @ self.errors @ row), 0.0)))


def link_laboratories(parts: Mapping[str, Calibration]) -> Links:
    """Link calibrations by design by their common cells, without cells that drifted.

    Parameters
    ----------
    parts : mapping of str to Calibration
        Calibrations by the name of their laboratory. The origin of the common scale is the mean
        ability of all their respondents.

    Returns
    -------
    Links
        Difficulties and shifts, with derivatives and errors that give their covariance.

    Raises
    ------
    ParameterError
        If a laboratory has fewer than two cells in common with the others.
    """
    estimates = _Estimates.of(parts)
    _check_tied(estimates)
    drifted: list[CellDrift] = []
    while (farthest := _most_drifted(estimates)) is not None:
        rest = estimates.without(farthest.cell)
        if not _tied(rest):
            break
        drifted.append(farthest)
        estimates = rest
    return _linked(estimates, parts, tuple(drifted))


def check_connected(cells: Mapping[str, Sequence[str]], examinees: Mapping[str, Sequence[str]],
                    unit: str) -> None:  # fmt: skip
    """Raise ParameterError if a laboratory has nothing in common with the others.

    Parameters
    ----------
    cells : mapping of str to sequence of str
        Names of cells, or of items, by laboratory.
    examinees : mapping of str to sequence of str
        Names of examinees by laboratory.
    unit : str
        "cells" or "items".
    """
    names = list(cells)
    groups = [{name} for name in names]
    for k, one in enumerate(names):
        for other in names[:k]:
            common = set(cells[one]) & set(cells[other])
            if len(common) >= LEAST_COMMON or set(examinees[one]) & set(examinees[other]):
                group, other_group = (next(g for g in groups if n in g) for n in (one, other))
                if group is not other_group:
                    groups.remove(other_group)
                    group |= other_group
    if len(groups) > 1:
        raise ParameterError(
            f"{', '.join(sorted(groups[0]))} and {', '.join(sorted(groups[1]))} have fewer than "
            f"{LEAST_COMMON} {unit} and no examinee in common, so that their scales cannot be "
            "linked; have both ask the same families, or test one model in both"
        )


@dataclass(frozen=True)
class _Estimates:
    """The mean difficulties of cells as laboratories estimate them."""

    laboratories: tuple[str, ...]
    cells: tuple[str, ...]
    rows: tuple[tuple[int, int], ...]
    y: Floats
    errors: Floats
    blocks: NDArray[np.intp]

    @classmethod
    def of(cls, parts: Mapping[str, Calibration]) -> _Estimates:
        names = tuple(parts)
        cells = tuple(sorted({e.name for part in parts.values() for e in part.entries}))
        position = {cell: k for k, cell in enumerate(cells)}
        rows, y, entries, positions = [], [], [], []
        for index, part in enumerate(parts.values()):
            for entry in part.entries:
                rows.append((index, position[entry.name]))
                y.append(-entry.values[1])
                entries.append(entry)
                positions.append(part.uncertain[f"{entry.name}.d"])
        owner = np.array([index for index, _ in rows])
        errors = np.zeros((len(rows), len(rows)))
        for index, part in enumerate(parts.values()):
            here = np.flatnonzero(owner == index)
            at = [positions[k] for k in here]
            errors[np.ix_(here, here)] = part.covariance[np.ix_(at, at)]
        groups = [f"{index} {_testlet(e)}" for (index, _), e in zip(rows, entries, strict=True)]
        return cls(
            names, cells, tuple(rows), np.array(y), _with_common_clones(errors, rows, entries),
            np.unique(groups, return_inverse=True)[1],
        )  # fmt: skip

    @property
    def design(self) -> Floats:
        """One column for each cell, and minus one in the column of the laboratory."""
        x = np.zeros((len(self.rows), len(self.cells) + len(self.laboratories)))
        for k, (laboratory, cell) in enumerate(self.rows):
            x[k, cell], x[k, len(self.cells) + laboratory] = 1.0, -1.0
        return x

    @property
    def counts(self) -> NDArray[np.intp]:
        """The number of laboratories of every cell."""
        return np.bincount([cell for _, cell in self.rows], minlength=len(self.cells))

    def without(self, name: str) -> _Estimates:
        """The estimates of all other cells."""
        position = self.cells.index(name)
        left = np.array([cell != position for _, cell in self.rows])
        rows = tuple(
            (laboratory, cell - (cell > position))
            for laboratory, cell in self.rows
            if cell != position
        )
        return _Estimates(
            self.laboratories, tuple(c for c in self.cells if c != name), rows, self.y[left],
            self.errors[np.ix_(left, left)], self.blocks[left],
        )  # fmt: skip


def _testlet(entry: Entry) -> str:
    labels = entry.facts.get("labels") or {}
    return str(next((labels[name] for name in _TESTLET if name in labels), entry.name))


def _with_common_clones(
    errors: Floats, rows: Sequence[tuple[int, int]], entries: Sequence[Entry]
) -> Floats:
    """Covariance between laboratories that asked the same items of a cell."""
    errors = errors.copy()
    for i, (row, entry) in enumerate(zip(rows, entries, strict=True)):
        for j in range(i):
            other, digest = entries[j], entry.facts.get("items_digest")
            if rows[j][1] != row[1] or digest is None or digest != other.facts.get("items_digest"):
                continue
            of_clones = min(entry.clone_sd, other.clone_sd) ** 2 / max(int(entry.facts["items"]), 1)
            most = _SHARE * min(errors[i, i], errors[j, j])
            errors[i, j] = errors[j, i] = min(of_clones, most)
    values, vectors = np.linalg.eigh(0.5 * (errors + errors.T))
    return (vectors * np.maximum(values, 1e-8 * values[-1])) @ vectors.T


def _check_tied(estimates: _Estimates) -> None:
    cells: dict[str, list[str]] = {name: [] for name in estimates.laboratories}
    for laboratory, cell in estimates.rows:
        cells[estimates.laboratories[laboratory]].append(estimates.cells[cell])
    check_connected(cells, dict.fromkeys(cells, ()), "cells")


def _tied(estimates: _Estimates) -> bool:
    try:
        _check_tied(estimates)
    except ParameterError:
        return False
    return True


class _Solved(NamedTuple):
    """Generalized least squares with the variance between laboratories."""

    slopes: Floats
    between: float
    errors: Floats
    degrees: int


def _solve(estimates: _Estimates, x: Floats, constraint: Floats | None = None) -> _Solved:
    """Estimates are linear in y; a design that lacks rank has the constraint's solution."""
    same = (estimates.blocks[:, None] == estimates.blocks[None]).astype(float)
    inverse = inv(estimates.errors)
    left = inverse - inverse @ x @ _inverse(x.T @ inverse @ x) @ x.T @ inverse
    degrees = len(x) - int(np.linalg.matrix_rank(x))
    scale = float((left * same).sum())
    statistic = float(estimates.y @ left @ estimates.y)
    between = max(0.0, (statistic - degrees) / scale) if scale > 1e-8 and degrees > 0 else 0.0
    errors = estimates.errors + between * same
    inverse = inv(errors)
    if constraint is None:
        slopes = _inverse(x.T @ inverse @ x) @ x.T @ inverse
        return _Solved(slopes, between, errors, degrees)
    size = x.shape[1]
    bordered = np.zeros((size + 1, size + 1))
    bordered[:size, :size] = x.T @ inverse @ x
    bordered[size, :size] = bordered[:size, size] = constraint
    solved = inv(bordered)[:size]
    of_estimates = solved[:, :size] @ x.T @ inverse
    slopes = np.asarray(np.column_stack([of_estimates, solved[:, size]]), np.float64)
    return _Solved(slopes, between, errors, degrees)


def _inverse(matrix: Floats) -> Floats:
    """The generalized inverse: one shift is free, which leaves one direction without curvature."""
    return np.asarray(np.linalg.pinv(matrix, rcond=_FLAT, hermitian=True), np.float64)


def _most_drifted(estimates: _Estimates) -> CellDrift | None:
    """The cell that differs most between laboratories, if it differs by more than chance."""
    x, counts = estimates.design, estimates.counts
    tested: list[CellDrift] = []
    for k, (laboratory, cell) in enumerate(estimates.rows):
        # With two laboratories, each one's shift is the other's with the sign reversed.
        if counts[cell] < 2 or (counts[cell] == 2 and _first(estimates, k)):
            continue
        solved = _solve(estimates, np.column_stack([x, np.eye(len(x))[k]]))
        if solved.degrees < 1:
            return None
        row = solved.slopes[-1]
        shift, se = float(row @ estimates.y), float(np.sqrt(row @ solved.errors @ row))
        p = 2 * float(stats.t.sf(abs(shift) / se, solved.degrees)) if se > 0 else 1.0
        tested.append(
            CellDrift(estimates.cells[cell], estimates.laboratories[laboratory], shift, se, p)
        )
    if not tested:
        return None
    adjusted = holm([one.p for one in tested])
    least = int(np.argmin(adjusted))
    return tested[least]._replace(p=float(adjusted[least])) if adjusted[least] <= RATE else None


def _first(estimates: _Estimates, row: int) -> bool:
    """Return True if a row is the first of its cell."""
    cell = estimates.rows[row][1]
    return all(other != cell for _, other in estimates.rows[:row])


def _linked(
    estimates: _Estimates, parts: Mapping[str, Calibration], drifted: tuple[CellDrift, ...]
) -> Links:
    share = shares(parts)
    means = np.array([part.mean for part in parts.values()])
    size = len(estimates.cells)
    # The mean ability of all respondents is 0: sum of share * (mean + shift).
    constraint = np.concatenate([np.zeros(size), share])
    solved = _solve(estimates, estimates.design, constraint)
    solution = solved.slopes @ np.concatenate([estimates.y, [-share @ means]])
    return Links(
        estimates.cells, estimates.laboratories, solution[:size], solution[size:], estimates.rows,
        solved.slopes[:, :-1], -np.outer(solved.slopes[:, -1], share), solved.errors,
        solved.between, drifted, int((estimates.counts > 1).sum()),
    )  # fmt: skip


def shares(parts: Mapping[str, Calibration]) -> Floats:
    """Return the share of every laboratory in the respondents of all."""
    sizes: list[Any] = [(part.about.get("respondents") or {}).get("n") for part in parts.values()]
    lacking = [name for name, n in zip(parts, sizes, strict=True) if not n]
    if lacking:
        raise ParameterError(
            f"the calibration of {lacking[0]} does not state its number of respondents, so that it "
            "has no weight; calibrate its journal again"
        )
    return np.array(sizes, float) / float(sum(sizes))
