"""gfactor import: import items and answers from the logs of another harness.

gfactor import inspect logs/2026-11-21_mmmu.eval --journal c.db
gfactor import vlmevalkit GPT4o/GPT4o_MMBench_DEV_EN.xlsx --journal c.db
gfactor import vlmevalkit outputs/ --journal c.db
gfactor import lm-eval results/org__model/ --journal c.db
gfactor import eee data/ --journal c.db
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived, function_of

if TYPE_CHECKING:
    from gfactor.api.importing import ImportedLogs

HEADING = "Asking models"

_SHOWN = 20
"""So many flaws of a file are shown; `--json` has all of them."""

ABOUT = "The exit code is 1 where parts of a file could not be imported."


@derived(
    __doc__,
    "import_logs",
    {
        "format_name": "FORMAT",
        "files": "FILE...",
        "examinee": "--examinee NAME",
        "condition": "--condition KEY",
    },
    about=ABOUT,
)
def command(as_json: bool, **given: Any) -> int:
    done = function_of("import_logs")(**given)
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
