"""Factor scores from a parameter set.

References
----------
Thurstone, L. L. (1935). The vectors of mind. University of Chicago Press. (Regression scores.)
Bartlett, M. S. (1937). The statistical conception of mental factors. British Journal of Psychology
    28, 97-104.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.replications.m3gia.published import ParameterSet

Method = Literal["regression", "bartlett"]


def score_weights(parameters: ParameterSet, method: Method = "regression") -> NDArray[np.float64]:
    """Weights factors x indicators; a score is weights @ (x - means).

    Regression: Psi Lambda' Sigma^-1. Bartlett: (Lambda' Theta^-1 Lambda)^-1 Lambda' Theta^-1, which
    means nothing where a residual variance is negative. ParameterError where a matrix is singular.
    """
    loadings = parameters.loadings
    try:
        if method == "regression":
            crossed = loadings @ parameters.factor_covariances
            return np.asarray(np.linalg.solve(parameters.implied, crossed).T, np.float64)
        weighted = np.linalg.solve(parameters.residuals, loadings)
        return np.asarray(np.linalg.solve(loadings.T @ weighted, weighted.T), np.float64)
    except np.linalg.LinAlgError as error:
        raise ParameterError(
            f"no {method} scores: a matrix of the {parameters.language} parameters is singular"
        ) from error


def factor_scores(
    parameters: ParameterSet, x: NDArray[np.float64], method: Method = "regression"
) -> NDArray[np.float64]:
    """Scores n x factors of rows in the order of the parameters' indicators."""
    return (x - parameters.means) @ score_weights(parameters, method).T
