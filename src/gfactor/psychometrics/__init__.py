"""What was measured: uncertainty of accuracies, thresholds of size, reliability of scores.

A library of its own: it knows numpy, scipy and pandas, and nothing of items, journals or models.
"""

from gfactor.psychometrics.psychophysics import CurveFits, accuracy_at, fit_curves
from gfactor.psychometrics.reliability import (
    Reliability,
    cronbach_alpha,
    feldt_interval,
    reliability,
    split_half,
)
from gfactor.psychometrics.uncertainty import (
    Estimate,
    cluster_bootstrap,
    cluster_t,
    cluster_t_counts,
    jeffreys,
    paired_bootstrap,
    wilson,
)

__all__ = [
    "CurveFits",
    "Estimate",
    "Reliability",
    "accuracy_at",
    "cluster_bootstrap",
    "cluster_t",
    "cluster_t_counts",
    "cronbach_alpha",
    "feldt_interval",
    "fit_curves",
    "jeffreys",
    "paired_bootstrap",
    "reliability",
    "split_half",
    "wilson",
]
