"""Results of a batch: the line of each question, and the flaws of other lines."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gfactor.examinees.base import FAILED, Reply
from gfactor.examinees.http.answer import AttemptVerdict, one_line
from gfactor.examinees.http.endpoint import Endpoint
from gfactor.examinees.http.lengths import shortened
from gfactor.examinees.http.wire import Wire

_EXCERPT = 60
"""Number of characters quoted from an unreadable line, or from a second answer."""

_MOST_LINES = 3
"""Largest number of unreadable lines that are reported."""

NO_LINE = "the result file has no line for this question"


@dataclass
class BatchResults:
    """Verdicts on the requests of a batch, gathered line by line.

    Parameters
    ----------
    prefix: the text with which the ids of the batch's requests begin.
    size: the number of its requests.
    verdicts: verdicts by the number of the question.
    foreign: number of results that belong to none of its questions.
    unreadable: sentences about lines that cannot be read and name no question.
    gone: the vendor's reason why a file of results is missing, "" if all were read.
    incomplete: True if results are missing or unreadable that the vendor should have.
    """

    prefix: str
    size: int
    verdicts: dict[int, AttemptVerdict] = field(default_factory=dict)
    foreign: int = 0
    unreadable: list[str] = field(default_factory=list)
    gone: str = ""
    incomplete: bool = False

    def rows(self, raw: bytes) -> list[tuple[int, dict[str, Any]]]:
        """Return the lines of a result file that belong to a question, with its number.

        Lines that cannot be read and those with another id are noted.
        """
        rows: list[tuple[int, dict[str, Any]]] = []
        # Bytes are split, since a line separator within an answer (U+2028) does not end a line.
        for position, line in enumerate(raw.splitlines(), start=1):
            text = line.decode("utf-8", "replace")
            if not text.strip():
                continue
            try:
                row = json.loads(text)
                name = row["custom_id"]
            except (ValueError, TypeError, KeyError, RecursionError):
                self._cannot_read(position, text)
                continue
            number = self.number_of(name)
            if number is None:
                self.foreign += 1
            else:
                rows.append((number, row))
        return rows

    def number_of(self, name: object) -> int | None:
        """Return the number of the question whose request has an id; None if there is none."""
        match = re.fullmatch(rf"{re.escape(self.prefix)}-(\d+)", str(name), re.ASCII)
        number = int(match[1]) if match else self.size
        return number if number < self.size else None

    def add(self, number: int, verdict: AttemptVerdict) -> None:
        """Add a verdict; the first answer to a question stays, whatever comes after it."""
        before = self.verdicts.get(number)
        if before is None or (_failed(before) and not _failed(verdict)):
            self.verdicts[number] = verdict
        elif not _failed(before) and not _failed(verdict):
            first, second = before.reply, verdict.reply
            if first.text != second.text:
                note = f"the results have a second, different answer: {_excerpt(second.text)}"
                detail = f"{first.detail}; {note}" if first.detail else note
                self.verdicts[number] = before.with_reply(replace(first, detail=detail))

    def finish(self, complete: bool, missing: str = NO_LINE) -> BatchResults:
        """Return the results with a failure for each question that has none, if a file is missing
        or the vendor says that it processed all: these may have been paid for."""
        reason = f"the result file is missing: {self.gone}" if self.gone else missing
        if self.unreadable:
            reason += f" ({'; '.join(self.unreadable[:_MOST_LINES])})"
        if complete or self.gone or self.unreadable:
            self.incomplete = self.incomplete or len(self.verdicts) < self.size
            for number in range(self.size):
                self.verdicts.setdefault(number, lost(reason))
        return self

    def _cannot_read(self, position: int, text: str) -> None:
        sentence = f"line {position} of the result file cannot be read: {_excerpt(text)}"
        named = re.search(rf'"{re.escape(self.prefix)}-(\d+)"', text, re.ASCII)
        number = int(named[1]) if named else self.size
        self.incomplete = True
        if number < self.size:
            self.add(number, lost(sentence))
        else:
            self.unreadable.append(sentence)


def judged(wire: Wire, endpoint: Endpoint, body: object, status: int = 200) -> AttemptVerdict:
    """Read the response to a request of a batch as that to a single request."""
    verdict = wire.judge(status, {}, json.dumps(body).encode(), time.time())
    return verdict.with_reply(shortened(verdict.reply, endpoint.max_reply))


def lost(reason: str) -> AttemptVerdict:
    """Return the verdict on a request that may have been paid for, without a readable result."""
    return AttemptVerdict(Reply("", "transport_error", "", detail=reason), doubtful=True)


def no_result(error: Any, otherwise: str) -> AttemptVerdict:
    """Return the verdict on a request that the vendor did not process, with the vendor's reason."""
    facts: Mapping[str, Any] = error if isinstance(error, dict) else {}
    words = [str(facts[k]) for k in ("code", "type", "message") if facts.get(k)]
    return AttemptVerdict(
        Reply("", "transport_error", "", detail=one_line(": ".join(words) or otherwise))
    )


def _failed(verdict: AttemptVerdict) -> bool:
    return verdict.reply.outcome in FAILED


def _excerpt(text: str) -> str:
    excerpt = one_line(text[: _EXCERPT + 1])
    return f'"{excerpt[:_EXCERPT]}..."' if len(text) > _EXCERPT else f'"{excerpt}"'
