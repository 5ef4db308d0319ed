"""What guessing earns: the level below which an accuracy means nothing."""

from __future__ import annotations

from collections import Counter

import pandas as pd


def chance_levels(items: pd.DataFrame, by: str = "domain") -> pd.Series:
    """Expected accuracy of answering each item with the target of a random item of its group.

    A guesser of this kind knows how often each answer is right in a domain, but sees no picture
    and no size. Accepted alternatives count as right.

    Parameters
    ----------
    items: one row an item with `target` (canonical JSON), `accepted` (lists of it) and the label
        `by`, as `ItemBank.frame` and `Journal.items` give it.

    Returns
    -------
    Expected accuracies from 0 to 1, indexed by the values of `by`.
    """
    levels = {}
    for name, group in items.groupby(by):
        targets = Counter(group["target"])
        earned = [
            sum(targets[answer] for answer in {target, *accepted})
            for target, accepted in zip(group["target"], group["accepted"], strict=True)
        ]
        levels[name] = sum(earned) / len(group) ** 2
    return pd.Series(levels, name="chance", dtype=float).rename_axis(by)
