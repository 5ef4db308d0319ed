"""Item response theory: how hard an item is, for whom, and what a person's ability is."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.likelihood.marginal import Quadrature
from gfactor.psychometrics.irt.request import MODELS, Request
from gfactor.psychometrics.irt.result import IRTFit

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.adaptive.cat import Cat
    from gfactor.psychometrics.irt.adaptive.questplus import QuestPlus

__all__ = ["MODELS", "Cat", "IRTFit", "Quadrature", "QuestPlus", "Request", "fit_irt"]

__getattr__, __dir__ = lazy_names(
    __name__, {"adaptive.cat": ("Cat",), "adaptive.questplus": ("QuestPlus",)}
)
