"""Options that are numbers: the number that a reply without a label concludes with chooses one.

"One on the sill, two on the bench, two by the door. In total there are five cats." is the option 5.
"""

from __future__ import annotations

from fractions import Fraction

from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.claims import HINTED, Claim
from gfactor.scoring.extraction.concluded import concluded_number
from gfactor.scoring.extraction.factuality import last_sentence
from gfactor.scoring.extraction.normalize import Cleaned
from gfactor.scoring.extraction.verdicts import groups_in
from gfactor.scoring.extraction.writing_of_numbers import writing_of

_LONGEST = 1500


def find_number(cleaned: Cleaned, text: str, task: ReadingTask) -> Claim | None:
    """Return the option that is the number with which a reply concludes; None if it is none."""
    numbers = _numbers(task)
    if not numbers or len(text) > _LONGEST or groups_in(text, task):
        return None
    has_decimals = any(number.denominator > 1 for number in numbers)
    writing = writing_of([cleaned.prose.text], has_decimals=has_decimals)
    conclusion = concluded_number(cleaned, "", "", writing)
    given = conclusion.answer if conclusion else None
    number = _value(str(given[0])) if isinstance(given, tuple) else None
    label = numbers.get(number) if number is not None else None
    named = {x for x, start, _ in task.texts.mentions(text) if start >= last_sentence(text)}
    if label is None or len(named - {label}) > 1:
        return None
    return Claim(ReadLabels(frozenset({label}), "", 0, len(text)), HINTED, "number", 0)


def _numbers(task: ReadingTask) -> dict[Fraction, str]:
    """Return label by number if the options are numbers, or numbers of things."""
    texts = task.texts
    if not texts.counts_things:
        return texts.plain_numbers
    values = {_value(number): label for number, label in texts.number_of.items()}
    return {number: label for number, label in values.items() if number is not None}


def _value(number: str) -> Fraction | None:
    """Return the value of a number in digits; None if it is not plain digits."""
    try:
        return Fraction(number.replace(",", ".").replace(" ", ""))
    except (ValueError, ZeroDivisionError):
        return None
