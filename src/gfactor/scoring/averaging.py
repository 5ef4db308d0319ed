"""Several occasions of an item made into one: what an item's mean answer is."""

from __future__ import annotations

import pandas as pd

from gfactor.scoring.frames import pick

ANSWERS = "_answers"
"""Column: how many answers a row is the mean of."""

_ITEM = ["examinee", "condition", "item_id", "item_hash"]
_AVERAGED = ("correct", "correct_lenient", "points")


def averaged(scored: pd.DataFrame) -> pd.DataFrame:
    """One row per examinee, condition and item: the mean over the occasions that count.

    Items answered often must not weigh more than others (M3GIA repeats its test five times and
    averages), so occasions are averaged before anything else. Missing responses are left out.

    Returns
    -------
    The columns of `scored` with `correct`, `correct_lenient` and `points` averaged, all others from
    an item's first counted response, and `_answers`, the number of responses behind the row.
    """
    counted = pick(scored, ~scored["missing"].astype(bool))
    if not counted.duplicated(_ITEM).any():
        return counted.assign(**{ANSWERS: 1})
    groups = counted.groupby(_ITEM, sort=False)
    columns = {name: groups[name].transform("mean") for name in _AVERAGED if name in counted}
    whole = counted.assign(**columns, **{ANSWERS: groups["examinee"].transform("size")})
    return whole.drop_duplicates(_ITEM)
