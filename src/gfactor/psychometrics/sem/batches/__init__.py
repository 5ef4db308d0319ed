"""One model fitted to many samples at once, in batches of linear algebra."""

from gfactor.psychometrics.sem.batches.fits import batchable, fit_many, standard_errors
from gfactor.psychometrics.sem.batches.moments import (
    GroupMoments,
    Moments,
    group_moments,
    joined,
    sampled_moments,
    weighted_moments,
)
from gfactor.psychometrics.sem.batches.one_by_one import fit_each
from gfactor.psychometrics.sem.batches.outcome import (
    FAILED,
    IMPROPER,
    INFINITE,
    PROPER,
    ManyFits,
)

__all__ = [
    "FAILED",
    "IMPROPER",
    "INFINITE",
    "PROPER",
    "GroupMoments",
    "ManyFits",
    "Moments",
    "batchable",
    "fit_each",
    "fit_many",
    "group_moments",
    "joined",
    "sampled_moments",
    "standard_errors",
    "weighted_moments",
]
