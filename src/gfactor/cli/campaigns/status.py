"""gfactor campaign status: how far a campaign is.

gfactor campaign status campaign.toml
gfactor campaign status campaign.toml --json
"""

from gfactor.cli.printing import printed

ABOUT = """The exit code is 0 if all is answered, 1 if only questions that failed are left, 3
if a budget is reached, 4 if questions are left."""

command = printed(__doc__, "campaign.status", {"file": "FILE"}, about=ABOUT)
