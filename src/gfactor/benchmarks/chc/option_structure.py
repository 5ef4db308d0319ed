"""Guesses from the relations between the options of an item, without the question. A test-wise
examinee can use them without training: the number that divides another one, the option most similar
to the others, the least similar one, or the remaining ones when options that look the same are
removed. Each of these guesses names some of the options; which guess is right most often is learned
from other items.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

Options = tuple[str, ...]
"""Contents of the options as JSON, in the order shown."""

TIE = 1e-9
"""Largest difference between two similarities that counts as a tie."""


def best_guess(learned: Sequence[tuple[Options, int]]) -> str:
    """Return the name of the guess that is right most often.

    Parameters
    ----------
    learned : sequence of (options, place of the key from 0)
        Items from which the choice of the guess is learned.
    """
    return max(GUESSES, key=lambda name: (round(share_right(name, learned), 9), name))


def share_right(name: str, judged: Sequence[tuple[Options, int]]) -> float:
    """Return the expected share of right guesses among the options that a guess names.

    A guess that names none of an item's options, or all, counts as a random guess.

    Parameters
    ----------
    name : str
        One of `GUESSES`.
    judged : sequence of (options, place of the key from 0)
    """
    total = 0.0
    for options, key in judged:
        named = GUESSES[name](options) or set(range(len(options)))
        total += (key in named) / len(named)
    return total / len(judged)


def _numbers(options: Options) -> list[int]:
    """Return the options as numbers; empty if one is not a number."""
    numbers = [json.loads(option) for option in options]
    return numbers if all(type(number) is int for number in numbers) else []


def multiples(options: Options) -> set[int]:
    """Return the options that are a multiple of another one, or of which another one is a
    multiple."""
    numbers = list(enumerate(_numbers(options)))
    pairs = [
        (a, b)
        for (a, one), (b, other) in itertools.permutations(numbers, 2)
        if one > 1 and other > one and other % one == 0
    ]
    return {number for pair in pairs for number in pair}


def most_factors(options: Options) -> set[int]:
    """Return the numbers that 2 and 3 divide most often."""
    return _greatest([_factors(number) for number in _numbers(options)])


def _factors(number: int) -> int:
    count = 0
    for prime in (2, 3):
        while number and number % prime == 0:
            number, count = number // prime, count + 1
    return count


def _greatest(values: Sequence[float]) -> set[int]:
    return {k for k, value in enumerate(values) if value >= max(values) - TIE}


def _by_rank(rank: int) -> Callable[[Options], set[int]]:
    def guess(options: Options) -> set[int]:
        numbers = _numbers(options)
        wanted = sorted(numbers)[rank] if numbers else None
        return {k for k, number in enumerate(numbers) if number == wanted}

    return guess


def _by_total(sign: int) -> Callable[[Options], set[int]]:
    def guess(options: Options) -> set[int]:
        lists = [json.loads(option) for option in options]
        if not all(isinstance(one, list) and all(type(n) is int for n in one) for one in lists):
            return set()
        return _greatest([sign * sum(one) for one in lists])

    return guess


def most_typical(options: Options) -> set[int]:
    """Return the options that share most with the others."""
    return _greatest(_likeness(options))


def least_typical(options: Options) -> set[int]:
    """Return the options that share least with the others."""
    return _greatest([-value for value in _likeness(options)])


def _likeness(options: Options) -> list[float]:
    parts = [parts_of(option) for option in options]
    return [
        sum(len(one & other) / max(1, len(one | other)) for other in parts) for one in parts
    ]  # fmt: skip


def parts_of(option: str) -> frozenset[str]:
    """Return the parts of an option: attribute and value, the members of a list, or the option."""
    plain = json.loads(option)
    if isinstance(plain, Mapping):
        return frozenset(f"{name}={json.dumps(value)}" for name, value in plain.items())
    return frozenset(map(json.dumps, plain)) if isinstance(plain, list) else frozenset([option])


def no_duplicates(options: Options) -> set[int]:
    """Return the options that do not look like another one; none if all look different."""
    looks = [look_of(option) for option in options]
    alone = {k for k, look in enumerate(looks) if looks.count(look) == 1}
    return alone if len(alone) < len(looks) else set()


@lru_cache(maxsize=65536)
def look_of(option: str) -> str:
    """Return the look of an option: points and cells independent of position and quarter turns,
    lists in any order."""
    return repr(_look(json.loads(option)))


def _look(plain: Any) -> Any:
    if isinstance(plain, list) and plain:
        if all(_is_point(one) for one in plain):
            return _turned(plain)
        if all(isinstance(one, list) for one in plain):
            return sorted((_look(one) for one in plain), key=repr)
    return plain


def _is_point(plain: Any) -> bool:
    return isinstance(plain, list) and len(plain) in (2, 3) and all(type(x) is int for x in plain)


def _turned(points: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the first of the positions of points, turned by quarters in the plane."""
    turned, current = [], [list(point) for point in points]
    for _ in range(4):
        low = [min(axis) for axis in zip(*current, strict=True)]
        turned.append(sorted([c - o for c, o in zip(p, low, strict=True)] for p in current))
        current = [[p[1], -p[0], *p[2:]] for p in current]
    return min(turned)


def odd_by_any_attribute(options: Options) -> set[int]:
    """Return the options that lack a part which all others have."""
    parts = [parts_of(option) for option in options]
    counts = Counter(part for one in parts for part in one)
    shared = {part for part, count in counts.items() if count == len(parts) - 1}
    return {k for k, one in enumerate(parts) if shared - one}


def never_odd(options: Options) -> set[int]:
    """Return the options that have every part which all others have; none if this excludes no
    option."""
    odd = odd_by_any_attribute(options)
    return set(range(len(options))) - odd if odd else set()


def longest(options: Options) -> set[int]:
    """Return the options with the most parts."""
    return _greatest([len(parts_of(option)) for option in options])


def shortest(options: Options) -> set[int]:
    """Return the options with the fewest parts."""
    return _greatest([-len(parts_of(option)) for option in options])


GUESSES: Mapping[str, Callable[[Options], set[int]]] = {
    "multiples": multiples,
    "most factors": most_factors,
    "smallest number": _by_rank(0),
    "second number": _by_rank(1),
    "second largest number": _by_rank(-2),
    "largest number": _by_rank(-1),
    "largest total": _by_total(1),
    "smallest total": _by_total(-1),
    "most typical": most_typical,
    "least typical": least_typical,
    "no duplicates": no_duplicates,
    "odd by any attribute": odd_by_any_attribute,
    "never odd": never_odd,
    "most parts": longest,
    "fewest parts": shortest,
}
"""Functions by name of a guess, from options to the positions that it names."""
