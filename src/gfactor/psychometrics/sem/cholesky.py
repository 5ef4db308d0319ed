"""The inverse of a positive definite matrix, and the pseudo-inverse of a singular one."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

NULL = 1e-11
"""Eigenvalue of an information matrix, in units of its diagonal, that counts as zero: between the
rounding error of a zero (1e-15) and the eigenvalues of the weakest identified parameters (1e-7)."""


def flat(information: np.ndarray) -> bool:
    """Return True if an information matrix is singular or indefinite, allowing for rounding."""
    root, info = lapack.dpotrf(information, lower=1)  # type: ignore[attr-defined]
    return info != 0 or bool((root.diagonal() ** 2 < NULL * information.diagonal()).any())


def null_space(information: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return eigenvalues and eigenvectors (columns) of the matrix, scaled to a diagonal of ones,
    and the square roots of its diagonal; eigenvalues of directions without information are zero."""
    diagonal = np.abs(information.diagonal())
    size = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, vectors = np.linalg.eigh(information / (size[:, None] * size))
    largest = max(float(np.abs(values).max(initial=0.0)), 1e-300)
    return np.where(np.abs(values) < NULL * largest, 0.0, values), vectors, size


def pseudo_inverse(information: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the inverse along all directions with information, and the other directions as
    columns."""
    values, vectors, size = null_space(information)
    informative = values != 0
    directions = vectors[:, informative] / size[:, None]
    return (directions / values[informative]) @ directions.T, vectors[:, ~informative] / size[
        :, None
    ]


def positive_inverse(matrix: np.ndarray) -> tuple[np.ndarray, float] | None:
    """Return inverse and log determinant by Cholesky; None if the matrix is not positive definite.

    The inverse is the product of the inverted root with its transpose; LAPACK's own routine
    (dpotri) is no faster here, and its BLAS threads wait for each other.
    """
    if not len(matrix):  # LAPACK takes no empty matrix; its determinant is 1.
        return np.zeros((0, 0)), 0.0
    root, info = lapack.dpotrf(matrix, lower=1)  # type: ignore[attr-defined]
    if info:
        return None
    back, info = lapack.dtrtri(root, lower=1)  # type: ignore[attr-defined]
    inverse = back.T @ back
    logdet = 2 * float(np.log(root.diagonal()).sum())
    return (inverse, logdet) if not info and np.isfinite(logdet) else None
