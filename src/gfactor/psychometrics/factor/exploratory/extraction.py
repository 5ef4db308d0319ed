"""Extraction of common factors from a correlation matrix: ML, minres, principal axes.

ML and minres are minimized over the uniquenesses alone, with exact gradients and Hessians from one
eigendecomposition per step.

References
----------
Lawley, D. N., Maxwell, A. E. (1971). Factor analysis as a statistical method. Butterworths.
Clarke, M. R. B. (1970). A rapidly convergent method for maximum-likelihood factor analysis.
    British Journal of Mathematical and Statistical Psychology 23, 43-52.
Harman, H. H., Jones, W. H. (1966). Factor analysis by minimizing residuals (minres).
    Psychometrika 31, 351-368.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from gfactor.errors import UnknownNameError
from gfactor.psychometrics.float_arrays import inv

LEAST_UNIQUENESS = 0.005
"""Smallest uniqueness, as in R's factanal; a uniqueness at this bound is a Heywood case."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FactorExtraction:
    """Unrotated factors: loadings (p, m), uniquenesses (p,), and the end of the search.

    `gradient` is the largest absolute derivative over uniquenesses that are not at the bound (for
    principal axes the last change of a communality); `bounded` is True for those at the bound.
    """

    loadings: Array
    uniquenesses: Array
    bounded: NDArray[np.bool_]
    gradient: float
    iterations: int
    converged: bool


def extract(
    r: Array, factors: int, method: str = "ml", tolerance: float = 1e-9, iterations: int = 2000
) -> FactorExtraction:
    """Extract factors of a correlation matrix, unrotated.

    Parameters
    ----------
    r : Array
        Correlations, (p, p), with an inverse.
    factors : int
        Number of factors.
    method : str
        "ml", "minres" or "pa".
    tolerance : float
        Limit of the gradient at the end; for "pa" of the change of the sum of the communalities
        between iterations (psych stops at 1e-3).
    iterations : int
        Largest number of iterations, for "pa".

    Returns
    -------
    FactorExtraction
        Loadings, uniquenesses, and whether the search converged.

    Raises
    ------
    UnknownNameError
        For another method.

    Examples
    --------
    >>> import numpy as np
    >>> r = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
    >>> from gfactor.psychometrics.factor.exploratory import extract
    >>> abs(extract(r, 1).loadings[:, 0]).round(3).tolist()
    [0.707, 0.707, 0.707]
    """
    if method not in METHODS:
        raise UnknownNameError("method of extraction", method, METHODS)
    if method == "pa":
        return _principal_axes(r, factors, tolerance, iterations)
    return _by_uniquenesses(r, factors, METHODS[method], tolerance)


def squared_multiple_correlations(r: Array) -> Array:
    """Return every variable's squared multiple correlation with all others; `r` has an inverse."""
    return 1 - 1 / np.diag(inv(r))


def _ml(x: Array, r: Array, m: int) -> tuple[float, Array, Array, Array]:
    """Discrepancy, gradient, Hessian and loadings at x = log uniquenesses."""
    root = np.exp(x / 2)
    values, vectors = np.linalg.eigh(r / np.outer(root, root))
    rest, v = values[:-m], vectors[:, :-m]
    top, u = values[-m:], vectors[:, -m:]
    value = float((rest - np.log(rest) - 1).sum())
    gradient = (v**2) @ (1 - rest)
    both = (rest[:, None] + rest[None, :]) / 2
    cross = (1 - rest)[:, None] * (rest[:, None] + top) / (top - rest[:, None])
    hessian = _quartic(v, v, both) + _quartic(v, u, cross)
    return value, gradient, hessian, root[:, None] * u * np.sqrt(np.maximum(top - 1, 0))


def _minres(x: Array, r: Array, m: int) -> tuple[float, Array, Array, Array]:
    """Half the sum of squared residuals, gradient, Hessian and loadings at x = uniquenesses."""
    values, vectors = np.linalg.eigh(r - np.diag(x))
    rest, v = values[:-m], vectors[:, :-m]
    top, u = values[-m:], vectors[:, -m:]
    value = float((rest**2).sum() / 2)
    gradient = -(v**2) @ rest
    cross = -2 * rest[:, None] / (top - rest[:, None])
    hessian = _quartic(v, v, np.ones((len(rest), len(rest)))) + _quartic(v, u, cross)
    return value, gradient, hessian, np.asarray(u * np.sqrt(np.maximum(top, 0)), float)


def _quartic(v: Array, u: Array, weights: Array) -> Array:
    """sum over a, b of weights[a, b] v[i, a] u[i, b] v[j, a] u[j, b]."""
    products = (v[:, :, None] * u[:, None, :]).reshape(len(v), -1)
    return (products * weights.ravel()) @ products.T


@dataclass(frozen=True)
class _UniquenessSearch:
    """A discrepancy over transformed uniquenesses, and the transformation and its inverse."""

    discrepancy: Callable[[Array, Array, int], tuple[float, Array, Array, Array]]
    there: Callable[[Array], Array]
    back: Callable[[Array], Array]


METHODS: dict[str, Any] = {
    "ml": _UniquenessSearch(_ml, np.log, np.exp),
    "minres": _UniquenessSearch(_minres, np.asarray, np.asarray),
    "pa": None,
}


def _by_uniquenesses(
    r: Array, m: int, search: _UniquenessSearch, tolerance: float
) -> FactorExtraction:
    p = len(r)
    low = float(search.there(np.array(LEAST_UNIQUENESS)))
    high = float(search.there(np.array(1.0)))
    # Start of Lawley and Maxwell: unique variances reduced by the share of factors.
    start = (1 - 0.5 * m / p) / np.diag(inv(r))
    x = search.there(np.clip(np.asarray(start, float), LEAST_UNIQUENESS, 1))
    optimum = optimize.minimize(
        lambda at: search.discrepancy(at, r, m)[:2],
        x,
        jac=True,
        method="L-BFGS-B",
        bounds=[(low, high)] * p,
        options={"maxiter": 2000, "ftol": 1e-13, "gtol": 1e-7},
    )
    x = np.asarray(optimum.x, float)
    x, steps = _newton(x, r, m, search, low, tolerance)
    _, gradient, _, loadings = search.discrepancy(x, r, m)
    bounded = (x <= low) & (gradient >= 0)
    largest = float(np.abs(gradient[~bounded]).max(initial=0))
    return FactorExtraction(
        loadings[:, ::-1], search.back(x), bounded, largest, optimum.nit + steps, largest < 1e-6
    )


def _newton(
    x: Array, r: Array, m: int, search: _UniquenessSearch, low: float, tolerance: float
) -> tuple[Array, int]:
    """Minimize by Newton's method over the uniquenesses that are not fixed at their bound."""
    for step in range(30):
        value, gradient, hessian, _ = search.discrepancy(x, r, m)
        free = ~((x <= low) & (gradient >= 0))
        if np.abs(gradient[free]).max(initial=0) < tolerance:
            return x, step
        values, vectors = np.linalg.eigh(hessian[np.ix_(free, free)])
        # Zero and negative curvatures are replaced by their size, so that the step is a descent.
        values = np.maximum(np.abs(values), 1e-8)
        move = np.zeros_like(x)
        move[free] = -vectors @ ((vectors.T @ gradient[free]) / values)
        for scale in 0.5 ** np.arange(12):
            tried = np.maximum(x + scale * move, low)
            if search.discrepancy(tried, r, m)[0] <= value + 1e-15 * max(1.0, abs(value)):
                break
        else:
            return x, step
        x = tried
    return x, 30


def _principal_axes(r: Array, m: int, tolerance: float, iterations: int) -> FactorExtraction:
    communalities = squared_multiple_correlations(r)
    reduced, change, count = r.copy(), np.inf, 0
    np.fill_diagonal(reduced, communalities)
    loadings = np.zeros((len(r), m))
    while change > tolerance and count < iterations:
        values, vectors = np.linalg.eigh(reduced)
        loadings = (vectors[:, -m:] * np.sqrt(np.maximum(values[-m:], 0)))[:, ::-1]
        new = (loadings**2).sum(axis=1)
        change = abs(float(new.sum() - communalities.sum()))
        communalities, count = new, count + 1
        np.fill_diagonal(reduced, new)
    over = communalities > 1 - LEAST_UNIQUENESS
    return FactorExtraction(loadings, 1 - communalities, over, change, count, change <= tolerance)
