"""Bootstrap of fitted models."""

from gfactor.psychometrics.sem.bootstrapping.analysis import bootstrap
from gfactor.psychometrics.sem.bootstrapping.intervals import METHODS, Method
from gfactor.psychometrics.sem.bootstrapping.resamples import KINDS, Kind
from gfactor.psychometrics.sem.bootstrapping.result import Bootstrap

__all__ = ["KINDS", "METHODS", "Bootstrap", "Kind", "Method", "bootstrap"]
