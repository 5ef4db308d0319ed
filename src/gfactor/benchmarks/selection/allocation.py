"""Allocation of items to strata: in proportion, or as equal as the strata allow."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

ALLOCATIONS = ("proportional", "equal")


def allocate(sizes: Mapping[K, int], n: int, how: str) -> dict[K, int]:
    """Return the number of items from each stratum, `n` in all (or all items, if there are fewer).

    `proportional` gives each stratum its share, rounded down, and the remaining items to the
    largest remainders (Hamilton's method). `equal` takes one item from each stratum in turn, until
    a stratum has no more. Ties go to the stratum that comes first.
    """
    n = min(n, sum(sizes.values()))
    if how == "equal":
        return _in_turns(sizes, n)
    total = sum(sizes.values())
    if not total:
        return dict.fromkeys(sizes, 0)
    given = {key: n * size // total for key, size in sizes.items()}
    # n <= total, so that a share rounded up is never more than the stratum has.
    rest = sorted(sizes, key=lambda key: -(n * sizes[key] % total))
    for key in rest[: n - sum(given.values())]:
        given[key] += 1
    return given


def _in_turns(sizes: Mapping[K, int], n: int) -> dict[K, int]:
    given = dict.fromkeys(sizes, 0)
    while n:
        open_ones = [key for key in sizes if given[key] < sizes[key]]
        each = max(1, min(n // len(open_ones), *(sizes[k] - given[k] for k in open_ones)))
        for key in open_ones[: n if each == 1 else len(open_ones)]:
            given[key] += each
            n -= each
    return given
