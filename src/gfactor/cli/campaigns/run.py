"""gfactor campaign run: ask all missing questions of a campaign, within its budgets.

gfactor campaign run campaign.toml
gfactor campaign run campaign.toml --json 2> progress.log

The exit code is 0 if all is answered, 1 if only questions that failed are
left (the same command asks them again), 3 if a budget is reached, 4 if a model was given up, 130 if
the command was interrupted.
"""

from pathlib import Path

from gfactor.api import campaign
from gfactor.cli.deriving import derived
from gfactor.cli.printing import put
from gfactor.cli.verbs.run import spare_the_collector


@derived(__doc__, "campaign.run")
def command(file: Path, as_json: bool) -> int:
    spare_the_collector()
    return put(campaign.run(file), as_json)
