"""gfactor study simulate: send simulated people through a study, to try it."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, pilot_option, seed_option
from gfactor.errors import ParameterError


@click.command("simulate")
@folder_argument
@click.option("--url", help="Where the study is served; by default it is served for the bots.")
@click.option("--persons", default=20, show_default=True, help="Bots that read and answer.")
@click.option("--clickers", default=0, show_default=True, help="Bots that click fast, unread.")
@click.option("--straight-liners", default=0, show_default=True, help="Always the first option.")
@click.option("--drowsy", default=0, show_default=True, help="Slow, and at random.")
@click.option(
    "--observer", "observers", multiple=True, metavar="SPEC", help="An examinee as participant."
)
@seed_option("Of abilities and answers.")
@click.option("--pace", default=0.0, show_default=True, help="Waiting, per second of a person's.")
@click.option(
    "--misbehaving",
    multiple=True,
    metavar="KIND=N",
    help="More bots: impatient, dropout, double-starter, reloader, late, tamperer; repeat it.",
)
@pilot_option
@json_option
def command(
    folder: Path,
    url: str | None,
    persons: int,
    clickers: int,
    straight_liners: int,
    drowsy: int,
    observers: tuple[str, ...],
    seed: int,
    pace: float,
    misbehaving: tuple[str, ...],
    pilot: bool,
    as_json: bool,
) -> None:
    """Send simulated people through a study, to try it before real ones come.

    Try it on a copy of the folder: their answers are stored like everybody's. The server that is
    started for them believes their clocks; one at --url does not, and marks whoever is too fast.

    \b
    Example:
      gfactor study simulate trial/ --persons 40 --clickers 5
      gfactor study simulate study/ --pilot --misbehaving dropout=3 --misbehaving late=2
      gfactor study simulate trial/ --persons 0 --observer "observer:limited?acuity=0.4&seed=1"

    Python: gfactor.study.simulate("trial/", persons=40, clickers=5)
    """
    people = study.simulate(
        folder,
        persons=persons,
        clickers=clickers,
        straight_liners=straight_liners,
        drowsy=drowsy,
        observers=observers,
        misbehaving=_counts(misbehaving),
        pilot=pilot,
        url=url,
        pace=pace,
        seed=seed,
    )
    done = people.to_dict()
    if as_json:
        put_json(done)
        return
    say(f"{done['finished']} of {done['people']} bots finished, {done['answers']:,} answers")
    say(
        f"{done['answers_per_second']:,} answers/s; wait {done['wait_p50_ms']} ms in the middle, "
        f"{done['wait_p99_ms']} ms at 99 %"
    )


def _counts(given: tuple[str, ...]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for text in given:
        kind, _, number = text.partition("=")
        if not number.isdecimal():
            raise ParameterError(
                f"--misbehaving {text!r} says no number; write KIND=N, as in late=2"
            )
        counts[kind] = counts.get(kind, 0) + int(number)
    return counts
