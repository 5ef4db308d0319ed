"""The table of answer types: their names, and how a person enters an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gfactor.items import Answer, AnswerType, Item
from gfactor.scoring.rules import points
from gfactor.studies.answers.written import printed


@dataclass(frozen=True)
class TypeOfAnswer:
    """An answer type in words.

    Parameters
    ----------
    name : AnswerType
        Name in banks.
    words : str
        Name for people, in English.
    fields : str
        Fields in which participants of a study enter it.
    hint : str
        Sentence on how to write it as one text, as in the annotation workspace.
    free : bool
        True if a question can get this type without an output format.
    """

    name: AnswerType
    words: str
    fields: str
    hint: str
    free: bool = False


ANSWER_TYPES: Mapping[str, TypeOfAnswer] = {
    one.name: one
    for one in (
        TypeOfAnswer(
            "choice", "one option", "one button for each option",
            "The letter of the right option.", free=True,
        ),
        TypeOfAnswer(
            "choices", "several options", "one box to tick for each option",
            "The letters of all right options, for example: A, C", free=True,
        ),
        TypeOfAnswer(
            "blanks", "blanks", "one line for each blank",
            "The text of each blank, one a line, in their order.", free=True,
        ),
        TypeOfAnswer("open", "open", "a text", "A model answer.", free=True),
        TypeOfAnswer(
            "value", "one value", "a number, or one button for each word",
            "One number or one word.",
        ),
        TypeOfAnswer(
            "tuple", "several values, each in its place", "one field for each place",
            "Each value in its place, for example: (2, 3) or ABOVE: 1, BELOW: 12",
        ),
        TypeOfAnswer(
            "list", "list in its order", "numbered fields",
            "The parts in their order, with commas between them, for example: 2, 3, 4, 1",
        ),
        TypeOfAnswer(
            "set", "set in any order", "fields in any order, or one box to tick for each word",
            "The parts in any order, with commas between them, for example: 1, 2, 3",
        ),
        TypeOfAnswer(
            "turns", "one answer to each turn", "one number in each turn that asks for one",
            "The answers in the order of the turns, with commas between them, for example: 12, 7",
        ),
    )
}  # fmt: skip
"""Answer types by name, in the order in which they are offered."""


def same_answer(first: Answer | None, second: Answer | None, item: Item) -> bool:
    """Return True if two answers are the same by the scoring rule of the item's type.

    The order counts in a list and not in a set; texts of blanks are compared in their normal form.
    Open answers are the same only if they are equal, since their rule compares in degrees.
    """
    if first == second:
        return True
    if first is None or second is None or item.answer_type == "open":
        return False
    return all(
        points(one, other, (), item.answer_type).full
        for one, other in ((first, second), (second, first))
    )


def exported(answer: Answer | None, item: Item) -> str:
    """Return the answer as a text in the form that scoring reads from replies."""
    if item.output_format is not None:
        return item.output_format.render(answer)
    return printed(answer, item)
