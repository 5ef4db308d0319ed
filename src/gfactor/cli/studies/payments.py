"""gfactor study payments: a file by which a recruiting service pays participants.

gfactor study payments study/ --service prolific -o pay.csv
"""

from typing import Any

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"folder": "FOLDER", "path": "-o CSV", "service": "--service NAME", "kind": "--kind KIND"}


@derived(__doc__, "study.payments", SPELLED)
def command(as_json: bool, **given: Any) -> None:
    done = study.payments(**given)
    if as_json:
        put_json({**vars(done), "path": None if done.path is None else str(done.path)})
        return
    if done.path is None:
        say(f"nobody is due anything in a file of the kind {done.kind}; none was written")
    else:
        total = f", {done.amount:.2f} {done.currency}".rstrip() if done.amount else ""
        say(f"{done.path}: {done.people} participants ({done.kind}){total}")
    excluded = 0 if done.kind == "reject" else done.excluded
    for count, reason in (
        (done.paid, "are in earlier files"),
        (excluded, "are not paid by the study's rule (--kind reject lists them with reasons)"),
        (done.unknown, "have no id of a service that is still kept"),
    ):
        if count:
            say(f"  left out: {count} {reason}")
