"""From the fields of a form to an answer, and what it earns: by the same rules as for models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gfactor.administration.presenting.options import option_order
from gfactor.items import Item
from gfactor.items.formats import CHOSEN
from gfactor.scoring.questions import question_about
from gfactor.scoring.replies import read_reply
from gfactor.studies.answers.fields import read_inputs
from gfactor.studies.questionnaires.order.allocation import Step
from gfactor.studies.web.forms import Fields

LONGEST = 20_000
"""Largest number of characters of an answer; an open answer of several pages fits."""


@dataclass(frozen=True)
class Marked:
    """A scored answer: its text for scoring in the item's own labels, its position on the page
    (None if it is no single option), and its earned and possible points."""

    text: str
    position: int | None
    earned: float
    possible: float

    @property
    def right(self) -> bool:
        return self.earned == self.possible


@dataclass(frozen=True)
class GivenAnswer:
    """An answer as it was given: its text, the position of a single option, and the flaw of its
    form (a key of the words; "" if there is none)."""

    text: str
    position: int | None = None
    problem: str = ""


def given(item: Item, step: Step, fields: Mapping[str, Sequence[str]]) -> GivenAnswer:
    """Return the answer in a form's fields.

    `option` holds labels as they were shown, `blank-0`, `blank-1` ... a text each, `text` a line
    or an essay; for answers of a fixed form see `inputs.read_inputs`. Labels that the item does
    not have are left out.
    """
    labels = [choice.label for choice in item.choices]
    if item.answer_type in CHOSEN:
        options = fields.get("option", ())
        chosen = [label for label in labels if label in options]
        if not chosen:
            return GivenAnswer("")
        hashed, pinned = item.provenance.content_hash, step.pinned_positions(labels)
        order = option_order(hashed, len(labels), step.options_seed, pinned)
        if item.answer_type == "choice":
            position = labels.index(chosen[0])
            return GivenAnswer(labels[order[position]], position)
        return GivenAnswer(", ".join(sorted(labels[order[labels.index(one)]] for one in chosen)))
    if item.output_format is not None:
        filled = read_inputs(item.output_format, fields)
        return GivenAnswer(filled.text, problem=filled.problem)
    if item.answer_type == "blanks":
        texts = [_line(fields.get(f"blank-{k}", [""])) for k in range(blanks(item))]
        return GivenAnswer("\n".join(texts) if any(texts) else "")
    return GivenAnswer("\n".join(fields.get("text", []))[:LONGEST].strip())


def mark(item: Item, text: str, position: int | None) -> Marked:
    """Return the score of an answer; an empty answer scores 0 for any key."""
    question = question_about(item, "default")
    if item.answer_type == "choice" and any(choice.label == text for choice in item.choices):
        # The page gives an option's label, in which there is nothing to be looked for.
        return Marked(text, position, question.points(text).earned * item.points, question.possible)
    read = read_reply(text, "ok", question).lenient if text else None
    earned = question.points(read.answer).earned * item.points if read and read.has_answer else 0.0
    return Marked(text, position, earned, question.possible)


def blanks(item: Item) -> int:
    """Return the number of blanks of a blanks item."""
    return len(item.target) if isinstance(item.target, tuple) else 1


def _line(texts: Sequence[str]) -> str:
    return " ".join(" ".join(texts)[:LONGEST].split())


def seconds_in(fields: Fields, name: str) -> float | None:
    """Parse a time that the browser measured; return None if it is not a number or an impossible
    one."""
    try:
        value = float(fields.get(name))
    except ValueError:
        return None
    return value if math.isfinite(value) and 0 <= value < 1e6 else None
