"""Planning: how many items, occasions, prompts, models an aim needs, and what they cost."""

from gfactor.psychometrics.planning.aims import Aim, Simulated
from gfactor.psychometrics.planning.components import Components
from gfactor.psychometrics.planning.inflation_aim import InflationAim
from gfactor.psychometrics.planning.models import Ability, Alpha, Fit, Threshold
from gfactor.psychometrics.planning.rank_aim import Ranks
from gfactor.psychometrics.planning.result import Costs, Plan, make_plan
from gfactor.psychometrics.planning.scores import Coefficient, Difference, StandardError

__all__ = [
    "Ability",
    "Aim",
    "Alpha",
    "Coefficient",
    "Components",
    "Costs",
    "Difference",
    "Fit",
    "InflationAim",
    "Plan",
    "Ranks",
    "Simulated",
    "StandardError",
    "Threshold",
    "make_plan",
]
