"""gfactor import: import items and answers from the logs of another harness.

gfactor import inspect logs/2026-11-21_mmmu.eval --journal c.db
gfactor import vlmevalkit GPT4o/GPT4o_MMBench_DEV_EN.xlsx --journal c.db
gfactor import vlmevalkit outputs/ --journal c.db
gfactor import vlmevalkit outputs/ --bank mmbench.parquet --journal people/journal.db
gfactor import lm-eval results/org__model/ --journal c.db
gfactor import eee data/ --journal c.db
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived, function_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gfactor.administration.imports import ImportResult
    from gfactor.api.importing import ImportedLogs

HEADING = "Asking models"

_LISTED = 20
"""So many flaws are shown, and so many files one by one; `--json` has all of them."""

_FIRST = 8
"""So many of many files are shown."""

ABOUT = "The exit code is 1 where parts of a file could not be imported."


@derived(
    __doc__,
    "import_logs",
    {
        "format_name": "FORMAT",
        "files": "FILE...",
        "examinee": "--examinee NAME",
        "condition": "--condition KEY",
        "bank": "--bank FILE",
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
    flaws = [flaw for one in done.files for flaw in one.flaws]
    for flaw in flaws[:_LISTED]:
        say(f"not imported: {flaw}")
    if len(flaws) > _LISTED:
        say(f"not imported: {len(flaws) - _LISTED:,} more; --json lists all")
    if len(done.files) > _LISTED:
        _say_many(done.files)
    else:
        for one in done.files:
            taken = f"left out; {one.left_out}" if one.left_out else _taken(one)
            say(f"{one.file}: {taken}")
    say(f"kept in {done.journal}; next: gfactor score {done.journal}")


def _taken(one: ImportResult) -> str:
    """Return in words how much of a file was taken over."""
    from gfactor.results import number_of

    repeated = f", {one.known:,} known already" if one.known else ""
    failed = f", {one.failed:,} failed" if one.failed else ""
    completed = f", {one.completed:,} completed" if one.completed else ""
    judged = f", {number_of(one.verdicts, 'verdict')}" if one.verdicts else ""
    if not one.examinees:
        return f"no answers{completed}{judged}"
    who = ", ".join(one.examinees)
    what = f"{number_of(one.items, 'item')}, {number_of(one.added, 'answer')}"
    return f"{who}, {what}{failed}{repeated}{completed}{judged}"


def _say_many(files: Sequence[ImportResult]) -> None:
    """Print the first files that were taken, and how many others were, or were left out and why."""
    from os.path import commonpath
    from pathlib import Path

    from gfactor.results import number_of

    folder = commonpath([Path(one.file).parent for one in files])
    taken = [one for one in files if not one.left_out]
    say(f"in {folder}:")
    for one in taken[:_FIRST]:
        say(f"  {Path(one.file).relative_to(folder)}: {_taken(one)}")
    if rest := taken[_FIRST:]:
        added = number_of(sum(one.added for one in rest), "answer")
        say(f"  {number_of(len(rest), 'more file')} taken, with {added}; --json lists all")
    reasons: dict[str, list[str]] = {}
    for one in files:
        if one.left_out:
            # Errors begin with the name of the file.
            why = one.left_out.replace(f"{one.file!r} ", "it ")
            reasons.setdefault(why, []).append(one.file)
    for why, names in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
        first = Path(names[0]).relative_to(folder)
        say(f"  left out: {number_of(len(names), 'file')}, the first {first}; {why}")
    answers = number_of(sum(one.added for one in taken), "answer")
    say(f"{len(taken):,} of {len(files):,} files taken: {answers}")
