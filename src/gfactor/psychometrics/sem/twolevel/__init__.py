"""Two-level models: cases in clusters, with a model within clusters and one between them."""

from gfactor.psychometrics.sem.twolevel.fit import TwoLevelFit, fit_two_level
from gfactor.psychometrics.sem.twolevel.likelihood import TwoLevelLikelihood
from gfactor.psychometrics.sem.twolevel.sample import Clusters, clusters_of

__all__ = ["Clusters", "TwoLevelFit", "TwoLevelLikelihood", "clusters_of", "fit_two_level"]
