"""Campaigns: models x conditions x banks under one budget: `gf.campaign.plan`, `run` ..."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.api.campaign.live import view as view
    from gfactor.api.campaign.looking import plan as plan
    from gfactor.api.campaign.looking import status as status
    from gfactor.api.campaign.reporting import CampaignPlan as CampaignPlan
    from gfactor.api.campaign.reporting import CampaignStatus as CampaignStatus
    from gfactor.api.campaign.running import run as run
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
