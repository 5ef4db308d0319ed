"""Rotated blocks of a model: conditions that determine exploratory factors, and start values.

A block's loadings are free, and with them the correlations of its factors: m (m - 1) parameters too
many. They are determined by the minimum of the rotation criterion, which is m (m - 1) equations
(Jennrich 1973); for an orthogonal rotation half as many, with correlations of 0 (Archer and
Jennrich 1973). They enter as nonlinear equality constraints, so that standard errors, bootstraps
and tests of a rotated model are those of any model with constraints.

References
----------
Jennrich, R. I. (1973). Standard errors for obliquely rotated factor loadings. Psychometrika 38,
    593-604.
Archer, C. O., Jennrich, R. I. (1973). Standard errors for orthogonally rotated factor loadings.
    Psychometrika 38, 581-592.
Asparouhov, T., Muthen, B. (2009). Exploratory structural equation modeling. Structural Equation
    Modeling 16, 397-438.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.factor.exploratory.criteria import Criterion
from gfactor.psychometrics.factor.exploratory.named_rotations import (
    ROTATIONS,
    RotationSettings,
    named_criterion,
)
from gfactor.psychometrics.factor.exploratory.rotation import rotate_by
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.sem.model import GroupPoint, Structure
from gfactor.psychometrics.sem.model.derivative_index import (
    COVARIANCE,
    LOADING,
    RESIDUAL,
)
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.rotation_values import rotates_rows, rotation_settings

_STEP = 1e-30
"""Imaginary step of derivatives: the functions are analytic, so that nothing is lost."""


@dataclass(frozen=True)
class RotatedBlock:
    """A block of a group, with the conditions of its rotation.

    Parameters
    ----------
    structure: structure of the whole model. group: number of the group, from 0.
    rows, columns: positions of its loadings in the group's matrix.
    loadings: numbers of its free loadings, (p, m). correlations: numbers of its free correlations,
    (m, m); the diagonal is 0 and not used.
    rotation, settings: the rotation's name and parameters. standardized: True if the loadings on
    standardized variables are rotated.
    """

    structure: Structure
    group: int
    rows: np.ndarray
    columns: np.ndarray
    loadings: np.ndarray
    correlations: np.ndarray
    rotation: str
    settings: RotationSettings
    standardized: bool

    @property
    def criterion(self) -> Criterion:
        return named_criterion(self.rotation, self.settings)

    @property
    def oblique(self) -> bool:
        return ROTATIONS[self.rotation].oblique

    @property
    def size(self) -> int:
        """Number of conditions."""
        return self.columns.size * (self.columns.size - 1)

    @property
    def unrotated_zeros(self) -> list[int]:
        """Return the free parameters that are 0 in an unrotated solution: correlations, and the
        loadings above the diagonal."""
        upper = np.triu_indices(self.columns.size, 1)
        return [*self.correlations[upper].tolist(), *self.loadings[upper].tolist()]

    def _conditions(self, loadings: np.ndarray, psi: np.ndarray, sd: np.ndarray) -> np.ndarray:
        """Return functions, (s, m (m - 1)), that are zero at a stationary point of the criterion of
        standardized loadings; for s loading matrices, correlations and standard deviations.
        """
        standardized = loadings / sd[:, :, None]
        if rotates_rows(self.rotation, self.settings):
            common = ((standardized @ psi) * standardized).sum(axis=2, keepdims=True)
            standardized = standardized / np.sqrt(common)
        product = standardized.transpose(0, 2, 1) @ self.criterion(standardized)[1]
        if self.oblique:
            return (product @ inv(psi))[:, ~np.eye(self.columns.size, dtype=bool)]
        upper = (slice(None), *np.triu_indices(self.columns.size, 1))
        return np.concatenate([psi[upper], (product - product.transpose(0, 2, 1))[upper]], axis=1)

    def residuals(self, theta: np.ndarray) -> np.ndarray:
        """Return the conditions' values, (m (m - 1),)."""
        point = GroupPoint(self.structure.groups[self.group], theta)
        loadings = point.loading[np.ix_(self.rows, self.columns)]
        psi = point.psi[np.ix_(self.columns, self.columns)]
        sd = np.sqrt(self._variances(point))
        return self._conditions(loadings[None], psi[None], sd[None])[0]

    def jacobian(self, theta: np.ndarray) -> np.ndarray:
        """Return the derivatives of the conditions, (m (m - 1), n_free)."""
        n_free = self.structure.n_free
        point = GroupPoint(self.structure.groups[self.group], theta)
        sd = np.sqrt(self._variances(point))
        p, m = self.loadings.shape
        upper = np.triu_indices(m, 1)
        moves = p * m + len(upper[0]) + p
        loadings = np.repeat(point.loading[np.ix_(self.rows, self.columns)][None], moves, 0) + 0j
        psi = np.repeat(point.psi[np.ix_(self.columns, self.columns)][None], moves, 0) + 0j
        scale = np.repeat(sd[None], moves, 0) + 0j
        number = np.arange(p * m)
        loadings[number, number // m, number % m] += 1j * _STEP
        number = p * m + np.arange(len(upper[0]))
        psi[number, upper[0], upper[1]] += 1j * _STEP
        psi[number, upper[1], upper[0]] += 1j * _STEP
        scale[p * m + len(upper[0]) + np.arange(p), np.arange(p)] += 1j * _STEP
        slopes = np.imag(self._conditions(loadings, psi, scale)).T / _STEP
        out = np.zeros((self.size, n_free))
        out[:, self.loadings.ravel()] = slopes[:, : p * m]
        out[:, self.correlations[upper]] += slopes[:, p * m : -p]
        return out + (slopes[:, -p:] / (2 * sd)) @ self._variance_slopes(point)

    def _variances(self, point: GroupPoint) -> np.ndarray:
        """Return the variances by which indicators are standardized: given what predicts the
        factors, (p,), as lavaan does.
        """
        if not self.standardized:
            return np.ones(len(self.rows))
        loading = point.loading[self.rows]
        return ((loading @ point.psi) * loading).sum(axis=1) + point.theta.diagonal()[self.rows]

    def _variance_slopes(self, point: GroupPoint) -> np.ndarray:
        """Their derivatives, (p, n_free)."""
        group = point.structure
        loading = point.loading[self.rows]
        cross = loading @ point.psi
        out = np.zeros((len(self.rows), self.structure.n_free))
        if not self.standardized:
            return out
        order = {int(row): k for k, row in enumerate(self.rows)}
        for kind, row, column, index in zip(
            group.kind.tolist(), group.row.tolist(), group.column.tolist(), group.index.tolist(),
            strict=True,
        ):  # fmt: skip
            if kind == COVARIANCE:
                twice = 1 if row == column else 2
                out[:, index] += twice * loading[:, row] * loading[:, column]
            elif row in order and kind == LOADING:
                out[order[row], index] += 2 * cross[order[row], column]
            elif row in order and kind == RESIDUAL and row == column:
                out[order[row], index] += 1
        return out

    def turned(self, point: GroupPoint, starts: int) -> np.ndarray:
        """Return the matrix that turns the block's factors from uncorrelated to rotated ones, (m,
        m). Factors are ordered by the mean position of the indicators on which they load.
        """
        loadings = point.loading[np.ix_(self.rows, self.columns)]
        standardized = loadings / np.sqrt(self._variances(point))[:, None]
        rotated = rotate_by(
            standardized, self.rotation, self.settings, starts=starts, tolerance=1e-10
        ).loadings
        weights = rotated**2
        middle = np.arange(len(weights)) @ weights / weights.sum(axis=0)
        # Factors that the criterion distinguishes stay where they are.
        still = {"none": 0, "first": 1, "all": len(middle)}[ROTATIONS[self.rotation].in_place]
        middle[:still] = np.arange(-still, 0)
        rotated = rotated[:, np.argsort(middle, kind="stable")]
        # standardized = rotated @ turn
        return np.linalg.lstsq(rotated, standardized, rcond=None)[0]


def rotated_blocks(
    table: ParameterTable, structure: Structure, options: Options
) -> tuple[RotatedBlock, ...]:
    """Return the blocks of a table, of two factors and more."""
    blocks = []
    number = {(r.lhs, r.op, r.rhs, r.group): r.free - 1 for r in table.rows}
    names = dict.fromkeys((row.group, row.efa) for row in table.rows if row.efa)
    for group, name in names:
        rows = [row for row in table.rows if row.efa == name and row.group == group]
        factors = list(dict.fromkeys(row.lhs for row in rows))
        observed = list(dict.fromkeys(row.rhs for row in rows))
        if len(factors) < 2:
            continue
        if any(row.label for row in rows):
            raise ParameterError(
                f"loadings of the exploratory block {name!r} are held equal, but the factors of "
                "each group are rotated separately; take loadings out of group_equal, or write the "
                "factors without efa() (levels of invariance hold loadings equal)."
            )
        correlations = np.zeros((len(factors),) * 2, dtype=int)
        for i, one in enumerate(factors):
            for j, two in enumerate(factors):
                free = number.get((one, "~~", two, group), -1)
                if i != j and free >= 0:
                    correlations[i, j] = correlations[j, i] = free
        here = structure.groups[group - 1]
        blocks.append(
            RotatedBlock(
                structure,
                group - 1,
                np.array([here.observed.index(one) for one in observed]),
                np.array([here.latent.index(one) for one in factors]),
                np.array([[number[f, "=~", x, group] for f in factors] for x in observed]),
                correlations,
                options.rotation,
                rotation_settings(options, observed, factors),
                options.rotation_std_ov,
            )
        )
    return tuple(blocks)
