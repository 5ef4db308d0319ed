"""Options that stand in the text of a question: finding them, and whether they can be listed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from gfactor.items import Choice, Image, Segment

LETTERS = ascii_uppercase

_AT_LINE = re.compile(r"(?m)^[ \t　]*[(（]?([A-Z])[)）]?[ \t　]*[.．、:：][ \t　]*")
_BRACKETED = re.compile(r"(?m)^[ \t　]*[(（]([A-Z])[)）][ \t　]*")
_INLINE = re.compile(r"(?:^|(?<=\s)|(?<=　))([A-Z])[ \t]*[.．、:：][ \t　]*")

_PICTURED = 4
"""Least number of options of a question whose options stand in its picture only."""


@dataclass(frozen=True)
class Lettered:
    """The text of a question and the options after it.

    Parameters
    ----------
    stem: the text before the first option.
    options: label and text of each, from A on without a gap.
    """

    stem: str
    options: tuple[tuple[str, str], ...]


def lettered_options(text: str) -> Lettered | None:
    """Return the options at the end of a text: "A. cat" a line each, "(A) cat", or several in a
    line.

    A list begins at A and skips no letter. The last of several lists counts, so that a dialogue of
    A and B before the options is not taken for them. None if there is no list of at least two
    options.
    """
    best: list[re.Match[str]] = []
    for pattern in (_AT_LINE, _BRACKETED, _INLINE):
        marks = _last_run(list(pattern.finditer(text)))
        if marks and (not best or marks[0].start() > best[-1].start()):
            best = marks
    if not best:
        return None
    ends = [*(mark.start() for mark in best[1:]), len(text)]
    options = tuple(
        (mark[1], text[mark.end() : end].strip()) for mark, end in zip(best, ends, strict=True)
    )
    return Lettered(text[: best[0].start()].rstrip(), options)


def _last_run(marks: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The last marks that are A, B, C ... in this order; others between them are no marks."""
    runs: list[list[re.Match[str]]] = []
    for mark in marks:
        if mark[1] == "A":
            runs.append([mark])
        elif runs and mark[1] == LETTERS[len(runs[-1]) : len(runs[-1]) + 1]:
            runs[-1].append(mark)
    return next((run for run in reversed(runs) if len(run) > 1), [])


def listed(options: Iterable[tuple[str, Sequence[Segment]]]) -> tuple[Choice, ...] | None:
    """Return choices for options that are one text or one picture each; None if an option has both.

    Options with both stay in the question, in reading order, and the choices are `unlisted`.
    """
    choices = []
    for label, segments in options:
        if len(segments) > 1:
            return None
        content = segments[0] if segments else ""
        choices.append(Choice(label, content))
    empty = [c for c in choices if not isinstance(c.content, Image) and not c.content]
    return None if empty else tuple(choices)


def unlisted(labels: Iterable[str]) -> tuple[Choice, ...]:
    """Return choices that have labels but no contents.

    Their contents are part of the question or its picture. They are not listed a second time when
    the item is presented, and their order is never permuted.
    """
    return tuple(Choice(label, "") for label in labels)


def pictured(key: Iterable[str]) -> tuple[Choice, ...]:
    """Return choices for options in the picture: the labels A to D, or more if the key needs
    them."""
    last = max((LETTERS.index(label) + 1 for label in key), default=0)
    return unlisted(LETTERS[: max(last, _PICTURED)])
