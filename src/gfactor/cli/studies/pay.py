"""gfactor study pay: approve, reject and pay participants through Prolific's API.

gfactor study pay study/
gfactor study pay study/ --send
"""

from typing import Any

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"folder": "FOLDER", "service": "--service NAME", "kinds": "--kind KIND"}


@derived(__doc__, "study.pay", SPELLED)
def command(as_json: bool, **given: Any) -> None:
    done = study.pay(**given)
    if as_json:
        put_json(vars(done))
        return
    verb = "sent" if done.sent else "due, not sent (--send sends it)"
    amount = f"{done.amount:.2f} {done.currency}".rstrip()
    say(
        f"{verb}: {done.approved} approved, {done.rejected} rejected, {done.bonuses} bonuses "
        f"({amount})"
    )
    for count, reason in (
        (done.earlier, "bonuses of earlier orders have been paid"),
        (done.waiting, "bonuses are on their way; run the command again to see whether they came"),
        (done.unmatched, "people are left out: their ids are those of no submission of the study"),
        (done.elsewhere, "people are left out: their submission is neither waiting nor approved"),
        (done.unknown, "people are left out: no id of the service is kept of them"),
    ):
        if count:
            say(f"  {count} {reason}")
