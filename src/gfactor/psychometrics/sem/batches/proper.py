"""Whether solutions are proper, for many at once."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.model import Structure
from gfactor.psychometrics.sem.model.gathers import COVARIANCE, REGRESSION, RESIDUAL

_ZERO = 1e-9


def improprieties(structure: Structure, theta: np.ndarray) -> list[str]:
    """What is wrong with each solution, "" where nothing is.

    Parameters
    ----------
    theta: shape (R, n_free).

    Negative residual variances of indicators (Heywood cases) and negative variances or disturbances
    of latent variables are named; then latent covariance matrices that are not positive definite.
    """
    said: list[list[str]] = [[] for _ in theta]
    several = len(structure.groups) > 1
    for number, s in enumerate(structure.groups):
        where = f" in group {number + 1}" if several else ""
        for kind, names, words in (
            (RESIDUAL, s.observed, "negative residual variance of"),
            (COVARIANCE, s.latent, "negative variance or disturbance of"),
        ):
            mine = np.flatnonzero((s.kind == kind) & (s.row == s.column))
            values = theta[:, s.index[mine]]
            for row in np.flatnonzero((values < -_ZERO).any(axis=1)):
                bad = ", ".join(names[s.row[mine[k]]] for k in np.flatnonzero(values[row] < -_ZERO))
                said[row].append(f"{words} {bad}{where}")
        for row in np.flatnonzero(_indefinite(structure, number, theta)):
            if not said[row]:
                said[row].append(
                    f"covariance matrix of the latent variables not positive definite{where}"
                )
    return ["; ".join(one) for one in said]


def _indefinite(structure: Structure, number: int, theta: np.ndarray) -> np.ndarray:
    s = structure.groups[number]
    if not s.q:
        return np.zeros(len(theta), dtype=bool)
    psi = np.broadcast_to(s.base[COVARIANCE], (len(theta), s.q, s.q)).copy()
    row, column, index = s.places[COVARIANCE]
    psi[:, row, column] = theta[:, index]
    if s.recursive:
        beta = np.broadcast_to(s.base[REGRESSION], psi.shape).copy()
        row, column, index = s.places[REGRESSION]
        beta[:, row, column] = theta[:, index]
        total = np.linalg.inv(s.identities[1] - beta)
        psi = total @ psi @ total.mT
    size = np.sqrt(np.abs(np.diagonal(psi, axis1=1, axis2=2)))
    size = np.where(size > 0, size, 1.0)
    scaled = psi / (size[:, :, None] * size[:, None, :])
    return np.linalg.eigvalsh(scaled)[:, 0] < -1e-8
