"""Bootstrap of fitted models."""

from gfactor.psychometrics.sem.bootstrap.analysis import bootstrap
from gfactor.psychometrics.sem.bootstrap.hook import resampled
from gfactor.psychometrics.sem.bootstrap.intervals import METHODS, Method
from gfactor.psychometrics.sem.bootstrap.resamples import KINDS, Kind
from gfactor.psychometrics.sem.bootstrap.result import Bootstrap

__all__ = ["KINDS", "METHODS", "Bootstrap", "Kind", "Method", "bootstrap", "resampled"]
