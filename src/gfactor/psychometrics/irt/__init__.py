"""Item response theory: how hard an item is, for whom, and what a person's ability is."""

from gfactor.psychometrics.irt.building import MODELS, Request
from gfactor.psychometrics.irt.fit import IRTFit, fit_irt
from gfactor.psychometrics.irt.marginal import Quadrature

__all__ = ["MODELS", "IRTFit", "Quadrature", "Request", "fit_irt"]
