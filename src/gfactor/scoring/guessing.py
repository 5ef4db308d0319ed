"""What blind guessing among the options earns, item by item."""

from __future__ import annotations

import json

import pandas as pd


def guess_levels(items: pd.DataFrame) -> pd.DataFrame:
    """What is expected of who picks options without looking: never an interval, since it is exact.

    Of `choice` items one of k options, each as likely. Of `choices` items every set of options but
    the empty one, each as likely, as `baseline:random` draws them (MULTI, section 4.1): with r of k
    options right, all are right in 1 of 2^k - 1 sets, and the share of points, none of which is
    left once a wrong option is chosen, is 2^(r - 1) / (2^k - 1). Nothing is expected where an
    answer is written freely.

    Parameters
    ----------
    items: rows with `content_hash`, `answer_type`, `choices` and `target` (canonical JSON), as
        `Journal.items` gives them.

    Returns
    -------
    Columns `all_right` and `share` (of an item's points), 0 to 1, by `content_hash`.
    """
    rows = {}
    columns = ("content_hash", "answer_type", "choices", "target")
    for name, kind, choices, target in zip(*(items[c] for c in columns), strict=True):
        k = len(choices)
        if kind == "choice" and k:
            rows[name] = (1 / k, 1 / k)
        elif kind == "choices" and k:
            sets, right = 2**k - 1, len(json.loads(target))
            rows[name] = (1 / sets, 2 ** (right - 1) / sets)
        else:
            rows[name] = (0.0, 0.0)
    return pd.DataFrame.from_dict(rows, orient="index", columns=["all_right", "share"], dtype=float)
