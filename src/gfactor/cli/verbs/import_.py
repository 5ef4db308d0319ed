"""gfactor import: import items and answers from the logs of another harness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import NAME, journal_option

if TYPE_CHECKING:
    from gfactor.api.importing import ImportedLogs

HEADING = "Asking models"

_SHOWN = 20
"""So many flaws of a file are shown; `--json` has all of them."""


@click.command("import")
@click.argument("name", metavar="FORMAT")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=NAME)
@journal_option
@click.option(
    "--examinee",
    default="",
    metavar="NAME",
    help="Who answered; by default what the file, its name or its folder says.",
)
@click.option(
    "--condition",
    default="",
    metavar="KEY",
    help="The condition; by default one that names the harness in the place of a prompt pack.",
)
@click.option(
    "--first-occasion",
    type=click.IntRange(0, 1_000_000),
    default=0,
    show_default=True,
    metavar="K",
    help="Number of the files' first occasion, for a second run of the same test.",
)
@json_option
def command(
    name: str,
    files: tuple[str, ...],
    journal: str,
    examinee: str,
    condition: str,
    first_occasion: int,
    as_json: bool,
) -> int:
    """Take the items and answers in logs of another harness into a journal.

    FORMAT is inspect (.eval, .json), vlmevalkit (prediction files, .xlsx, .tsv, .csv, .json),
    lmms-eval (DATE_samples_TASK.jsonl), lm-eval (lm-evaluation-harness: samples_TASK_DATE.jsonl) or
    eee (Every Eval Ever: _samples.jsonl). FILE is a file or a folder in which such files lie.
    Errors become failed attempts, which are missing, never wrong. Scores in the logs are not taken
    over: gfactor score reads the replies anew; verdicts of VLMEvalKit's judge are kept for --policy
    vlmevalkit. Importing a file again changes nothing; a reply that was cut off is completed by a
    fuller file. The exit code is 1 where parts of a file could not be imported.

    \b
    Example:
      gfactor import inspect logs/2026-11-21_mmmu.eval --journal c.db
      gfactor import vlmevalkit GPT4o/GPT4o_MMBench_DEV_EN.xlsx --journal c.db
      gfactor import vlmevalkit outputs/ --journal c.db
      gfactor import lm-eval results/org__model/ --journal c.db
      gfactor import eee data/ --journal c.db

    Python: gfactor.import_logs("inspect", files, journal="c.db")
    """
    from gfactor.api.importing import import_logs

    done = import_logs(
        name,
        list(files),
        journal=journal,
        examinee=examinee,
        condition=condition,
        first_occasion=first_occasion,
    )
    _report(done, as_json)
    return 1 if done.flaws else 0


def _report(done: ImportedLogs, as_json: bool) -> None:
    if as_json:
        put_json(done.to_dict())
        return
    from gfactor.results import number_of

    for r in done.files:
        known = f", {r.known:,} known already" if r.known else ""
        failed = f", {r.failed:,} failed" if r.failed else ""
        completed = f", {r.completed:,} completed" if r.completed else ""
        judged = f", {number_of(r.verdicts, 'verdict')}" if r.verdicts else ""
        who = ", ".join(r.examinees)
        what = f"{number_of(r.items, 'item')}, {number_of(r.added, 'answer')}"
        what = f"{who}, {what}{failed}{known}{completed}{judged}" if who else (
            f"no answers{completed}{judged}")  # fmt: skip
        for flaw in r.flaws[:_SHOWN]:
            say(f"not imported: {flaw}")
        if len(r.flaws) > _SHOWN:
            say(f"not imported: {len(r.flaws) - _SHOWN:,} more; --json lists all")
        say(f"{r.file}: left out; {r.left_out}" if r.left_out else f"{r.file}: {what}")
    say(f"kept in {done.journal}; next: gfactor score {done.journal}")
