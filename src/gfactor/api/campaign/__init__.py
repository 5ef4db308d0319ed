"""Campaigns: models x conditions x banks under one budget: `gf.campaign.plan`, `run` ..."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.api.campaign.live import view
    from gfactor.api.campaign.looking import plan, status
    from gfactor.api.campaign.reporting import CampaignPlan, CampaignStatus
    from gfactor.api.campaign.running import run

__all__ = ["CampaignPlan", "CampaignStatus", "plan", "run", "status", "view"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "live": ("view",),
        "looking": ("plan", "status"),
        "reporting": ("CampaignPlan", "CampaignStatus"),
        "running": ("run",),
    },
)
