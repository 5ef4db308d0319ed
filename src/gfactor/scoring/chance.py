"""What guessing earns: the level below which an accuracy means nothing."""

from __future__ import annotations

import math
from collections import Counter

import pandas as pd


def chance_levels(items: pd.DataFrame, by: str = "domain") -> pd.Series:
    """Expected accuracy of answering each item with the target of another item of its group.

    The other item is drawn at random. A guesser of this kind knows how often each answer is right
    in a domain, but sees no picture and no size; leaving out the item itself keeps the level right
    for small samples too. Accepted alternatives count as right.

    Parameters
    ----------
    items: one row an item with `target` (canonical JSON), `accepted` (lists of it) and the label
        `by`, as `ItemBank.frame` and `Journal.items` give it.

    Returns
    -------
    Expected accuracies from 0 to 1, indexed by the values of `by`; NaN for a group of one item.
    """
    levels = {}
    for name, group in items.groupby(by):
        targets = Counter(group["target"])
        earned = [
            sum(targets[answer] for answer in {target, *accepted}) - 1
            for target, accepted in zip(group["target"], group["accepted"], strict=True)
        ]
        pairs = len(group) * (len(group) - 1)
        levels[name] = sum(earned) / pairs if pairs else math.nan
    return pd.Series(levels, name="chance", dtype=float).rename_axis(by)
