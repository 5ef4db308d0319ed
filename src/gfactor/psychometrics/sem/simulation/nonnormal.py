"""Samples with given covariances, skewness and kurtosis.

References
----------
Fleishman, A. I. (1978). A method for simulating non-normal distributions. Psychometrika 43.
Vale, C. D., Maurelli, V. A. (1983). Simulating multivariate nonnormal distributions.
    Psychometrika 48, 465-471.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import fsolve

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import cholesky, eigvalsh


def fleishman(skewness: float, kurtosis: float) -> tuple[float, float, float]:
    """Return b, c, d of y = -c + b z + c z^2 + d z^3 with variance one, for z standard normal.

    Parameters
    ----------
    kurtosis: kurtosis in excess of the normal distribution's.

    Raises
    ------
    ParameterError: no such polynomial exists (roughly, kurtosis below 1.6 skewness^2 - 1.2).
    """

    def away(x: np.ndarray) -> list[float]:
        b, c, d = x
        return [
            b * b + 6 * b * d + 2 * c * c + 15 * d * d - 1,
            2 * c * (b * b + 24 * b * d + 105 * d * d + 2) - skewness,
            24
            * (
                b * d
                + c * c * (1 + b * b + 28 * b * d)
                + d * d * (12 + 48 * b * d + 141 * c * c + 225 * d * d)
            )
            - kurtosis,
        ]

    for start in ((1.0, skewness / 6, 0.0), (0.8, skewness / 4, 0.05), (0.6, skewness / 3, 0.1),
                  (1.1, skewness / 8, -0.05), (0.4, skewness / 3, 0.2)):  # fmt: skip
        solution, _, status, _ = fsolve(away, np.array(start), full_output=True, xtol=1e-13)
        if status == 1 and np.abs(away(solution)).max() < 1e-9:
            b, c, d = (float(one) for one in solution)
            return b, c, d
    raise ParameterError(
        f"no cubic transformation of a normal variable has skewness {skewness:g} and excess "
        f"kurtosis {kurtosis:g}; kurtosis must be above about {1.6 * skewness**2 - 1.2:.2f}."
    )


@dataclass(frozen=True)
class Distortion:
    """Polynomials that turn normal variables into non-normal ones with a given correlation matrix.

    Parameters
    ----------
    polynomials: b, c, d of each variable, shape (p, 3).
    root: a root of the correlation matrix that the normal variables must have, shape (p, p).
    """

    polynomials: np.ndarray
    root: np.ndarray

    def apply(self, noise: np.ndarray) -> np.ndarray:
        """Transform independent normal deviates (..., p) to standardized non-normal variables."""
        z = noise @ self.root.T
        b, c, d = self.polynomials.T
        return -c + z * (b + z * (c + z * d))


def distortion(
    correlation: np.ndarray, skewness: np.ndarray, kurtosis: np.ndarray, names: tuple[str, ...]
) -> Distortion:
    """Return Vale and Maurelli's intermediate correlations.

    Raises
    ------
    ParameterError: a marginal distribution or the correlations that go with it do not exist.
    """
    by_moments: dict[tuple[float, float], tuple[float, float, float]] = {}
    for pair in zip(skewness.tolist(), kurtosis.tolist(), strict=True):
        if pair not in by_moments:
            by_moments[pair] = fleishman(*pair)
    coefficients = np.array(
        [by_moments[p] for p in zip(skewness.tolist(), kurtosis.tolist(), strict=True)]
    )
    b, c, d = coefficients.T
    linear: np.ndarray = np.outer(b, b) + 3 * (np.outer(b, d) + np.outer(d, b)) + 9 * np.outer(d, d)
    square: np.ndarray = 2 * np.outer(c, c)
    cube: np.ndarray = 6 * np.outer(d, d)
    r: np.ndarray = np.clip(correlation, -0.999, 0.999)
    for _ in range(60):
        value: np.ndarray = r * (linear + r * (square + r * cube)) - correlation
        slope: np.ndarray = linear + r * (2 * square + 3 * r * cube)
        r = np.clip(r - value / np.where(np.abs(slope) > 0.05, slope, 0.05), -1, 1)
    np.fill_diagonal(r, 1.0)
    off = np.abs(r * (linear + r * (square + r * cube)) - correlation)
    if off.max() > 1e-8:
        i, j = np.unravel_index(int(off.argmax()), off.shape)
        raise ParameterError(
            f"{names[int(i)]} and {names[int(j)]} cannot correlate {correlation[i, j]:.2f} with "
            "such skewness and kurtosis; make them more alike or less extreme."
        )
    values = eigvalsh(r)
    if values[0] <= 0:
        raise ParameterError(
            "the normal variables behind these non-normal ones would need a correlation matrix "
            f"that is not positive definite (smallest eigenvalue {values[0]:.2g}); make skewness "
            "and kurtosis less extreme."
        )
    return Distortion(coefficients, cholesky(r))
