"""gfactor study payments: a file by which a recruiting service pays participants."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument, pilot_option


@click.command("payments")
@folder_argument
@click.option("--service", metavar="NAME", help="The service; by default the study's own.")
@click.option(
    "--kind",
    metavar="KIND",
    help="bonus, approve, reject or credit; by default what the service reads first.",
)
@click.option("-o", "--output", type=PATH, required=True, metavar="CSV", help="The file to write.")
@click.option(
    "--again", is_flag=True, help="Also what earlier files have, because one of them was lost."
)
@pilot_option
@json_option
def command(
    folder: Path,
    service: str | None,
    kind: str | None,
    output: Path,
    again: bool,
    pilot: bool,
    as_json: bool,
) -> None:
    """Write what participants are due, in the format that their recruiting service reads.

    Services: prolific (bonus: lines of id and amount; approve: ids; reject), mturk (approve and
    reject: the file of reviewed results; bonus: the fields of SendBonus), cloudresearch (bonus,
    approve, reject), sona (credit, reject). Amounts follow the study's pay and upheld challenges.

    Whom [payment] in study.toml excludes is in the file of rejections alone, with a reason that can
    be sent to them (see `study appeal`).

    What a file has is noted in the study, and no later file has it again: whoever came since, or
    is due more since, is in the next one.

    \b
    Example:
      gfactor study payments study/ --service prolific -o pay.csv

    Python: gfactor.study.payments("study/", "pay.csv", service="prolific")
    """
    done = study.payments(
        folder,
        output,
        service=service,
        kind=kind,
        again=again,
        pilot=pilot,
    )
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
