"""What an annotator edits: an item as texts, and back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from gfactor.errors import ParameterError
from gfactor.items import Answer, Choice, Image, Item, LabelValue, Provenance, Segment, digest_of

TYPES: Mapping[str, str] = {
    "choice": "one option",
    "choices": "several options",
    "blanks": "blanks",
    "open": "open",
}
"""Answer types that an annotator may give a question, in words."""

SCALE = (1, 2, 3, 4, 5)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_IMAGE = re.compile(r"\[IMAGE_(\d+)\]")


@dataclass(frozen=True)
class Part:
    """One question: its own text, its type, its options (one a line), its answer.

    The answer is labels for options ("A", "A, C"), one text a line for blanks, a text for open
    questions. `analysis` explains it.
    """

    content: str = ""
    answer_type: str = "choice"
    choices: tuple[str, ...] = ()
    answer: str = ""
    analysis: str = ""


@dataclass(frozen=True)
class Draft:
    """An item as it is edited (MULTI, appendix E.2).

    Parameters
    ----------
    general: what all questions share; images stand in the texts as [IMAGE_1], [IMAGE_2] ...
    parts: the questions, one or more.
    labels: level, subject and other labels that are words.
    knowledge: pieces of knowledge that the item needs.
    difficulty, quality: 1 to 5, 0 where not graded.
    dropped: why the item is to be left out; "" where it stays.
    """

    general: str = ""
    parts: tuple[Part, ...] = (Part(),)
    labels: tuple[tuple[str, str], ...] = ()
    knowledge: tuple[str, ...] = ()
    difficulty: int = 0
    quality: int = 0
    dropped: str = ""

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Draft:
        """The inverse of `to_json`; ParameterError where the text is no draft."""
        try:
            held = json.loads(text)
            json.dumps(held, ensure_ascii=False).encode()  # half a character cannot be stored
            parts = tuple(
                Part(
                    str(p.get("content", "")),
                    str(p.get("answer_type", "choice")),
                    tuple(map(str, p.get("choices", ()))),
                    str(p.get("answer", "")),
                    str(p.get("analysis", "")),
                )
                for p in held.get("parts", ())
            )
            return cls(
                str(held.get("general", "")),
                parts,
                tuple((str(k), str(v)) for k, v in held.get("labels", ())),
                tuple(map(str, held.get("knowledge", ()))),
                int(held.get("difficulty", 0)),
                int(held.get("quality", 0)),
                str(held.get("dropped", "")),
            )
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise ParameterError(f"this is no draft of an item: {error}") from error


@dataclass(frozen=True)
class Problem:
    """What is wrong with a draft: in which question (0: the item), in one sentence."""

    part: int
    sentence: str


def draft_of(item: Item) -> Draft:
    """An item as a draft: its labels that are words, its images as [IMAGE_n]."""
    numbers = {id(image): k for k, image in enumerate(item.images, 1)}

    def text(segment: Segment) -> str:
        return segment if isinstance(segment, str) else f"[IMAGE_{numbers[id(segment)]}]"

    labels = dict(item.labels)
    grades = {name: _grade(labels.pop(name, 0)) for name in ("difficulty", "quality")}
    knowledge = labels.pop("knowledge", ())
    words = tuple((k, v) for k, v in labels.items() if isinstance(v, str))
    part = Part(
        "",
        item.answer_type,
        tuple(text(choice.content) for choice in item.choices),
        _answer_text(item),
    )
    return Draft(
        general="\n\n".join(map(text, item.content)),
        parts=(part,),
        labels=words,
        knowledge=knowledge if isinstance(knowledge, tuple) else (),
        difficulty=grades["difficulty"],
        quality=grades["quality"],
    )


def image_number(digits: str) -> int:
    """The number in [IMAGE_n]; 0, which no image has, where it is longer than any."""
    return int(digits) if len(digits) < 10 else 0


def problems(draft: Draft, images: int) -> list[Problem]:
    """What keeps a draft from becoming items; `images` is how many the item has."""
    if draft.dropped:
        return []
    flaws = [] if draft.parts else [Problem(0, "The item has no question.")]
    for name, value in (("difficulty", draft.difficulty), ("quality", draft.quality)):
        if value not in (0, *SCALE):
            flaws.append(Problem(0, f"The {name} is a grade from 1 to 5."))
    for number, part in enumerate(draft.parts, 1):
        flaws += [Problem(number, sentence) for sentence in _part_problems(draft, part, images)]
    return flaws


def items_of(draft: Draft, item: Item, by: str) -> list[Item]:
    """The items that a draft makes of an item: one per question, none where it is dropped.

    They carry the item's identity as the label `edited_from` and the annotator as
    `annotated_by`; ids of several questions end in -1, -2 ...

    Raises ParameterError with the item's id and the first of `problems`.
    """
    if draft.dropped:
        return []
    if wrong := problems(draft, len(item.images)):
        where = f", question {wrong[0].part}" if wrong[0].part else ""
        raise ParameterError(f"item {item.id!r}{where}: {wrong[0].sentence}")
    labels: dict[str, LabelValue] = {
        **{k: v for k, v in item.labels.items() if not isinstance(v, str)},
        **dict(draft.labels),
        "difficulty": draft.difficulty,
        "quality": draft.quality,
        "knowledge": draft.knowledge,
        "edited_from": item.provenance.content_hash,
        "annotated_by": by,
    }
    items = []
    for number, part in enumerate(draft.parts, 1):
        name = item.id if len(draft.parts) == 1 else f"{item.id}-{number}"
        items.append(_item(item, name, draft, part, labels))
    return items


def _item(
    item: Item, name: str, draft: Draft, part: Part, labels: Mapping[str, LabelValue]
) -> Item:
    text = "\n\n".join(t for t in (draft.general.strip(), part.content.strip()) if t)
    kind: Any = part.answer_type
    chosen = kind in ("choice", "choices")
    choices = tuple(
        Choice(letter, _content(choice, item))
        for letter, choice in zip(LETTERS, part.choices, strict=False)
    )
    target = _target(part)
    same = (text, part.answer_type, part.choices, part.answer)
    digest = digest_of([item.provenance.content_hash, *map(str, same)])
    provenance = replace(item.provenance, content_hash=digest, scene="", pixel_hashes=())
    return Item(
        id=name,
        benchmark=item.benchmark,
        content=_segments(text, item),
        answer_type=kind,
        target=target,
        labels=labels,
        provenance=_with_pixels(provenance, item, text, choices if chosen else ()),
        choices=choices if chosen else (),
        language=item.language,
        points=item.points,
        output_format=item.output_format if kind == item.answer_type else None,
    )


def _with_pixels(
    provenance: Provenance, item: Item, text: str, choices: tuple[Choice, ...]
) -> Provenance:
    """Pixel hashes of the images that are still used, in the order in which they are."""
    hashes = dict(zip((id(i) for i in item.images), item.provenance.pixel_hashes, strict=False))
    used = [s for s in _segments(text, item) if isinstance(s, Image)]
    used += [c.content for c in choices if isinstance(c.content, Image)]
    used_hashes = [hashes.get(id(image), "") for image in used]
    return replace(provenance, pixel_hashes=tuple(used_hashes) if all(used_hashes) else ())


def _segments(text: str, item: Item) -> tuple[Segment, ...]:
    """A text with its images in their places."""
    pieces: list[Segment] = []
    for k, piece in enumerate(_IMAGE.split(text)):
        if k % 2:
            pieces.append(item.images[int(piece) - 1])
        elif piece.strip():
            pieces.append(piece.strip("\n"))
    return tuple(pieces)


def _content(text: str, item: Item) -> Segment:
    """An option: an image where it is nothing but one, else a text."""
    alone = _IMAGE.fullmatch(text.strip())
    return item.images[int(alone.group(1)) - 1] if alone else text.strip()


def _target(part: Part) -> Answer:
    answer = part.answer.strip()
    if part.answer_type == "choices":
        return tuple(sorted(set(re.findall(r"[A-Z]", answer))))
    if part.answer_type == "blanks":
        return tuple(line.strip() for line in answer.splitlines() if line.strip())
    return answer


def _part_problems(draft: Draft, part: Part, images: int) -> list[str]:
    sentences = []
    if part.answer_type not in TYPES:
        sentences.append(f"{part.answer_type!r} is no type of answer.")
    if not (draft.general.strip() or part.content.strip()):
        sentences.append("The question has no text.")
    used = _IMAGE.findall("\n".join((draft.general, part.content, *part.choices)))
    if absent := sorted(set(map(image_number, used)) - set(range(1, images + 1))):
        sentences.append(f"There is no image {absent[0]}; the item has {images}.")
    if part.answer_type in ("choice", "choices"):
        texts = [choice.strip() for choice in part.choices]
        if len(texts) < 2:
            sentences.append("A question with options needs at least two.")
        if len(texts) > len(LETTERS):
            sentences.append(f"A question has at most {len(LETTERS)} options.")
        if not all(texts):
            sentences.append("An option is empty.")
        if len(set(texts)) < len(texts):
            sentences.append("Two options are the same.")
        letters = set(re.findall(r"[A-Z]", part.answer))
        if not letters or not letters <= set(LETTERS[: len(texts)]):
            sentences.append("The answer names no option, or one that is not there.")
        elif part.answer_type == "choice" and len(letters) > 1:
            sentences.append("The answer names several options; the type is one option.")
    elif not part.answer.strip():
        sentences.append("The answer is empty.")
    if part.content.count("$") % 2 or draft.general.count("$") % 2:
        sentences.append("A formula is not closed: the dollar signs are odd in number.")
    return sentences


def _grade(value: LabelValue) -> int:
    return (
        int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdigit()) else 0
    )


def _answer_text(item: Item) -> str:
    target = item.target
    if item.answer_type == "blanks" and isinstance(target, tuple):
        return "\n".join(map(str, target))
    if isinstance(target, tuple | frozenset):
        return ", ".join(sorted(map(str, target)))
    return "" if target is None else str(target)
