"""The last resort: a reply that claims nothing but names one option only, and rejects none.

A label counts only where it stands alone between marks ("Looking at the animals, H."); the text
of an option counts in a short reply, or in the last sentence of a longer one.
"""

from __future__ import annotations

import re

from gfactor.scoring.reading.claims import HINTED, Claim, Sentences
from gfactor.scoring.reading.markers import finder
from gfactor.scoring.reading.values import Task, Value
from gfactor.scoring.reading.verdicts import groups_in

_LONGEST = 1500
_SHORT = 80
_UNFINISHED = re.compile(
    r"[,;:(\[、]\s*$|\b(?:the|a|an|of|and|which|that|le|la|el|de|que|o|y|et)\s*$", re.I
)


def find_sole_mention(text: str, task: Task) -> Claim | None:
    """The one option a reply names; None where it names none or several, or takes it back."""
    cut_off = len(text) > _SHORT and not re.search(r"[.!。?)\]\"'][\s]*$", text)
    if (
        len(text) > _LONGEST
        or cut_off
        or _UNFINISHED.search(text)
        or finder("refusal").search(text)
    ):
        return None
    return _sole_label(text, task) or _sole_text(text, task)


def _sole_label(text: str, task: Task) -> Claim | None:
    groups = groups_in(text, task)
    if len(groups) != 1 or len(groups[0].labels) != 1 or groups[0].outside:
        return None
    group = groups[0]
    alone = re.search(r"[,:;—–\n]\s*$", text[: group.start]) and re.match(
        r"\s*(?:[.;!。\n]|$)", text[group.end :]
    )
    if not alone or not _is_meant(text, group.start, group.end):
        return None
    value = Value(frozenset(group.labels), "", group.start, group.end)
    return Claim(value, HINTED, "sole label", group.start)


def _sole_text(text: str, task: Task) -> Claim | None:
    found = task.texts.mentions(text)
    if len({label for label, _, _ in found}) != 1 or groups_in(text, task):
        return None
    label, start, end = found[-1]
    ends = [m.end() for m in re.finditer(r"[.!?](?=\s)|[。!?\n]", text.rstrip()[:-1])]
    if ends and end <= ends[-1]:
        return None
    if not all(_is_meant(text, s, e) for _, s, e in found):
        return None
    return Claim(Value(frozenset({label}), "", start, end), HINTED, "sole option text", start)


def _is_meant(text: str, start: int, end: int) -> bool:
    """Whether a mention is neither denied nor conditional nor asked."""
    sentences = Sentences(text)
    before = sentences.clause_before(start)
    denied = finder("not_before").search(before) or finder("unreal").search(before)
    return (
        not denied and not finder("wrong").match(text.lstrip(), end) and not sentences.is_asked(end)
    )
