"""Interface of an estimator to the optimizer, the information matrices and the tests."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from gfactor.psychometrics.sem.model import Point


class Discrepancy(Protocol):
    """The distance of a model's moments from a sample's, lavaan's `fmin`.

    Value, gradient and both Hessians are on one scale: half the usual F, with each group weighted
    by its share of the cases, so that the chi-square is `2 * n * value` and the Hessian is the
    information of one case.
    A `Point` holds the implied moments and their derivatives at a parameter vector; a new kind
    of data needs a discrepancy and, if its moments are not means and covariances, a class of
    points of its own.
    """

    def at(self, theta: np.ndarray) -> Point:
        """Return the model at a parameter vector, for the other four methods."""
        ...

    def value(self, point: Point) -> float:
        """Return the distance; infinite if it is not defined (Sigma not positive definite)."""
        ...

    def gradient(self, point: Point) -> np.ndarray:
        """Shape (n_free,)."""
        ...

    def expected(self, point: Point) -> np.ndarray:
        """Return the expected Hessian (Fisher information of one case), positive semidefinite."""
        ...

    def hessian(self, point: Point) -> np.ndarray:
        """Return the exact Hessian (observed information of one case)."""
        ...
