"""Things to be put in order: sizes that differ clearly, and labels that do not give the order."""

from __future__ import annotations

from itertools import permutations

from gfactor.items import ItemRandom


def balanced_order(rng: ItemRandom, count: int) -> list[int]:
    """Return the labels 1..count in the order of the answer; its first two labels are balanced."""
    labels = range(1, count + 1)
    first = rng.balanced(list(permutations(labels, min(2, count))))
    return [*first, *rng.shuffled([label for label in labels if label not in first])]


def spread(rng: ItemRandom, count: int, low: int, high: int, apart: int) -> list[int]:
    """Return `count` integers from `low` to `high`, ascending, at least `apart` from each other.

    Every such selection is equally likely. Raises ValueError if there is none.
    """
    slack = high - low - apart * (count - 1)
    if slack < 0:
        raise ValueError(f"{count} numbers {apart} apart do not fit between {low} and {high}")
    # Squeezing out all but 1 of each distance leaves a plain choice without repetition.
    chosen = sorted(rng.sample(range(slack + count), count))
    return [low + value + (apart - 1) * rank for rank, value in enumerate(chosen)]
