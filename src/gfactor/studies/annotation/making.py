"""The items that a draft makes of an item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gfactor.errors import ParameterError
from gfactor.items import Answer, Choice, Image, Item, LabelValue, Provenance, Segment, digest_of
from gfactor.items.formats import CHOSEN
from gfactor.studies.annotation.checking import as_item, option_labels, problems
from gfactor.studies.annotation.draft import (
    MARK,
    AnnotationDraft,
    DraftQuestion,
    completed,
    draft_of,
    is_grade,
)
from gfactor.studies.answers import read_answer


def items_of(draft: AnnotationDraft, item: Item, by: str) -> list[Item]:
    """Return the items that result from a draft of an item: one per question, none if it is
    dropped.

    The label `edited_from` is the original item's identity, and `annotated_by` the annotator. Ids
    of several questions end in -1, -2 ... Parts that a draft does not change stay identical, byte
    by byte. An item that is only graded or labeled keeps its identity, so that answers to it remain
    valid.

    Raises ParameterError with the item's id and the first of `problems`.
    """
    if draft.dropped:
        return []
    if wrong := problems(draft, item):
        where = f", question {wrong[0].part}" if wrong[0].part else ""
        raise ParameterError(f"item {item.id!r}{where}: {wrong[0].sentence}")
    draft, labels = completed(draft, item), _labels(draft, item, by)
    items = []
    for number, part in enumerate(draft.parts, 1):
        name = item.id if len(draft.parts) == 1 else f"{item.id}-{number}"
        items.append(_item(item, name, draft, part, labels))
    return items


def _labels(draft: AnnotationDraft, item: Item, by: str) -> dict[str, LabelValue]:
    """The labels of the item, with the changes of the draft. A label named difficulty, quality or
    knowledge with another meaning in the item's benchmark (the level of a generated item) stays;
    the annotators' values are then `annotated_difficulty` ...
    """
    original = draft_of(item)
    labels: dict[str, LabelValue] = {
        name: value for name, value in item.labels.items() if name not in dict(original.labels)
    }
    before = dict(original.labels)
    for name, value in draft.labels:
        labels[name] = item.labels[name] if before.get(name) == value else value
    for name in ("difficulty", "quality"):
        grade: int = getattr(draft, name)
        if not is_grade(item, name):
            labels[f"annotated_{name}"] = grade
        elif grade != getattr(original, name) or name not in item.labels:
            labels[name] = str(grade) if isinstance(item.labels.get(name), str) else grade
    if isinstance(item.labels.get("knowledge", ()), tuple):
        if draft.knowledge != original.knowledge or "knowledge" not in item.labels:
            labels["knowledge"] = draft.knowledge
    else:
        labels["annotated_knowledge"] = draft.knowledge
    return {**labels, "edited_from": item.provenance.content_hash, "annotated_by": by}


def _item(
    item: Item,
    name: str,
    draft: AnnotationDraft,
    part: DraftQuestion,
    labels: Mapping[str, LabelValue],
) -> Item:
    kind: Any = part.answer_type
    original = draft_of(item)
    content, turns = item.content, item.turns
    if (draft.general, part.content) != (original.general, ""):
        text = "\n\n".join(t for t in (draft.general.strip(), part.content.strip()) if t)
        content, turns = _segments(text, item)
    choices = item.choices if part.choices == original.parts[0].choices else _choices(part, item)
    choices = choices if kind in CHOSEN else ()
    texts = (draft.general, replace(part, analysis=""))
    if texts == (original.general, original.parts[0]):
        provenance = item.provenance  # only graded or labeled, so the question is unchanged
    else:
        digest = digest_of([item.provenance.content_hash, *map(str, texts)])
        provenance = _provenance(item, digest, content, choices)
    return Item(
        id=name,
        benchmark=item.benchmark,
        content=content,
        answer_type=kind,
        target=_target(part, item),
        accepted=_accepted(part, item),
        labels=labels,
        provenance=provenance,
        choices=choices,
        language=item.language,
        points=item.points,
        output_format=as_item(part, item).output_format,
        turns=turns,
    )


def _choices(part: DraftQuestion, item: Item) -> tuple[Choice, ...]:
    labels = option_labels(part, item)
    return tuple(
        Choice(label, _option(text, item)) for label, text in zip(labels, part.choices, strict=True)
    )


def _target(part: DraftQuestion, item: Item) -> Answer | None:
    original = draft_of(item).parts[0]
    if (part.answer_type, part.answer) == (original.answer_type, original.answer):
        return item.target
    target = read_answer(part.answer, as_item(part, item), option_labels(part, item))
    if part.answer_type == "blanks" and isinstance(item.target, str) and isinstance(target, tuple):
        return target[0] if len(target) == 1 else target
    return target


def _accepted(part: DraftQuestion, item: Item) -> tuple[Answer, ...]:
    original = draft_of(item).parts[0]
    if (part.answer_type, part.accepted) == (original.answer_type, original.accepted):
        return item.accepted
    item_of_part, labels = as_item(part, item), option_labels(part, item)
    answers = [read_answer(text, item_of_part, labels) for text in part.accepted or ()]
    return tuple(answer for answer in answers if answer is not None)


def _provenance(
    item: Item, digest: str, content: tuple[Segment, ...], choices: tuple[Choice, ...]
) -> Provenance:
    """The item's provenance, with the new identity and the pixel hashes of the images still
    used."""
    hashes = dict(zip((id(i) for i in item.images), item.provenance.pixel_hashes, strict=False))
    used = [*content, *(choice.content for choice in choices)]
    found_hashes = [hashes.get(id(image), "") for image in used if isinstance(image, Image)]
    pixel_hashes = tuple(found_hashes) if all(found_hashes) else ()
    return replace(item.provenance, content_hash=digest, scene="", pixel_hashes=pixel_hashes)


def _segments(text: str, item: Item) -> tuple[tuple[Segment, ...], tuple[int, ...]]:
    """A text with its images in their positions, and the beginnings of its second and later
    turns."""
    pieces: list[Segment] = []
    turns: list[int] = []
    end = 0
    for mark in [*MARK.finditer(text), None]:
        piece = text[end : mark.start() if mark else None]
        if piece.strip():
            pieces.append(piece.strip("\n"))
        if mark is None:
            break
        end = mark.end()
        if mark[1]:
            pieces.append(item.images[int(mark[1]) - 1])
        else:
            turns.append(len(pieces))
    return tuple(pieces), tuple(turns)


def _option(text: str, item: Item) -> Segment:
    """An option: an image if it contains only one, else a text."""
    alone = MARK.fullmatch(text.strip())
    return item.images[int(alone[1]) - 1] if alone and alone[1] else text.strip()
