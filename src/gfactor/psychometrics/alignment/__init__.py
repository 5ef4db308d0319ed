"""Alignment: do scores follow a criterion from outside, and do two scores rank models alike?"""

from gfactor.psychometrics.alignment.coefficients import (
    Coefficient,
    CorrelationDifference,
    coefficient,
    correlation_difference,
    ranges,
    rank_agreement,
    standardized_mean,
)
from gfactor.psychometrics.alignment.correlation import Alignment, align
from gfactor.psychometrics.alignment.criterion import (
    Criterion,
    CriterionOverlap,
    criterion_from_table,
    overlap,
)

__all__ = [
    "Alignment",
    "Coefficient",
    "CorrelationDifference",
    "Criterion",
    "CriterionOverlap",
    "align",
    "coefficient",
    "correlation_difference",
    "criterion_from_table",
    "overlap",
    "ranges",
    "rank_agreement",
    "standardized_mean",
]
