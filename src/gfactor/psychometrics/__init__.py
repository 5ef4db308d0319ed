"""What was measured: uncertainty of accuracies, thresholds of size, reliability of scores.

A library of its own: it knows numpy, scipy and pandas, and nothing of items, journals or models.
"""

from gfactor.psychometrics.diagnostic import Diagnostic, gravest_first
from gfactor.psychometrics.differences import Difference, Differences, all_pairs, difference
from gfactor.psychometrics.multiplicity import (
    benjamini_hochberg,
    benjamini_yekutieli,
    holm,
    holm_directional,
)
from gfactor.psychometrics.psychophysics import CurveFits, accuracy_at, fit_curves
from gfactor.psychometrics.ranks import RankSets, rank_sets
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
    "Diagnostic",
    "Difference",
    "Differences",
    "Estimate",
    "RankSets",
    "Reliability",
    "accuracy_at",
    "all_pairs",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "cluster_bootstrap",
    "cluster_t",
    "cluster_t_counts",
    "cronbach_alpha",
    "difference",
    "feldt_interval",
    "fit_curves",
    "gravest_first",
    "holm",
    "holm_directional",
    "jeffreys",
    "paired_bootstrap",
    "rank_sets",
    "reliability",
    "split_half",
    "wilson",
]
