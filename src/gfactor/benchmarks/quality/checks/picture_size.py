"""Check of whether the size of a picture, in bytes or pixels, gives the answer away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
from gfactor.benchmarks.quality.check import CheckOutcome, register, too_few
from gfactor.benchmarks.quality.finding import Finding, counted
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics import wilson

LEAST = 30
"""Least number of items with the same number of options for a test."""

ALPHA = 0.01
"""Level of the family of tests, one for each quantity and number of options (Bonferroni)."""

PERMUTATIONS = 999
"""Number of permutations of the keys for a p value."""

_MOST = 2_000
"""Largest number of items in a test, drawn at random."""

_BESIDE = (-2, -1, 1, 2)
"""Relative positions, in the order of size, of the neighbors whose keys give the guess."""

_QUANTITIES = {"bytes": "the bytes of the picture files", "pixels": "the sizes of the pictures"}


@register("picture_size", "do the bytes or pixels of an item's pictures tell its key")
def check(survey: Survey) -> CheckOutcome:
    """Guess each key from the items whose pictures are next in size, and compare the share right
    with that of permuted keys.

    Items that share their pictures count once. Items that a program drew are left to the cues of
    their families.
    """
    groups: dict[int, dict[tuple[str, ...], SurveyedItem]] = {}
    for item in survey.items:
        labels = [option.label for option in item.options]
        if not item.generated and _is_choice(item) and item.looks and item.target in labels:
            pictures = tuple(look.digest for look in item.looks)
            groups.setdefault(len(labels), {}).setdefault(pictures, item)
    tested = {k: [*items.values()] for k, items in groups.items() if len(items) >= LEAST}
    rows: list[dict[str, Any]] = []
    for k, items in sorted(tested.items()):
        for quantity in _QUANTITIES:
            values = np.array([_size(item, quantity) for item in items])
            keys = np.array([[o.label for o in item.options].index(item.target) for item in items])
            # A quantity or a key that is the same in all items cannot be tested.
            if np.ptp(values) and np.ptp(keys):
                rows.append({"quantity": quantity, "options": k, **_guessed(values, keys, k)})
    findings = [_finding(row, len(rows)) for row in rows if row["p"] * len(rows) < ALPHA]
    return CheckOutcome(
        sum(map(len, tested.values())),
        tuple(findings),
        {"tests": rows},
        untested=too_few({f"with {k} options": len(groups[k]) for k in sorted(groups)}, LEAST),
    )


def _is_choice(item: SurveyedItem) -> bool:
    return item.answer_type == "choice" and len(item.options) > 1


def _size(item: SurveyedItem, quantity: str) -> int:
    if quantity == "bytes":
        return sum(look.stored for look in item.looks)
    return sum(look.width * look.height for look in item.looks)


def _guessed(values: NDArray[Any], keys: NDArray[np.int_], options: int) -> dict[str, Any]:
    """Return the share of keys that the neighbors by size guess, and its permutation test."""
    rng = np.random.default_rng(len(values))
    taken = rng.permutation(len(values))[:_MOST]
    # Items of equal size stand in random order, not in the bank's.
    order = taken[np.argsort(values[taken], kind="stable")]
    right = _right(keys[order], options)
    permuted = [_right(rng.permutation(keys[order]), options) for _ in range(PERMUTATIONS)]
    n = len(order)
    low, high = (float(end) for end in wilson(right, n))
    return {
        "n": n, "right": right, "share": round(right / n, 6), "low": round(low, 6),
        "high": round(high, 6), "chance": round(float(np.mean(permuted)) / n, 6),
        "p": (1 + sum(one >= right for one in permuted)) / (1 + PERMUTATIONS),
    }  # fmt: skip


def _right(keys: Sequence[int] | NDArray[np.int_], options: int) -> int:
    """Return the number of keys, in the order of size, that most of their neighbors have."""
    reach = max(_BESIDE)
    padded = np.zeros((len(keys) + 2 * reach, options))
    padded[np.arange(len(keys)) + reach, keys] = 1
    votes = sum(padded[reach + offset : reach + offset + len(keys)] for offset in _BESIDE)
    return int((np.argmax(votes, axis=1) == keys).sum())


def _finding(row: dict[str, Any], tests: int) -> Finding:
    over = f"over {counted(tests, 'test')} p {p_value(min(1.0, row['p'] * tests), '= ')}"
    return Finding(
        f"picture_{row['quantity']}_cue",
        "warning",
        f"Guessing each key from the items that are next in {_QUANTITIES[row['quantity']]} is "
        f"right in {row['right']:,} of {row['n']:,} items with {row['options']} options "
        f"({row['share']:.1%}, 95 % interval {row['low']:.1%} to {row['high']:.1%}; with permuted "
        f"keys {row['chance']:.1%}; {over}).",
        "Make pictures of all keys alike in format, size and number of shapes, or permute options.",
        values={**row, "tests": tests},
    )
