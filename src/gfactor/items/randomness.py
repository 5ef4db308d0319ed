"""Randomness of items: one generator per item, keyed by what the item is.

Seeding with `seed + index` makes seeds overlap, numpy promises its streams only within one build,
and Python's `shuffle` and `sample` may change between versions. So every item's generator is keyed
by a hash of everything that names the item, and everything is drawn from `getrandbits` alone.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any, TypeVar

T = TypeVar("T")

_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


class ItemRandom:
    """A random generator keyed by a cell (a design point of a benchmark) and an instance in it.

    Parameters
    ----------
    cell : dict of str to str or int
        Values that the instances of one design point share (benchmark, version, edition, domain,
        seed, size ...), JSON-serializable.
    index : int
        Number of this instance in the cell, from 0.
    attempt : int
        Number of earlier attempts at the instance that were given up; balanced values do not
        change.
    reshuffled : bool
        True to shuffle an order of values again when it is used up. Otherwise it is repeated, and
        two orders whose lengths are equal or multiples of each other are dependent: a value of one
        then determines that of the other.

    Examples
    --------
    >>> from gfactor.items import ItemRandom
    >>> one = ItemRandom({"benchmark": "example", "seed": 7}, 0)
    >>> again = ItemRandom({"benchmark": "example", "seed": 7}, 0)
    >>> one.integer(1, 6) == again.integer(1, 6)
    True
    """

    def __init__(
        self,
        cell: Mapping[str, str | int],
        index: int,
        attempt: int = 0,
        *,
        reshuffled: bool = False,
    ) -> None:
        self._reshuffled = reshuffled
        self._cell = _json_of(cell)
        self._index = index
        self._draws = 0
        again = f"#attempt{attempt}" if attempt else ""
        self._random = _keyed(f"{self._cell}#{index}{again}")

    def integer(self, low: int, high: int) -> int:
        """Draw an integer from `low` to `high`, both included, with equal probabilities."""
        return _integer(self._random, low, high)

    def choice(self, values: Sequence[T]) -> T:
        """Draw one of `values`, each equally likely."""
        return values[self.integer(0, len(values) - 1)]

    def sample(self, values: Sequence[T], k: int) -> list[T]:
        """Draw the values at `k` different positions of `values`, in random order."""
        return _shuffled(self._random, values)[:k]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return all of `values` in random order."""
        return _shuffled(self._random, values)

    def chance(self, numerator: int, denominator: int) -> bool:
        """Return True with probability numerator/denominator."""
        return self.integer(1, denominator) <= numerator

    def balanced(self, values: Sequence[T]) -> T:
        """Return one of `values`; each occurs equally often over the instances of the cell.

        The instances of a cell share one random order of the values. Instance k gets the k-th
        value; after the last value the order begins again. Yes/no answers are therefore exactly
        balanced, and the cell reveals as little about the answer as the number of values allows.
        """
        if not len(values) >= 1:
            raise ValueError("there are no values to choose from")
        self._draws += 1
        again = f"#round{self._index // len(values)}" if self._reshuffled else ""
        # The key is part of every item's identity, so its first wording is kept.
        order = _shuffled(_keyed(f"{self._cell}#deal{self._draws}{again}"), range(len(values)))
        return values[order[self._index % len(order)]]


def _json_of(cell: Mapping[str, str | int]) -> str:
    """Return a cell as JSON with sorted keys."""
    parts = []
    for name in sorted(cell):
        value = cell[name]
        if type(value) is str:
            value = _quoted(value)
        elif type(value) is not int:
            return _JSON.encode(dict(cell))
        parts.append(f"{_quoted(name)}:{value}")
    return f"{{{','.join(parts)}}}"


_Generator: Any = random.Random.__base__
"""The generator of `random.Random` without its Python part, which would seed it a second time."""


def _keyed(key: str) -> Any:
    return _Generator(int.from_bytes(hashlib.sha256(key.encode()).digest(), "big"))


def _integer(source: Any, low: int, high: int) -> int:
    if high < low:
        raise ValueError(f"there is no integer from {low} to {high}")
    span = high - low + 1
    bits = span.bit_length()
    while True:
        drawn = source.getrandbits(bits)
        if drawn < span:
            return low + drawn


def _shuffled(source: Any, values: Sequence[T]) -> list[T]:
    out, draw = list(values), source.getrandbits
    for last in range(len(out) - 1, 0, -1):
        # This is `_integer` from 0 to `last` inline, because the call would take longer than the
        # draw.
        bits = (last + 1).bit_length()
        other = draw(bits)
        while other > last:
            other = draw(bits)
        out[last], out[other] = out[other], out[last]
    return out
