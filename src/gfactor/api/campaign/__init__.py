"""Campaigns: models x conditions x banks under one budget: `gf.campaign.plan`, `run`, `status`."""

from gfactor.api.campaign.asking import plan, run, status
from gfactor.api.campaign.reporting import CampaignPlan, CampaignStatus

__all__ = ["CampaignPlan", "CampaignStatus", "plan", "run", "status"]
