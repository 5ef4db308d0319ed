"""An item as a page shows it: texts, pictures, and the fields for an answer of its type."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from gfactor.administration.presenting.options import as_shown, shown_choices
from gfactor.benchmarks.for_people import content_for_people
from gfactor.items import Choice, Image, Item
from gfactor.items.formats import CHOSEN, readable_turns
from gfactor.items.gaps import asks_one_answer
from gfactor.studies.answers.fields import FEWEST_FIELDS, Inputs, inputs_of
from gfactor.studies.answers.written import printed
from gfactor.studies.questionnaires.order.allocation import CHECK_OPTIONS, Step
from gfactor.studies.questionnaires.pages.marking import blanks
from gfactor.studies.questionnaires.translations import Words
from gfactor.studies.web.markup import direction

Field = Literal["one", "several", "blanks", "line", "essay", "inputs", "nothing"]


@dataclass(frozen=True)
class ContentPart:
    """A piece of content: a text, or the name of a picture (see `shown_images`) and its number."""

    text: str = ""
    picture: str = ""
    number: int = 0


@dataclass(frozen=True)
class OptionView:
    """An option: its label as shown, and a text or the name of a picture."""

    label: str
    text: str = ""
    picture: str = ""


@dataclass(frozen=True, eq=False)
class View:
    """A question on a page. Views are compared by identity, so that cached results can be looked up
    fast.

    It does not contain the item's id, by which somebody with the bank could look up the key.
    `field` is the kind of answer ("nothing": a turn of a conversation that is only read), `inputs`
    are the fields of an answer of a fixed form, `key` is the right answer in the labels shown (only
    for pages that may show it), and `dir` the writing direction of the item's language. `number`
    is True if the only blank asks for a number, `is_question` if it has no mark in the text.
    """

    language: str
    dir: str
    parts: tuple[ContentPart, ...]
    options: tuple[OptionView, ...]
    field: Field
    blanks: int = 0
    inputs: Inputs | None = None
    key: str = ""
    number: bool = False
    is_question: bool = False


def item_view(
    item: Item,
    step: Step,
    fields: int = FEWEST_FIELDS,
    key: bool = False,
    turn: int | None = None,
) -> View:
    """Return the view of an item for participants, whose question has no instructions for models on
    writing the answer, because the fields show its form.

    Parameters
    ----------
    fields: number of fields of a list or a set, see `inputs.list_fields_of`.
    key: True if the page may tell the right answer.
    turn: number of the turn that is shown (from 0), for a conversation; None for all of them.
    """
    names = map(str, count())
    parts = [
        ContentPart(text=segment)
        if isinstance(segment, str)
        else ContentPart(picture=(name := next(names)), number=int(name) + 1)
        for segment in content_for_people(item)
    ]
    options = [
        OptionView(choice.label, choice.content)
        if isinstance(choice.content, str)
        else OptionView(choice.label, picture=next(names))
        for choice in _choices(item, step)
    ]
    fmt = item.output_format
    last = turn is None or turn + 1 == turns_of(item)
    if turn is not None:
        parts = parts[slice(*_span(item, turn))]
    return View(
        language=item.language,
        dir=direction(item.language),
        parts=tuple(part for part in parts if part.text or part.picture),
        options=tuple(options) if last else (),
        field=_field(item) if turn is None or asks(item, turn) else "nothing",
        blanks=blanks(item) if item.answer_type == "blanks" else 0,
        inputs=inputs_of(fmt, fields) if fmt and item.answer_type not in CHOSEN else None,
        key=key_of(item, step) if key else "",
        number=_is_number(item),
        is_question=asks_one_answer(item),
    )


def reordered(view: View, order: Sequence[int]) -> View | None:
    """Return the view of an item with its options in another order; None if it has to be made from
    the item again, because pictures among texts are named by position.

    Parameters
    ----------
    view: view of the item with its options in their own order.
    order: for each place the number of the option there.
    """
    if all(option.picture for option in view.options):
        return view  # a page names pictures by their places
    if any(option.picture for option in view.options):
        return None
    texts = [view.options[k].text for k in order]
    options = (OptionView(o.label, text) for o, text in zip(view.options, texts, strict=True))
    return replace(view, options=tuple(options))


def kind_of_options(item: Item) -> Literal["texts", "pictures", "both"]:
    """Return the kind of an item's options: "texts" if each has a text, "pictures" if none has,
    else "both".
    """
    texts = {isinstance(choice.content, str) and choice.content != "" for choice in item.choices}
    if len(texts) > 1 or len({isinstance(choice.content, str) for choice in item.choices}) > 1:
        return "both"
    return "texts" if True in texts else "pictures"


def turns_of(item: Item) -> int:
    """Return the number of turns of an item; 1 if it is no conversation."""
    return len(item.turns) + 1


def asks(item: Item, turn: int) -> bool:
    """Return True if a turn requires an answer: the last one, or in a conversation the last
    ones."""
    fmt = item.output_format
    n_asks = fmt.length if fmt is not None and fmt.answer_type == "turns" else 1
    return turn >= turns_of(item) - n_asks


def turn_pictures(item: Item, turn: int) -> range:
    """Return the pictures (see `shown_images`) of a turn, those of options with the last."""
    start, end = _span(item, turn)
    before, visible = (sum(isinstance(s, Image) for s in item.content[:k]) for k in (start, end))
    return range(before, len(item.images) if turn + 1 == turns_of(item) else visible)


def _span(item: Item, turn: int) -> tuple[int, int]:
    """Return the beginning and end of a turn in an item's content."""
    return (0, *item.turns)[turn], (*item.turns, len(item.content))[turn]


def check_view(step: Step, say: Words) -> View:
    """Return a check question; it names the option to select."""
    return View(
        language=say.language,
        dir=direction(say.language),
        parts=(ContentPart(text=say("check", option=step.item)),),
        options=tuple(OptionView(o, say("option", label=o)) for o in CHECK_OPTIONS),
        field="one",
    )


def shown_images(item: Item, step: Step) -> tuple[Image, ...]:
    """Return the pictures of a question in the order in which its page shows them; a page names
    them by their positions here, so that a name does not reveal the original option."""
    contents = (*item.content, *(choice.content for choice in _choices(item, step)))
    return tuple(content for content in contents if isinstance(content, Image))


def key_of(item: Item, step: Step) -> str:
    """Return the right answer in words, in the labels shown."""
    if item.target is not None and item.answer_type in CHOSEN:
        labels = [choice.label for choice in item.choices]
        hashed = item.provenance.content_hash
        pinned = step.pinned_positions(labels)
        displayed = as_shown(item.target, hashed, labels, step.options_seed, pinned)
        return (
            ", ".join(map(str, sorted(displayed)))
            if isinstance(displayed, tuple | frozenset)
            else str(displayed)
        )
    return printed(item.target, item).replace("\n", "; ")


def shown_text(text: str, item: Item, step: Step) -> str:
    """Return a stored answer in the labels that were shown to the person, and without the label of
    the strict form."""
    if item.answer_type not in CHOSEN or not text:
        fmt = item.output_format
        plain = readable_turns(text)
        if fmt is not None and len(fmt.labels) == 1:
            plain = re.sub(rf"(^|; ){re.escape(fmt.labels[0])}:\s*", r"\1", plain)
        return plain
    labels = [choice.label for choice in item.choices]
    hashed = item.provenance.content_hash
    chosen = tuple(text.split(", "))
    displayed = as_shown(chosen, hashed, labels, step.options_seed, step.pinned_positions(labels))
    assert isinstance(displayed, tuple)
    return ", ".join(map(str, displayed))


def _field(item: Item) -> Field:
    kinds: Mapping[str, Field] = {"choice": "one", "choices": "several"}
    if item.answer_type in kinds:
        return kinds[item.answer_type]
    if item.output_format is not None:
        return "inputs"
    others: Mapping[str, Field] = {"blanks": "blanks", "open": "essay"}
    return others.get(item.answer_type, "line")


def _is_number(item: Item) -> bool:
    """Return True if the item's only blank has a number as its key. A key below zero does not
    count, because the number pad of some phones has no minus sign."""
    if item.answer_type != "blanks" or blanks(item) != 1:
        return False
    return re.fullmatch(r"\d+([.,]\d+)?", printed(item.target, item).strip()) is not None


def _choices(item: Item, step: Step) -> tuple[Choice, ...]:
    pinned = step.pinned_positions([choice.label for choice in item.choices])
    return shown_choices(item, step.options_seed, pinned)
