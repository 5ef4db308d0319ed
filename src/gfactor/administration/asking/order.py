"""The order of items in runs that may stop early: random, and the same for all examinees."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def keyed_order(hashes: Iterable[str], seed: int = 0) -> list[str]:
    """Return item hashes in a random order that depends only on the hashes and a seed.

    It does not depend on answers, examinees or the order of a bank. An item that is added to a bank
    does not change the order of the others.

    Parameters
    ----------
    hashes : iterable of str
        Content hashes of items; repeated ones count once.
    seed : int
        Seed of the order.

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
