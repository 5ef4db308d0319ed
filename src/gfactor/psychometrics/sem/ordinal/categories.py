"""Scores of ordinal variables: categories numbered in steps of one, and how they covary.

Reference: Green, S. B., Yang, Y. (2009). Reliability of summed item scores using structural
equation modeling: an alternative to coefficient alpha. Psychometrika 74, 155-167.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from gfactor.psychometrics.sem.ordinal.bivariate import bivariate_normal_cdf
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CategoryScores:
    """Number of thresholds that a response exceeds, for every ordinal variable.

    Parameters
    ----------
    thresholds: thresholds of standardized responses, all variables in a row.
    owner: variable of each threshold.
    sd: standard deviations of the responses, shape (p,).
    """

    thresholds: Array
    owner: NDArray[np.intp]
    sd: Array

    @staticmethod
    def of(point: OrdinalGroupPoint) -> CategoryScores:
        """Return the scores of the responses over all cases (`OrdinalGroupPoint.marginal`)."""
        ordinal = point.ordinal
        sd = np.sqrt(np.maximum(np.diag(point.sigma), 1e-300))
        mean = point.center
        ordered = ordinal.ordered[ordinal.owner]
        owner = ordinal.owner[ordered]
        return CategoryScores((point.thresholds[ordered] - mean[owner]) / sd[owner], owner, sd)

    def covariances(self, responses: Array, whole: bool) -> Array:
        """Return the covariances of the scores, shape (p, p), if the responses (or their common
        parts) have these covariances; zeros at continuous variables.

        With `whole` the diagonal has the variances of the scores; else the covariances of two
        answers to the same item that share only the common part.
        """
        rho = responses / np.outer(self.sd, self.sd)
        if whole:
            np.fill_diagonal(rho, 1.0)
        a, b = np.meshgrid(np.arange(len(self.owner)), np.arange(len(self.owner)), indexing="ij")
        upper = a <= b
        first, second = a[upper], b[upper]
        h, k = self.thresholds[first], self.thresholds[second]
        pair = np.clip(rho[self.owner[first], self.owner[second]], -1.0, 1.0)
        joint = np.where(np.isfinite(pair), 0.0, np.nan)
        some = np.isfinite(pair) & (pair != 0)
        h, k = h[some], k[some]
        joint[some] = bivariate_normal_cdf(h, k, pair[some]) - ndtr(h) * ndtr(k)
        p = len(self.sd)
        out = np.zeros((p, p))
        np.add.at(out, (self.owner[first], self.owner[second]), joint)
        apart = first != second
        np.add.at(out, (self.owner[second[apart]], self.owner[first[apart]]), joint[apart])
        return out
