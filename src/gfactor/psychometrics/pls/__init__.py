"""PLS path modelling on correlation matrices, in batches.

Use `fit_pls` for an analysis; `estimate` and `Design` are for code that fits many times.
"""

from gfactor.psychometrics.pls.ability import PLSPredictiveAbility, cvpat
from gfactor.psychometrics.pls.bootstrap import PLSBootstrap, bootstrap_pls
from gfactor.psychometrics.pls.correction import consistent, rho_a
from gfactor.psychometrics.pls.data import ModelColumns, table_of
from gfactor.psychometrics.pls.design import Design
from gfactor.psychometrics.pls.fit import fit_pls
from gfactor.psychometrics.pls.iteration import Estimates, estimate
from gfactor.psychometrics.pls.model import Construct, PLSModel
from gfactor.psychometrics.pls.moments import correlation, counts_of, resampled_correlations
from gfactor.psychometrics.pls.permutation import PLSGroups, compare_groups_pls
from gfactor.psychometrics.pls.predict import PLSPrediction, predict_pls
from gfactor.psychometrics.pls.result import PLSFit
from gfactor.psychometrics.pls.syntax import parse_pls

__all__ = [
    "Construct",
    "Design",
    "Estimates",
    "PLSBootstrap",
    "PLSFit",
    "PLSGroups",
    "PLSModel",
    "PLSPrediction",
    "ModelColumns",
    "bootstrap_pls",
    "PLSPredictiveAbility",
    "compare_groups_pls",
    "cvpat",
    "consistent",
    "correlation",
    "counts_of",
    "estimate",
    "fit_pls",
    "parse_pls",
    "predict_pls",
    "resampled_correlations",
    "rho_a",
    "table_of",
]
