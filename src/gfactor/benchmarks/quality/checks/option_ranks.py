"""Check of whether the rank of an option, by its number, length or picture file, gives the answer
away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
from gfactor.benchmarks.quality.chance import AgainstChance, against_chance
from gfactor.benchmarks.quality.check import CheckOutcome, register, too_few
from gfactor.benchmarks.quality.finding import Finding, counted
from gfactor.numbers_in_text import p_value

LEAST = 30
"""Least number of items for the test of a rank."""

ALPHA = 0.01
"""Level of the family of tests, one for each rank of each quantity (Bonferroni)."""

_NUMBER = re.compile(r"([^\d.+−-]*)([+−-]?(?:\d[\d,]*\.?\d*|\.\d+))([^\d]*)")
"""A number with the words or signs before and after it, such as "$ 1,200" or "35 cm"."""

_ENDS = {"number": ("largest", "smallest"), "picture": ("largest", "smallest")}
"""Quantities whose first and last rank are tested here, with the words for these. The longest and
the shortest option are those of the check `option_length`."""

_SENTENCES = {
    "number": ("The {rank} number among the options", "The {rank} numbers among the options"),
    "length": ("", "The {rank} options"),
    "picture": ("The option whose picture is the {rank} file",
                "The option whose picture is the {rank} files"),
}  # fmt: skip
"""Beginning of a sentence about an end ("largest"), and about a rank between ("third-largest of
5")."""

_ORDINALS = ("", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
"""Words for the ranks between the ends, from rank 1 on; later ones are "10th"."""


@dataclass(frozen=True)
class _Ranked:
    """An item by the rank of its key: 0 is the largest of `options`."""

    rank: int
    options: int


@register("option_ranks", "is the key too often the option of one rank: number, length, file size")
def check(survey: Survey) -> CheckOutcome:
    """Test how often the key has each rank among the options of an item.

    Options are ordered by their numbers, by the length of their texts, or by the size of their
    picture files (of items that no program drew). Items whose options tie are left out.
    """
    ranked: dict[str, list[_Ranked]] = {"number": [], "length": [], "picture": []}
    # The translations of an item are one unit.
    units = {item.id.removesuffix(f"-{item.language}"): item for item in survey.items}
    for item in units.values():
        quantity, values = _values(item)
        labels = [option.label for option in item.options]
        if quantity and item.target in labels and len(set(values)) == len(values) > 1:
            key = values[labels.index(item.target)]
            ranked[quantity].append(_Ranked(sum(v > key for v in values), len(values)))
    tests = [one for quantity, items in ranked.items() for one in _tests(quantity, items)]
    findings = [
        _finding(quantity, rank, cue, len(tests))
        for quantity, rank, cue in tests
        if cue.p * len(tests) < ALPHA and cue.share > cue.chance
    ]
    measures = {f"{quantity}: {rank}": cue.to_dict() for quantity, rank, cue in tests}
    return CheckOutcome(
        sum(len(items) for items in ranked.values() if len(items) >= LEAST),
        tuple(findings),
        measures,
        untested=too_few(
            {f"with options by {name}": len(items) for name, items in ranked.items()}, LEAST
        ),
    )


def _values(item: SurveyedItem) -> tuple[str, list[float]]:
    """Return the quantity by which the options of an item are ordered, and its values; "" if it is
    no single-choice item."""
    if item.answer_type != "choice" or len(item.options) < 2:
        return "", []
    texts = [option.text for option in item.options]
    if all(text is None for text in texts):
        looks = () if item.generated else item.looks[-len(texts) :]
        return ("picture", [float(look.stored) for look in looks]) if looks else ("", [])
    words = [(text or "").strip() for text in texts]
    if not all(words):
        return "", []
    matches = [_NUMBER.fullmatch(word) for word in words]
    parts = [match.groups() for match in matches if match]
    if len(parts) == len(words) and len({(before, after) for before, _, after in parts}) == 1:
        return "number", [float(n.replace(",", "").replace("−", "-")) for _, n, _ in parts]
    return "length", [float(len(word)) for word in words]


def _tests(quantity: str, items: Sequence[_Ranked]) -> Iterator[tuple[str, str, AgainstChance]]:
    """Yield the comparison of each rank with chance: the ends over all items, the ranks between
    them by number of options."""
    if quantity in _ENDS and len(items) >= LEAST:
        options = [one.options for one in items]
        first, last = _ENDS[quantity]
        yield quantity, first, against_chance(sum(one.rank == 0 for one in items), options)
        at_end = sum(one.rank == one.options - 1 for one in items)
        yield quantity, last, against_chance(at_end, options)
    for k in sorted({one.options for one in items}):
        here = [one.rank for one in items if one.options == k]
        if len(here) >= LEAST:
            for rank in range(1, k - 1):
                cue = against_chance(here.count(rank), [k] * len(here))
                yield quantity, _rank_between(quantity, rank, k), cue


def _rank_between(quantity: str, rank: int, k: int) -> str:
    """Return the name of a rank between the ends: "third-largest of 5"."""
    ordinal = _ORDINALS[rank] if rank < len(_ORDINALS) else f"{rank + 1}th"
    return f"{ordinal}-{'longest' if quantity == 'length' else 'largest'} of {k}"


def _finding(quantity: str, rank: str, cue: AgainstChance, tests: int) -> Finding:
    over = f"over {counted(tests, 'test')} p {p_value(min(1.0, cue.p * tests), '= ')}"
    start = _SENTENCES[quantity][" of " in rank].format(rank=rank)
    return Finding(
        f"{quantity}_rank_cue",
        "warning",
        f"{start} is right in {cue}; {over}.",
        "Draw wrong options on both sides of the key; whoever takes that rank earns that much.",
        values={"rank": rank, "tests": tests, **cue.to_dict()},
    )
