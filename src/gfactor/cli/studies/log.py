"""gfactor study log: what a study's owners did.

gfactor study log study/
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

ABOUT = "The exit code is 1 where a row was changed or deleted."


@derived(__doc__, "study.log", {"folder": "FOLDER"}, about=ABOUT)
def command(folder: Path, pilot: bool, as_json: bool) -> int:
    log = study.log(folder, pilot=pilot)
    if as_json:
        put_json({"actions": log.actions.to_dict("records"), "problem": log.problem})
    else:
        for row in log.actions.to_dict("records"):
            detail = f": {row['detail']}" if row["detail"] else ""
            say(f"{row['number']} {row['created'][:19]} {row['who']} {row['action']}{detail}")
        whole = f"{len(log.actions)} actions; none was changed or deleted"
        say(f"the log is not whole: {log.problem}" if log.problem else whole)
    return 1 if log.problem else 0
