"""Differences between two drafts, field by field and word by word, to be shown."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gfactor.studies.annotation.draft import LETTERS, AnnotationDraft
from gfactor.studies.answers import ANSWER_TYPES

_WORD = re.compile(r"\[IMAGE_\d+\]|\[TURN\]|\w+|\s+|.", re.DOTALL)
IN_PICTURE = "(in the picture)"
"""Text shown for an option that has none."""

_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True)
class TextPiece:
    """A piece of a text; `changed` is True if the other draft has another text there."""

    text: str
    changed: bool


@dataclass(frozen=True)
class FieldDifference:
    """A field in which two drafts differ: its name, both texts in pieces, and the authors of the
    drafts."""

    field: str
    before: tuple[TextPiece, ...]
    after: tuple[TextPiece, ...]
    before_by: str = ""
    after_by: str = ""


def differences(
    before: AnnotationDraft, after: AnnotationDraft, before_by: str = "", after_by: str = ""
) -> list[FieldDifference]:
    """Return the fields in which two drafts differ, in the order of the editor."""
    old, new = dict(_fields(before)), dict(_fields(after))
    names = [*old, *(name for name in new if name not in old)]
    changed = []
    for name in names:
        texts = old.get(name, ""), new.get(name, "")
        if texts[0] != texts[1]:
            changed.append(FieldDifference(name, *compared(*texts), before_by, after_by))
    return changed


def differences_of_all(drafts: Mapping[str, AnnotationDraft]) -> list[FieldDifference]:
    """Return the differences of several people's drafts from the first one."""
    (first, one), *others = drafts.items()
    return [row for name, other in others for row in differences(one, other, first, name)]


def compared(before: str, after: str) -> tuple[tuple[TextPiece, ...], tuple[TextPiece, ...]]:
    """Split two texts into pieces; pieces that both texts have in the same order are unchanged."""
    old, new = _words(before), _words(after)
    left: list[TextPiece] = []
    right: list[TextPiece] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        changed = tag != "equal"
        if a < b:
            left.append(TextPiece("".join(old[a:b]), changed))
        if c < d:
            right.append(TextPiece("".join(new[c:d]), changed))
    return tuple(left), tuple(right)


def _words(text: str) -> Sequence[str]:
    """Words, images, spaces and signs; scripts without spaces are compared sign by sign."""
    words: list[str] = []
    for word in _WORD.findall(text):
        words += list(word) if _NO_SPACES.search(word) else [word]
    return words


def _type_words(name: str) -> str:
    return ANSWER_TYPES[name].words if name in ANSWER_TYPES else ""


def _fields(draft: AnnotationDraft) -> Iterator[tuple[str, str]]:
    """Every field that has a value, with the name that the editor gives it."""
    pairs = [("What all questions share", draft.general)]
    for number, part in enumerate(draft.parts, 1):
        of = f"Question {number}: " if len(draft.parts) > 1 else ""
        pairs += [(f"{of}Text", part.content), (f"{of}Type", _type_words(part.answer_type))]
        options = zip(LETTERS, part.choices, strict=False)
        pairs += [(f"{of}Option {letter}", text or IN_PICTURE) for letter, text in options]
        pairs += [(f"{of}Answer", part.answer)]
        pairs += [(f"{of}Other right answers", "\n".join(part.accepted or ()))]
        pairs += [(f"{of}Analysis", part.analysis)]
    pairs += [("Difficulty", str(draft.difficulty or "")), ("Quality", str(draft.quality or ""))]
    pairs += [(f"Label {name}", value) for name, value in draft.labels]
    pairs += [("Knowledge", "; ".join(draft.knowledge)), ("Drop it, because", draft.dropped)]
    return ((name, text) for name, text in pairs if text)
