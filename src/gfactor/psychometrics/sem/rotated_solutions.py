"""A solution before and after the rotation of its exploratory blocks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.sem.constraints import Constraints, Reduction, reduction
from gfactor.psychometrics.sem.model import GroupPoint
from gfactor.psychometrics.sem.model.derivative_index import (
    COVARIANCE,
    INTERCEPT,
    LOADING,
    MEAN,
    REGRESSION,
    RESIDUAL,
)
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.rotation import RotatedBlock


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
        back = inv(turn)
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
                "changes, such as the mean of one factor while that of another is free; remove "
                "these constraints, or write the factors without efa()."
            )
    return out


def refuse_moved(
    table: ParameterTable, constraints: Constraints, before: np.ndarray, after: np.ndarray
) -> None:
    """Raise ParameterError if constraints that were satisfied before the rotation are not
    afterwards, because the fit would then depend on the rotation."""
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
