"""Psychometric methods: uncertainty of accuracies, thresholds of size, reliability of scores.

It is a separate library: it imports numpy, scipy and pandas, and no other room of gfactor. Names
are loaded when they are first used, so that an interval does not wait for path models.
"""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.psychometrics.classical.consistency import Reliability as Reliability
    from gfactor.psychometrics.classical.consistency import cronbach_alpha as cronbach_alpha
    from gfactor.psychometrics.classical.consistency import feldt_interval as feldt_interval
    from gfactor.psychometrics.classical.consistency import reliability as reliability
    from gfactor.psychometrics.classical.consistency import split_half as split_half
    from gfactor.psychometrics.diagnostic import Diagnostic as Diagnostic
    from gfactor.psychometrics.diagnostic import by_severity as by_severity
    from gfactor.psychometrics.inference.claim import CLAIMS as CLAIMS
    from gfactor.psychometrics.inference.claim import Means as Means
    from gfactor.psychometrics.inference.claim import Sampling as Sampling
    from gfactor.psychometrics.inference.claim import claim_in_words as claim_in_words
    from gfactor.psychometrics.inference.claim import group_means as group_means
    from gfactor.psychometrics.inference.differences import Difference as Difference
    from gfactor.psychometrics.inference.differences import Differences as Differences
    from gfactor.psychometrics.inference.differences import all_pairs as all_pairs
    from gfactor.psychometrics.inference.differences import difference as difference
    from gfactor.psychometrics.inference.intervals import Estimate as Estimate
    from gfactor.psychometrics.inference.intervals import cluster_bootstrap as cluster_bootstrap
    from gfactor.psychometrics.inference.intervals import cluster_t as cluster_t
    from gfactor.psychometrics.inference.intervals import cluster_t_counts as cluster_t_counts
    from gfactor.psychometrics.inference.intervals import jeffreys as jeffreys
    from gfactor.psychometrics.inference.intervals import paired_bootstrap as paired_bootstrap
    from gfactor.psychometrics.inference.intervals import wilson as wilson
    from gfactor.psychometrics.inference.multiplicity import (
        benjamini_hochberg as benjamini_hochberg,
    )
    from gfactor.psychometrics.inference.multiplicity import (
        benjamini_yekutieli as benjamini_yekutieli,
    )
    from gfactor.psychometrics.inference.multiplicity import holm as holm
    from gfactor.psychometrics.inference.multiplicity import holm_directional as holm_directional
    from gfactor.psychometrics.inference.ranks import RankSets as RankSets
    from gfactor.psychometrics.inference.ranks import rank_sets as rank_sets
    from gfactor.psychometrics.pls import PLSBootstrap as PLSBootstrap
    from gfactor.psychometrics.pls import PLSFit as PLSFit
    from gfactor.psychometrics.pls import PLSGroups as PLSGroups
    from gfactor.psychometrics.pls import PLSModel as PLSModel
    from gfactor.psychometrics.pls import PLSPrediction as PLSPrediction
    from gfactor.psychometrics.pls import PLSPredictiveAbility as PLSPredictiveAbility
    from gfactor.psychometrics.pls import bootstrap_pls as bootstrap_pls
    from gfactor.psychometrics.pls import compare_groups_pls as compare_groups_pls
    from gfactor.psychometrics.pls import cvpat as cvpat
    from gfactor.psychometrics.pls import fit_pls as fit_pls
    from gfactor.psychometrics.pls import parse_pls as parse_pls
    from gfactor.psychometrics.pls import predict_pls as predict_pls
    from gfactor.psychometrics.psychophysics.fits import CurveFits as CurveFits
    from gfactor.psychometrics.psychophysics.fits import accuracy_at as accuracy_at
    from gfactor.psychometrics.psychophysics.fits import fit_curves as fit_curves
    from gfactor.psychometrics.validity.assess import DiscriminantValidity as DiscriminantValidity
    from gfactor.psychometrics.validity.assess import discriminant_validity as discriminant_validity
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
