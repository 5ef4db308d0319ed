"""gfactor campaign status: show the progress of a campaign.

gfactor campaign status campaign.toml
gfactor campaign status campaign.toml --json

The exit code is 0 if all is answered, 1 if only questions that failed are left, 3
if a budget is reached, 4 if questions are left.
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "campaign.status")
