"""Draft of an annotator: an item as texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from string import ascii_uppercase

from gfactor.errors import ParameterError
from gfactor.items import Image, Item, LabelValue, Segment
from gfactor.studies.answers import printed

SCALE = (1, 2, 3, 4, 5)
LETTERS = ascii_uppercase
TURN = "[TURN]"
"""Mark in texts at which the next turn of a conversation begins."""

MARK = re.compile(r"\[IMAGE_(\d+)\]|\[TURN\]")
"""Marks in texts for an image, or for the beginning of a turn."""


@dataclass(frozen=True)
class DraftQuestion:
    """One question: its own text, its type, its options, its answer.

    Parameters
    ----------
    content: text of this question alone.
    answer_type: a name of `gfactor.studies.answers.ANSWER_TYPES`.
    choices: texts of the options; "" for an option that is shown in the picture.
    answer: right answer, as `gfactor.studies.answers.printed` writes it.
    analysis: explanation of the answer.
    accepted: other right answers; None if the item has them (drafts of older projects).
    """

    content: str = ""
    answer_type: str = "choice"
    choices: tuple[str, ...] = ()
    answer: str = ""
    analysis: str = ""
    accepted: tuple[str, ...] | None = ()


@dataclass(frozen=True)
class AnnotationDraft:
    """An item as it is edited (MULTI, appendix E.2).

    Parameters
    ----------
    general: text that all questions share; images stand in the texts as [IMAGE_1], [IMAGE_2] ...,
        and [TURN] before every turn of a conversation but the first.
    parts: the questions, one or more.
    labels: level, subject and other labels that are words.
    knowledge: pieces of knowledge that the item needs.
    difficulty, quality: grades from 1 to 5, 0 if not graded.
    dropped: reason for leaving the item out; "" if it stays.
    """

    general: str = ""
    parts: tuple[DraftQuestion, ...] = (DraftQuestion(),)
    labels: tuple[tuple[str, str], ...] = ()
    knowledge: tuple[str, ...] = ()
    difficulty: int = 0
    quality: int = 0
    dropped: str = ""

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> AnnotationDraft:
        """Return the inverse of `to_json`; raise ParameterError if the text is not a draft."""
        try:
            fields = json.loads(text)
            json.dumps(fields, ensure_ascii=False).encode()  # half a character cannot be stored
            return cls(
                str(fields.get("general", "")),
                tuple(map(_part, fields.get("parts", ()))),
                tuple((str(k), str(v)) for k, v in fields.get("labels", ())),
                tuple(map(str, fields.get("knowledge", ()))),
                int(fields.get("difficulty", 0)),
                int(fields.get("quality", 0)),
                str(fields.get("dropped", "")),
            )
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise ParameterError(f"this is not a draft of an item: {error}") from error


def _part(fields: dict[str, object]) -> DraftQuestion:
    accepted = fields.get("accepted")
    return DraftQuestion(
        str(fields.get("content", "")),
        str(fields.get("answer_type", "choice")),
        _texts(fields.get("choices", ())),
        str(fields.get("answer", "")),
        str(fields.get("analysis", "")),
        None if accepted is None else _texts(accepted),
    )


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list | tuple):
        raise TypeError(f"{values!r} is not a list of texts")
    return tuple(map(str, values))


def draft_of(item: Item) -> AnnotationDraft:
    """Return an item as a draft: its labels that are words, its images as [IMAGE_n]."""
    part = DraftQuestion(
        answer_type=item.answer_type,
        choices=tuple(_text(choice.content, item) for choice in item.choices),
        answer=_lines(printed(item.target, item)),
        accepted=tuple(_lines(printed(answer, item)) for answer in item.accepted),
    )
    knowledge = item.labels.get("knowledge", ())
    return AnnotationDraft(
        general="\n\n".join(_content(item)),
        parts=(part,),
        labels=tuple(_words(item)),
        knowledge=tuple(filter(None, map(str.strip, knowledge)))
        if isinstance(knowledge, tuple)
        else (),
        difficulty=grade_in(item, "difficulty"),
        quality=grade_in(item, "quality"),
    )


def completed(draft: AnnotationDraft, item: Item) -> AnnotationDraft:
    """Return a draft in which every part has its other right answers; drafts of older projects,
    which did not have them, get those of the item."""
    original = draft_of(item).parts[0]

    def whole(part: DraftQuestion) -> DraftQuestion:
        if part.accepted is not None:
            return part
        same = part.answer_type == original.answer_type
        return replace(part, accepted=original.accepted if same else ())

    return replace(draft, parts=tuple(map(whole, draft.parts)))


def grade_in(item: Item, name: str) -> int:
    """Return the grade in an item's labels; 0 if there is none or it is not a grade."""
    value = item.labels.get(name, 0)
    grade = int(value) if isinstance(value, int) or _is_digit(value) else 0  # pyright: ignore[reportArgumentType]
    return grade if grade in SCALE else 0


def is_grade(item: Item, name: str) -> bool:
    """Return True if a label can hold a grade: its value is a grade or 0, or it is missing."""
    return name not in item.labels or item.labels[name] == 0 or bool(grade_in(item, name))


def image_number(digits: str) -> int:
    """Return the number in [IMAGE_n]; 0, which no image has, if it has ten digits or more."""
    return int(digits) if len(digits) < 10 else 0


def _content(item: Item) -> Iterator[str]:
    """Yield the segments as texts, with a mark at the beginning of each turn."""
    for number, segment in enumerate(item.content):
        if number in item.turns:
            yield TURN
        yield _text(segment, item)


def _text(segment: Segment, item: Item) -> str:
    if isinstance(segment, Image):
        number = next(k for k, image in enumerate(item.images, 1) if image is segment)
        return f"[IMAGE_{number}]"
    return _lines(segment)


def _lines(text: str) -> str:
    """Return a text with uniform line ends, because a browser changes them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _words(item: Item) -> Iterator[tuple[str, str]]:
    """Yield name and value of the labels that can be written as a line `name: value`."""
    for name, value in item.labels.items():
        graded = name in ("difficulty", "quality") and is_grade(item, name)
        plain = isinstance(value, str) and len(value.splitlines()) < 2 and ":" not in name
        if plain and not graded and isinstance(value, str):
            yield name, value.strip()


def _is_digit(value: LabelValue) -> bool:
    return isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10


def letters_for(count: int, first: Sequence[str]) -> tuple[str, ...]:
    """Return labels for `count` options: those in `first`, then unused letters."""
    rest = [letter for letter in LETTERS if letter not in first]
    return tuple([*first, *rest][:count])
