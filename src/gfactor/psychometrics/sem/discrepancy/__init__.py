"""Estimators as distances between a model's moments and a sample's."""

from gfactor.psychometrics.sem.discrepancy.least_squares import (
    DiagonalWeight,
    LeastSquares,
    Weight,
    WeightedMoments,
    moment_vector,
    normal_weight,
)
from gfactor.psychometrics.sem.discrepancy.normal import NormalLikelihood, information_at
from gfactor.psychometrics.sem.discrepancy.protocol import Discrepancy

__all__ = [
    "DiagonalWeight",
    "Discrepancy",
    "LeastSquares",
    "NormalLikelihood",
    "Weight",
    "WeightedMoments",
    "information_at",
    "moment_vector",
    "normal_weight",
]
