"""Operations of numpy on arrays of floats, with one declaration each.

numpy declares the same operations for every kind of array, in up to ten versions that pyright tries
one after the other, and the result is of any type or a float of unknown precision. Here it is an
array of 64-bit floats, so that what follows is checked and the check takes a hundredth of the time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def einsum(subscripts: str, *operands: Floats, optimize: bool = False) -> Floats:
    """Return the sum of products that the subscripts name, as `numpy.einsum` does."""
    return np.einsum(subscripts, *operands, optimize=optimize)


def inv(matrices: NDArray[np.floating]) -> Floats:
    """Return the inverse of one matrix or of each in a stack, as `numpy.linalg.inv` does."""
    return np.linalg.inv(matrices).astype(np.float64, copy=False)


def solve(matrices: NDArray[np.floating], right: NDArray[np.floating]) -> Floats:
    """Return the solutions of linear equations, as `numpy.linalg.solve` does."""
    return np.linalg.solve(matrices, right).astype(np.float64, copy=False)


def cholesky(matrices: NDArray[np.floating]) -> Floats:
    """Return the lower triangular roots of covariance matrices, as `numpy.linalg.cholesky` does."""
    return np.linalg.cholesky(matrices).astype(np.float64, copy=False)


def eigvalsh(matrices: NDArray[np.floating]) -> Floats:
    """Return the eigenvalues of symmetric matrices, ascending, as `numpy.linalg.eigvalsh` does."""
    return np.linalg.eigvalsh(matrices).astype(np.float64, copy=False)
