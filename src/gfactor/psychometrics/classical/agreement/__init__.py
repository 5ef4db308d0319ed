"""Agreement of raters: Krippendorff's alpha, Cohen's and Fleiss' kappa, with intervals."""

from gfactor.psychometrics.classical.agreement.consensus import Consensus, dawid_skene
from gfactor.psychometrics.classical.agreement.kappa import cohen_kappa, fleiss_kappa
from gfactor.psychometrics.classical.agreement.krippendorff import LEVELS, krippendorff_alpha
from gfactor.psychometrics.classical.agreement.ratings import Agreement, Ratings

__all__ = [
    "LEVELS",
    "Agreement",
    "Consensus",
    "Ratings",
    "cohen_kappa",
    "dawid_skene",
    "fleiss_kappa",
    "krippendorff_alpha",
]
