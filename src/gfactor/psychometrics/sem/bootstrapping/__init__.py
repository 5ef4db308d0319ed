"""Bootstrap of fitted models."""

from gfactor.psychometrics.inference.resampling import METHODS, Method
from gfactor.psychometrics.sem.bootstrapping.analysis import bootstrap
from gfactor.psychometrics.sem.bootstrapping.resamples import KINDS, Kind
from gfactor.psychometrics.sem.bootstrapping.result import FitBootstrap

__all__ = ["KINDS", "METHODS", "FitBootstrap", "Kind", "Method", "bootstrap"]
