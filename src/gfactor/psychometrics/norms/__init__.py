"""Norms: the position of a score among people, with the errors of the people and of the score."""

from gfactor.psychometrics.norms.estimation import Norms, norm_scores
from gfactor.psychometrics.norms.files import read_norms, write_norms
from gfactor.psychometrics.norms.standing import MIN_N, NormCell, Standing

__all__ = ["MIN_N", "NormCell", "Norms", "Standing", "norm_scores", "read_norms", "write_norms"]
