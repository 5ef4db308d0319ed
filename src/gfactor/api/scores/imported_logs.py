"""Result of an import of logs into a journal, and its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from os.path import commonpath
from pathlib import Path
from typing import Any

from gfactor.administration.imports import ImportResult
from gfactor.results import number_of

_LISTED = 20
"""Largest number of flaws, and of files, that are listed singly; the document has all."""

_FIRST = 8
"""Number of files that are listed if there are too many to list all."""


@dataclass(frozen=True)
class ImportedLogs:
    """Result of an import into a journal.

    Parameters
    ----------
    journal: name of the journal.
    files: result of every file.
    """

    journal: str
    files: tuple[ImportResult, ...]

    @property
    def flaws(self) -> tuple[str, ...]:
        """Return a sentence with file and row for each part that could not be imported."""
        return tuple(flaw for one in self.files for flaw in one.flaws)

    @property
    def code(self) -> int:
        """Return the exit code of the command: 1 if parts of a file could not be imported."""
        return 1 if self.flaws else 0

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor import --json`."""
        return {"journal": self.journal, "files": [asdict(one) for one in self.files]}

    def summary(self) -> str:
        """Return the flaws and notes, and then the amount imported from each file, as text."""
        lines = [f"not imported: {flaw}" for flaw in self.flaws[:_LISTED]]
        if len(self.flaws) > _LISTED:
            lines.append(f"not imported: {len(self.flaws) - _LISTED:,} more; --json lists all")
        notes = [note for one in self.files[:_LISTED] for note in one.notes]
        lines += [f"note: {note}" for note in notes[:_LISTED]]
        if len(notes) > _LISTED:
            lines.append(f"note: {len(notes) - _LISTED:,} more notes; --json lists all")
        if len(self.files) > _LISTED:
            lines += _lines_of_many(self.files)
        else:
            for one in self.files:
                taken = f"left out; {one.left_out}" if one.left_out else _taken(one)
                lines.append(f"{one.file}: {taken}")
        lines.append(f"kept in {self.journal}; next: gfactor score {self.journal}")
        return "\n".join(lines)


def _taken(one: ImportResult) -> str:
    """Return in words how much of a file was taken over."""
    repeated = f", {one.known:,} known already" if one.known else ""
    failed = f", {one.failed:,} failed" if one.failed else ""
    completed = f", {one.completed:,} completed" if one.completed else ""
    judged = f", {number_of(one.verdicts, 'verdict')}" if one.verdicts else ""
    replaced = f", {number_of(one.replaced, 'key')} replaced" if one.replaced else ""
    if not one.examinees:
        return f"no answers{completed}{judged}"
    who = ", ".join(one.examinees)
    what = f"{number_of(one.items, 'item')}, {number_of(one.added, 'answer')}"
    return f"{who}, {what}{failed}{repeated}{completed}{replaced}{judged}"


def _lines_of_many(files: Sequence[ImportResult]) -> list[str]:
    """Name the first files that were taken, and how many others were, or were left out and why."""
    folder = commonpath([Path(one.file).parent for one in files])
    taken = [one for one in files if not one.left_out]
    lines = [f"in {folder}:"]
    lines += [f"  {Path(one.file).relative_to(folder)}: {_taken(one)}" for one in taken[:_FIRST]]
    if rest := taken[_FIRST:]:
        added = number_of(sum(one.added for one in rest), "answer")
        lines.append(f"  {number_of(len(rest), 'more file')} taken, with {added}; --json lists all")
    reasons: dict[str, list[str]] = {}
    for one in files:
        if one.left_out:
            # Errors begin with the name of the file.
            why = one.left_out.replace(f"{one.file!r} ", "it ")
            reasons.setdefault(why, []).append(one.file)
    for why, names in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
        first = Path(names[0]).relative_to(folder)
        lines.append(f"  left out: {number_of(len(names), 'file')}, the first {first}; {why}")
    answers = number_of(sum(one.added for one in taken), "answer")
    return [*lines, f"{len(taken):,} of {len(files):,} files taken: {answers}"]
