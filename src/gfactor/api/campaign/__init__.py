"""Campaigns: models x conditions x banks under one budget: `gf.campaign.plan`, `run` ..."""

from gfactor.api.campaign.live import view
from gfactor.api.campaign.looking import plan, status
from gfactor.api.campaign.reporting import CampaignPlan, CampaignStatus
from gfactor.api.campaign.running import run

__all__ = ["CampaignPlan", "CampaignStatus", "plan", "run", "status", "view"]
