"""Item response theory: how hard an item is, for whom, and what a person's ability is."""

from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.marginal import Quadrature
from gfactor.psychometrics.irt.request import MODELS, Request
from gfactor.psychometrics.irt.result import IRTFit

__all__ = ["MODELS", "IRTFit", "Quadrature", "Request", "fit_irt"]
