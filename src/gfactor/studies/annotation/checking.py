"""Problems that keep a draft from becoming items, in sentences that say what to do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gfactor.items import Item
from gfactor.items.formats import CHOSEN
from gfactor.studies.annotation.draft import (
    LETTERS,
    MARK,
    SCALE,
    TURN,
    AnnotationDraft,
    DraftQuestion,
    draft_of,
    image_number,
    letters_for,
)
from gfactor.studies.answers import ANSWER_TYPES, UnreadableError, printed, read_answer

"""Types of questions with options."""

_DOLLAR = re.compile(r"(?<!\\)\$")


@dataclass(frozen=True)
class DraftProblem:
    """Problem of a draft: the question (0: the item), and one sentence."""

    part: int
    sentence: str


def problems(draft: AnnotationDraft, item: Item) -> list[DraftProblem]:
    """Return the problems that keep a draft of an item from becoming items.

    Flaws of the item itself are not counted: an item without a key, or with a price in dollars, can
    be graded unchanged.
    """
    inherited = Counter(problem.sentence for problem in _problems(draft_of(item), item))
    return [problem for problem in _problems(draft, item) if problem.sentence not in inherited]


def types_for(item: Item) -> dict[str, str]:
    """Return the possible types of an item's question, in words.

    These are the types that need no output format, and the item's own type."""
    return {
        name: one.words
        for name, one in ANSWER_TYPES.items()
        if one.free or name == item.answer_type
    }


def hints_for(item: Item) -> dict[str, str]:
    """Return hints on writing the answer of each type, with the words that an item allows."""
    hints = {name: ANSWER_TYPES[name].hint for name in types_for(item)}
    form = item.output_format
    if form is not None:
        words = f" Words: {', '.join(form.vocabulary)}." if form.vocabulary else ""
        none = f" {form.none}: there is none." if form.none else ""
        hints[item.answer_type] = f"{ANSWER_TYPES[item.answer_type].hint.rstrip('.')}.{words}{none}"
    return hints


def as_item(part: DraftQuestion, item: Item) -> Item:
    """Return the item with a part's type; it keeps its output format only if the type stays the
    same."""
    same = part.answer_type == item.answer_type
    return replace(
        item,
        answer_type=part.answer_type,  # pyright: ignore[reportArgumentType]
        output_format=item.output_format if same else None,
        target=item.target if same else None,
    )


def option_labels(part: DraftQuestion, item: Item) -> tuple[str, ...]:
    """Return the labels of a part's options."""
    return letters_for(len(part.choices), [choice.label for choice in item.choices])


def tidied(draft: AnnotationDraft, item: Item) -> AnnotationDraft:
    """Return a draft whose answers are written as the workspace prints them, so that "A, C" and
    "CA" are alike; answers that cannot be read stay."""
    parts = []
    for part in draft.parts:
        item_of_part, labels = as_item(part, item), option_labels(part, item)

        def tidy(
            text: str, in_format: Item = item_of_part, labels: tuple[str, ...] = labels
        ) -> str:
            try:
                return printed(read_answer(text, in_format, labels), in_format)
            except UnreadableError:
                return text

        accepted = None if part.accepted is None else tuple(map(tidy, part.accepted))
        parts.append(replace(part, answer=tidy(part.answer), accepted=accepted))
    return replace(draft, parts=tuple(parts))


def _problems(draft: AnnotationDraft, item: Item) -> list[DraftProblem]:
    if draft.dropped:
        return []
    flaws = [] if draft.parts else [DraftProblem(0, "The item has no question.")]
    for name, value in (("difficulty", draft.difficulty), ("quality", draft.quality)):
        if value not in (0, *SCALE):
            flaws.append(DraftProblem(0, f"The {name} is a grade from 1 to 5."))
    for number, part in enumerate(draft.parts, 1):
        sentences = [*_text_flaws(draft, part, item)]
        if part.answer_type not in ANSWER_TYPES:
            sentences.append(f"{part.answer_type!r} is no type of answer.")
        else:
            sentences += [*_option_flaws(part), *_answer_flaws(part, item)]
        flaws += [DraftProblem(number, sentence) for sentence in sentences]
    return flaws


def _text_flaws(draft: AnnotationDraft, part: DraftQuestion, item: Item) -> Iterator[str]:
    texts = (draft.general, part.content)
    if not any(text.strip() for text in texts):
        yield "The question has no text."
    used = [mark[1] for mark in MARK.finditer("\n".join((*texts, *part.choices))) if mark[1]]
    images = len(item.images)
    if absent := sorted(set(map(image_number, used)) - set(range(1, images + 1))):
        yield f"There is no image {absent[0]}; the item has {images}."
    yield from _turn_flaws("\n".join(texts), part, item)
    if any(len(_DOLLAR.findall(text)) % 2 for text in texts):
        yield (
            "A formula is not closed: the dollar signs are odd in number. Write \\$ for a dollar "
            "that begins no formula."
        )


def _turn_flaws(text: str, part: DraftQuestion, item: Item) -> Iterator[str]:
    turns = text.split(TURN)
    if len(turns) > 1 and not item.turns:
        yield f"This item is no conversation: leave {TURN} out."
        return
    if empty := [k for k, turn in enumerate(turns, 1) if not turn.strip()]:
        yield f"Turn {empty[0]} is empty: write its text, or leave a {TURN} out."
    n_asks = item.output_format.length if item.output_format and part.answer_type == "turns" else 1
    if len(turns) < n_asks:
        yield (
            f"The answer has a part for each of {n_asks} turns, and the question has {len(turns)}: "
            f"write {TURN} where the next turn begins."
        )


def _option_flaws(part: DraftQuestion) -> Iterator[str]:
    if part.answer_type not in CHOSEN:
        return
    texts = [choice.strip() for choice in part.choices]
    if len(texts) < 2:
        yield "A question with options needs at least two; those in the picture have empty texts."
    if len(texts) > len(LETTERS):
        yield f"A question has at most {len(LETTERS)} options."
    written = [text for text in texts if text]
    if written and len(written) < len(texts):
        yield "An option is empty: write its text, or leave all empty if they are in the picture."
    if len(set(written)) < len(written):
        yield "Two options are the same."


def _answer_flaws(part: DraftQuestion, item: Item) -> Iterator[str]:
    item_of_part, labels = as_item(part, item), option_labels(part, item)
    if part.answer_type in CHOSEN and not labels:
        return
    for what, text in (
        ("", part.answer),
        *(("Other right answer: ", a) for a in part.accepted or ()),
    ):
        try:
            read_answer(text, item_of_part, labels)
        except UnreadableError as error:
            yield f"{what}{error}"
