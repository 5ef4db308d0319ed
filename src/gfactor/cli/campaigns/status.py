"""gfactor campaign status: how far a campaign is.

gfactor campaign status campaign.toml
gfactor campaign status campaign.toml --json
"""

from gfactor.cli.printing import printed

ABOUT = """The exit code is 0 where all is answered, 1 where only questions that failed are left, 3
where a budget is reached, 4 where questions are left."""

command = printed(__doc__, "campaign.status", {"file": "FILE"}, about=ABOUT)
