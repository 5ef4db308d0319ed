"""gfactor campaign plan: estimate the questions, cost and time of a campaign.

gfactor campaign plan campaign.toml
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "campaign.plan")
