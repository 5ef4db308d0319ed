"""Rotated blocks of a model: conditions that make exploratory factors definite, and where to start.

A block's loadings are free, and with them the correlations of its factors: m (m - 1) parameters too
many. What defines them is that the rotation criterion is at its minimum, m (m - 1) equations
(Jennrich 1973). They enter as nonlinear equality constraints, so that standard errors, bootstraps
and tests of a rotated model are those of any model with constraints.

References
----------
Jennrich, R. I. (1973). Standard errors for obliquely rotated factor loadings. Psychometrika 38,
    593-604.
Asparouhov, T., Muthen, B. (2009). Exploratory structural equation modeling. Structural Equation
    Modeling 16, 397-438.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.factor.exploratory.criteria import Criterion
from gfactor.psychometrics.factor.exploratory.named_rotations import (
    RotationSettings,
    named_criterion,
)
from gfactor.psychometrics.factor.exploratory.rotation import rotate
from gfactor.psychometrics.sem.constraints import Constraints, Reduction, reduction
from gfactor.psychometrics.sem.model import GroupPoint, Structure
from gfactor.psychometrics.sem.model.derivative_index import (
    COVARIANCE,
    INTERCEPT,
    LOADING,
    MEAN,
    REGRESSION,
    RESIDUAL,
)
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable

_STEP = 1e-30
"""Imaginary step of derivatives: the functions are analytic, so that nothing is lost."""


@dataclass(frozen=True)
class RotatedBlock:
    """A block of a group, with the conditions of its rotation.

    Parameters
    ----------
    structure: structure of the whole model. group: number of the group, from 0.
    rows, columns: positions of its loadings in the group's matrix.
    loadings: numbers of its free loadings, (p, m). correlations: of its free correlations, (m, m),
        0 on the diagonal, which is not read.
    rotation, epsilon: the criterion's name, and geomin's constant. standardized: True if it is
        that of loadings on standardized variables.
    """

    structure: Structure
    group: int
    rows: np.ndarray
    columns: np.ndarray
    loadings: np.ndarray
    correlations: np.ndarray
    rotation: str
    epsilon: float
    standardized: bool

    @property
    def criterion(self) -> Criterion:
        return named_criterion(self.rotation, RotationSettings(delta=self.epsilon))

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
        gradient = self.criterion(standardized)[1]
        product = standardized.transpose(0, 2, 1) @ gradient @ np.linalg.inv(psi)
        return product[:, ~np.eye(self.columns.size, dtype=bool)]

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
        m). Each factor points where its loadings do, in the order of the indicators.
        """
        loadings = point.loading[np.ix_(self.rows, self.columns)]
        standardized = loadings / np.sqrt(self._variances(point))[:, None]
        rotated = rotate(
            standardized, self.rotation, starts=starts, delta=self.epsilon, tolerance=1e-10
        ).loadings
        weights = rotated**2
        middle = np.arange(len(weights)) @ weights / weights.sum(axis=0)
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
                f"loadings of the exploratory block {name!r} are held equal, and each group's "
                "factors are rotated by themselves; take loadings out of group_equal, or write the "
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
                options.geomin_epsilon,
                options.rotation_std_ov,
            )
        )
    return tuple(blocks)


def without_rotation(constraints: Constraints) -> Constraints:
    """Return the same model with each block's factors uncorrelated and its loadings in echelon
    form, which identifies them up to a rotation."""
    zero = [number for block in constraints.rotations for number in block.unrotated_zeros]
    linear = constraints.linear
    inner = reduction(linear.basis[zero], -linear.offset[zero], linear.basis.shape[1])
    outer = Reduction(
        linear.offset + linear.basis @ inner.offset,
        linear.basis @ inner.basis,
        linear.kept[inner.kept],
    )
    return replace(constraints, linear=outer, rotations=())


def rotated_parameters(
    theta: np.ndarray, constraints: Constraints, *, starts: int = 30
) -> np.ndarray:
    """Return free parameters with the same implied moments and every block rotated."""
    out = theta.copy()
    blocks = [one for one in constraints.rotations if isinstance(one, RotatedBlock)]
    if not blocks:
        return out
    structure = blocks[0].structure
    for number, group in enumerate(structure.groups):
        here = [block for block in blocks if block.group == number]
        if not here:
            continue
        point = GroupPoint(group, theta)
        turn = np.eye(group.q)
        for block in here:
            turn[np.ix_(block.columns, block.columns)] = block.turned(point, starts)
        back = np.linalg.inv(turn)
        psi = turn @ point.psi @ turn.T
        matrices = {
            LOADING: point.loading @ back,
            REGRESSION: turn @ point.regression @ back,
            COVARIANCE: psi,
            RESIDUAL: point.theta,
            INTERCEPT: point.nu,
            MEAN: turn @ point.alpha,
        }
        for kind, matrix in matrices.items():
            chosen = group.of_kind[kind]
            out[group.index[chosen]] = matrix[group.row[chosen], group.column[chosen]]
        moved = GroupPoint(group, out)
        spread = point.sigma.diagonal().max()
        if np.abs(moved.sigma - point.sigma).max() > 1e-6 * spread or np.abs(
            moved.mu - point.mu
        ).max() > 1e-6 * np.sqrt(spread):
            raise ParameterError(
                "the model holds parameters fixed that a rotation of its exploratory blocks "
                "changes, as the mean of one factor where another's is free; take these "
                "constraints away, or write the factors without efa()."
            )
    return out


def refuse_moved(
    table: ParameterTable, constraints: Constraints, before: np.ndarray, after: np.ndarray
) -> None:
    """Raise ParameterError if constraints held before the rotation and do not after it: estimates
    under them would have another fit with every rotation."""
    moved = np.abs(constraints.linear.theta(constraints.linear.x(after)) - after) > 1e-6
    names = [
        f"{row.lhs} {row.op} {row.rhs}".strip()
        for row in table.rows
        if row.free and moved[row.free - 1]
    ]
    old, new = (
        np.concatenate(replace(constraints, rotations=()).residuals(at)) for at in (before, after)
    )
    relations = [*constraints.equalities, *constraints.inequalities]
    names += [
        ", ".join(sorted(one.names))
        for one, changed in zip(relations, np.abs(new - old) > 1e-6, strict=True)
        if changed
    ]
    if names:
        raise ParameterError(
            f"{names[0]}: a constraint or group_equal restricts a parameter that the "
            "rotation of exploratory blocks changes; remove it, or write the factors without "
            "efa()."
        )
