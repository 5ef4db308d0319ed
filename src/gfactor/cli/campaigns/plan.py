"""gfactor campaign plan: what a campaign will ask, and what it will take.

gfactor campaign plan campaign.toml
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "campaign.plan")
