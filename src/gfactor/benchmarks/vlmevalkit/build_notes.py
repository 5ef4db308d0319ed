"""Notes on a bank for its builder: rules that were chosen, questions without words, labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gfactor.items.formats import RULE_LABEL, TOLERANCE_LABEL
from gfactor.listing import first_few

_OF_ALL_BANKS = {"domain", "image_type", RULE_LABEL, TOLERANCE_LABEL}
"""Labels that are not news."""
_MOST_NAMES = 3
_MOST_LABELS = 12


def notes_on(
    rows: Iterable[Mapping[str, Any]], ruled: frozenset[str], both: frozenset[str]
) -> Iterator[str]:
    """Yield sentences about the items of a bank.

    Parameters
    ----------
    rows: id, content and labels of each item.
    ruled: data sets whose numbers are scored as numbers although no column says so.
    both: data sets with a column `domain` and a column `category`.
    """
    numbers, items, wordless, labels = 0, 0, list[str](), dict[str, None]()
    for row in rows:
        items += 1
        present = {name for name, value in row["labels"].items() if value is not None}
        labels.update(dict.fromkeys(n for n in row["labels"] if n in present - _OF_ALL_BANKS))
        dataset = row["id"].partition("/")[0]
        numbers += dataset in ruled and row["labels"].get(RULE_LABEL) == "number"
        if not any((segment["text"] or "").strip() for segment in row["content"]):
            wordless.append(row["id"])
    if numbers:
        one = numbers == 1
        yield (
            f"{numbers:,} {'key is a number' if one else 'keys are numbers'}: an answer is right "
            "by its only number (scoring_rule number), with or without a unit. A column "
            "scoring_rule with 'exact text' compares texts; a column tolerance allows a distance"
        )
    if wordless:
        yield (
            f"{len(wordless):,} of {items:,} items have no question, only a picture "
            f"({first_few(wordless, _MOST_NAMES)})"
        )
    if both:
        yield "the domain is the column domain; the column category is a label"
    if labels:
        yield f"labels for --by, besides domain: {first_few(labels, _MOST_LABELS)}"
