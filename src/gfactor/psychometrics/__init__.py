"""Psychometric methods: uncertainty of accuracies, thresholds of size, reliability of scores.

It is a separate library: it imports numpy, scipy and pandas, and no other room of gfactor. Names
are loaded when they are first used, so that an interval does not wait for path models.
"""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names
from gfactor.psychometrics.classical.consistency import (
    Reliability,
    cronbach_alpha,
    feldt_interval,
    reliability,
    split_half,
)
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity

if TYPE_CHECKING:
    from gfactor.psychometrics.inference.claim import (
        CLAIMS,
        Means,
        Sampling,
        claim_in_words,
        group_means,
    )
    from gfactor.psychometrics.inference.differences import (
        Difference,
        Differences,
        all_pairs,
        difference,
    )
    from gfactor.psychometrics.inference.intervals import (
        Estimate,
        cluster_bootstrap,
        cluster_t,
        cluster_t_counts,
        jeffreys,
        paired_bootstrap,
        wilson,
    )
    from gfactor.psychometrics.inference.multiplicity import (
        benjamini_hochberg,
        benjamini_yekutieli,
        holm,
        holm_directional,
    )
    from gfactor.psychometrics.inference.ranks import RankSets, rank_sets
    from gfactor.psychometrics.pls import (
        PLSBootstrap,
        PLSFit,
        PLSGroups,
        PLSModel,
        PLSPrediction,
        PLSPredictiveAbility,
        bootstrap_pls,
        compare_groups_pls,
        cvpat,
        fit_pls,
        parse_pls,
        predict_pls,
    )
    from gfactor.psychometrics.psychophysics.fits import CurveFits, accuracy_at, fit_curves
    from gfactor.psychometrics.validity.assess import DiscriminantValidity, discriminant_validity

__all__ = [
    "CLAIMS",
    "CurveFits",
    "Diagnostic",
    "Difference",
    "Differences",
    "DiscriminantValidity",
    "Estimate",
    "Means",
    "PLSBootstrap",
    "PLSFit",
    "PLSGroups",
    "PLSModel",
    "PLSPrediction",
    "PLSPredictiveAbility",
    "RankSets",
    "Reliability",
    "Sampling",
    "accuracy_at",
    "all_pairs",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "bootstrap_pls",
    "compare_groups_pls",
    "claim_in_words",
    "cluster_bootstrap",
    "cluster_t",
    "cluster_t_counts",
    "cronbach_alpha",
    "cvpat",
    "difference",
    "discriminant_validity",
    "feldt_interval",
    "fit_curves",
    "fit_pls",
    "group_means",
    "by_severity",
    "holm",
    "holm_directional",
    "jeffreys",
    "paired_bootstrap",
    "parse_pls",
    "predict_pls",
    "rank_sets",
    "reliability",
    "split_half",
    "wilson",
]

_MODULES = {
    "inference.claim": ("CLAIMS", "Means", "Sampling", "claim_in_words", "group_means"),
    "inference.differences": ("Difference", "Differences", "all_pairs", "difference"),
    "inference.intervals": (
        "Estimate", "cluster_bootstrap", "cluster_t", "cluster_t_counts", "jeffreys",
        "paired_bootstrap", "wilson",
    ),
    "inference.multiplicity": (
        "benjamini_hochberg", "benjamini_yekutieli", "holm", "holm_directional",
    ),
    "inference.ranks": ("RankSets", "rank_sets"),
    "pls": (
        "PLSBootstrap", "PLSFit", "PLSGroups", "PLSModel", "PLSPrediction", "PLSPredictiveAbility",
        "bootstrap_pls", "compare_groups_pls", "cvpat", "fit_pls", "parse_pls", "predict_pls",
    ),
    "psychophysics.fits": ("CurveFits", "accuracy_at", "fit_curves"),
    "validity.assess": ("DiscriminantValidity", "discriminant_validity"),
}  # fmt: skip

__getattr__, __dir__ = lazy_names(__name__, _MODULES)
