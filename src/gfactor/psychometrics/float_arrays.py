"""Operations of numpy on arrays of floats, with one declaration each.

numpy declares the same operations for every kind of array, in up to ten versions that pyright tries
one after the other, and the result is of any type or a float of unknown precision. Here it is an
array of 64-bit floats, so that later code is checked and the check takes a hundredth of the time.
Nothing is converted: complex numbers, which some derivatives use, stay complex.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def einsum(subscripts: str, *operands: Floats, optimize: bool = False) -> Floats:
    """Return the sum of products that the subscripts name, as `numpy.einsum` does."""
    return np.einsum(subscripts, *operands, optimize=optimize)


def inv(matrices: NDArray[np.floating]) -> Floats:
    """Return the inverse of one matrix or of each in a stack, as `numpy.linalg.inv` does."""
    return cast("Floats", np.linalg.inv(matrices))


def solve(matrices: NDArray[np.floating], right: NDArray[np.floating]) -> Floats:
    """Return the solutions of linear equations, as `numpy.linalg.solve` does."""
    return cast("Floats", np.linalg.solve(matrices, right))


def cholesky(matrices: NDArray[np.floating]) -> Floats:
    """Return the lower triangular roots of covariance matrices, as `numpy.linalg.cholesky` does."""
    return cast("Floats", np.linalg.cholesky(matrices))


def eigvalsh(matrices: NDArray[np.floating]) -> Floats:
    """Return the eigenvalues of symmetric matrices, ascending, as `numpy.linalg.eigvalsh` does."""
    return cast("Floats", np.linalg.eigvalsh(matrices))


def log_sums(logs: Floats) -> Floats:
    """Return logarithms of the sums of exponentials over the last axis, which stays with length 1.

    `scipy.special.logsumexp` takes five times as long for small arrays, as in a step of EM.
    """
    top = logs.max(axis=-1, keepdims=True)
    return top + np.log(np.exp(logs - top).sum(axis=-1, keepdims=True))
