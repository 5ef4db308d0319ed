"""A reply during cleaning: its text, and the original position of each character. Every cleaning
step deletes or replaces short pieces of text. With the positions, a rule can state which characters
of the original reply decided.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gfactor.scoring.extraction.signs import (
    BRACKETS,
    COMMON_FRACTIONS,
    HYPHENS,
    LOWERED,
    LOWERED_SIGNS,
    OTHER_QUOTES,
    OTHER_RAISED,
    OTHER_SINGLE_QUOTES,
    QUOTES,
    RAISED,
    RAISED_SIGNS,
    SINGLE_QUOTES,
)

HEAD_CHARACTERS = 20_000
TAIL_CHARACTERS = 60_000
"""Number of characters that are read of a long reply, to bound the time: answers come first or
last.
"""

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]{0,16}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|.)"
)
_SPECIAL = {
    **{chr(0x1F130 + k): f"({chr(65 + k)})" for k in range(26)},
    **{chr(0x1F150 + k): f"({chr(65 + k)})" for k in range(26)},
    **{chr(0x1F170 + k): f"({chr(65 + k)})" for k in range(26)},
    **{chr(0x1F1E6 + k): f"({chr(65 + k)})" for k in range(26)},
    **{chr(0x24B6 + k): f"({chr(65 + k)})" for k in range(26)},
    **{chr(0x24D0 + k): f"({chr(65 + k)})" for k in range(26)},
    **{chr(0x249C + k): f"({chr(65 + k)})" for k in range(26)},
    **{chr(0x2460 + k): chr(0x2460 + k) for k in range(20)},
    **{chr(0x3260 + k): chr(0x3260 + k) for k in range(28)},
    **{chr(0x2776 + k): chr(0x2460 + k) for k in range(10)},
    **dict.fromkeys(QUOTES + OTHER_QUOTES, '"'),
    **dict.fromkeys(SINGLE_QUOTES + OTHER_SINGLE_QUOTES, "'"),
    **dict(zip(BRACKETS, "[][][]", strict=True)),
    **dict.fromkeys(HYPHENS, "-"),
}

_ODD = re.compile(r"[ -~\n\t]?[^ -~\n\t]+")
"""Characters that may get another spelling, with the character before them, with which marks may
combine; all others do not change.
"""

_MEANING = re.compile(
    f"[{RAISED}{RAISED_SIGNS}{OTHER_RAISED}{LOWERED}{LOWERED_SIGNS}{COMMON_FRACTIONS}\u2150-\u215e]"
)
"""Characters whose plain spelling would have another meaning: ten squared is not 102, two and a
half is not 21/2."""


@dataclass(frozen=True)
class Passage:
    """Cleaned text with, for each character, its position in the reply.

    Parameters
    ----------
    text: the text at this stage of cleaning.
    origin: position in the reply of each character of `text`.
    """

    text: str
    origin: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the reply of `text[start:end]`."""
        if not self.text or end <= start:
            return (0, 0)
        return (self.origin[start], self.origin[min(end, len(self.text)) - 1] + 1)

    def replace(self, edits: Iterable[tuple[int, int, str]]) -> Passage:
        """Return the passage with spans replaced, given as (start, end, new text) in order without
        overlap."""
        texts: list[str] = []
        origin: list[int] = []
        at = 0
        for start, end, new in edits:
            if start < at:
                continue
            texts += [self.text[at:start], new]
            origin.extend(self.origin[at:start])
            origin.extend([self.origin[start]] * len(new) if new else [])
            at = end
        if not texts:
            return self
        texts.append(self.text[at:])
        origin.extend(self.origin[at:])
        return Passage("".join(texts), origin)

    def sub(self, pattern: re.Pattern[str], new: str = "") -> Passage:
        """Replace matches of `pattern`; if a match has a group 1, the group is kept."""
        edits: list[tuple[int, int, str]] = []
        for match in pattern.finditer(self.text):
            if match.re.groups and match.start(1) >= 0:
                edits += [(match.start(), match.start(1), new), (match.end(1), match.end(), new)]
            else:
                edits.append((match.start(), match.end(), new))
        return self.replace(edits)


def fold(reply: str) -> Passage:
    """Return the reply with one spelling per character.

    Full-width, mathematical and enclosed characters become plain ones (NFKC, character by character
    with the marks that combine with it), quotes and brackets ASCII; terminal escapes, control and
    format characters and lone surrogates are removed.
    """
    reply_at: Sequence[int] = range(len(reply))
    if len(reply) > HEAD_CHARACTERS + TAIL_CHARACTERS:
        tail = len(reply) - TAIL_CHARACTERS
        reply_at = [*range(HEAD_CHARACTERS), tail - 1, *range(tail, len(reply))]
        reply = reply[:HEAD_CHARACTERS] + "\n" + reply[tail:]
    if reply.isascii() and reply.isprintable():
        return Passage(reply, reply_at)
    if "\x1b" in reply:
        reply = _ESCAPES.sub(lambda match: "\x00" * len(match[0]), reply)
    texts: list[str] = []
    origin: list[int] = []
    at = 0
    for odd in _ODD.finditer(reply):
        texts.append(reply[at : odd.start()])
        origin.extend(reply_at[at : odd.start()])
        at = odd.end()
        for start, end in _clusters(odd[0]):
            new = _plain(odd[0][start:end])
            texts.append(new)
            origin.extend([reply_at[odd.start() + start]] * len(new))
    if not texts:
        return Passage(reply, reply_at)
    texts.append(reply[at:])
    origin.extend(reply_at[at:])
    return Passage("".join(texts), origin)


def _clusters(text: str) -> Iterable[tuple[int, int]]:
    """Each character together with at most four marks that combine with it."""
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and end - start < 5 and _combines(text, start, end):
            end += 1
        yield start, end
        start = end


def _combines(text: str, start: int, end: int) -> bool:
    """Return True for a combining mark, and for the signs that make a digit a key of a keyboard."""
    is_key = text[start].isascii() and text[start].isdigit() and text[end] in "\ufe0f\u20e3"
    return is_key or bool(unicodedata.combining(text[end]))


def _plain(cluster: str) -> str:
    if cluster.endswith("\u20e3") and cluster[0] in "123456789":
        return chr(0x2460 + int(cluster[0]) - 1)  # a digit as a key of a keyboard
    if cluster in _SPECIAL:
        return _SPECIAL[cluster]
    if cluster.isascii() and (cluster.isprintable() or cluster in "\n\t"):
        return cluster
    if cluster in ("\r", "\v", "\f", "\x85", "\u2028", "\u2029"):
        return "\n"
    letters = "".join(
        c for c in cluster if unicodedata.category(c) not in ("Cc", "Cf", "Cs") and c != "\ufe0f"
    )
    return letters if _MEANING.search(letters) else unicodedata.normalize("NFKC", letters)
