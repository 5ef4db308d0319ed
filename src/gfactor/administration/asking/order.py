"""The order in which items are asked where asking may stop early: random, and the same for all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def keyed_order(hashes: Iterable[str], seed: int = 0) -> list[str]:
    """Return item hashes in a random order that depends on them and a seed alone.

    Never on answers, on who is asked, or on the order of a bank; an item that is added to a bank
    leaves the order of the others as it is.

    Parameters
    ----------
    hashes : iterable of str
        Content hashes of items; repeated ones count once.
    seed : int
        Another seed, another order.

    Returns
    -------
    list of str
        The hashes in their random order.

    Examples
    --------
    >>> keyed_order(["a", "b", "c", "d"]) == keyed_order(["d", "c", "b", "a", "a"])
    True
    >>> keyed_order(["a", "b", "c", "d"], seed=1)
    ['c', 'a', 'd', 'b']
    """
    return sorted(
        set(hashes), key=lambda item: hashlib.sha256(f"{seed}|{item}".encode()).hexdigest()
    )
