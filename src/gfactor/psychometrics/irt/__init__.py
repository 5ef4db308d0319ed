"""Item response theory: how hard an item is, for whom, and what a person's ability is."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.adaptive.cat import Cat as Cat
    from gfactor.psychometrics.irt.adaptive.questplus import QuestPlus as QuestPlus
    from gfactor.psychometrics.irt.fit import fit_irt as fit_irt
    from gfactor.psychometrics.irt.likelihood.marginal import Quadrature as Quadrature
    from gfactor.psychometrics.irt.request import MODELS as MODELS
    from gfactor.psychometrics.irt.request import Request as Request
    from gfactor.psychometrics.irt.result import IRTFit as IRTFit
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
