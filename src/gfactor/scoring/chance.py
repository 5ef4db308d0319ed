"""Chance level of items: the accuracy below which a score means nothing."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.frames import pick
from gfactor.scoring.averaging import units

ITEM = ["content_hash", "id"]
"""Columns that identify an item in `Journal.items`."""

ANSWERS_ALONE = "answers alone"
"""Edition of items of which only the right answers of models are known: chance is unknown."""

_WRITTEN = ("blanks", "open")
"""Answer types without alternatives to guess among."""


def item_chance(items: pd.DataFrame, by: str | Sequence[str] = "domain") -> pd.DataFrame:
    """Return the expected score of a person who answers every item without looking at it.

    All scores and tables use this definition of chance. It is an expectation, so it has no
    interval.

    - `choice` items: one of k options, each as likely: 1 / k.
    - `choices` items: every set of options but the empty one, each as likely, as `baseline:random`
      draws them (MULTI, section 4.1). With r of k options right, 1 of 2^k - 1 sets is fully right.
      The expected share of points is 2^(r - 1) / (2^k - 1), since a wrong option loses all points.
    - `blanks` and `open` items: 0.
    - All other items, which have no options (Percept-V): the answer of another, random item of the
      group `by`. Such a guesser knows how often each answer is right in the group, but sees no
      picture. The item itself is left out, with its translations and twins
      (`gfactor.scoring.units`), so that the level is correct for small groups. Accepted
      alternatives count as right. NaN for a group of one item, or if the items have no label `by`.
      For conversations it is the share of turns in which the other item has the same answer.

    Parameters
    ----------
    items : DataFrame
        One row per item with `content_hash`, `id`, `answer_type`, `choices`, `target`
        (canonical JSON), `accepted` (lists of it) and the labels `by`, as `Journal.items`
        gives them.
    by : str or list of str
        Label or labels whose combinations are the groups.

    Returns
    -------
    DataFrame
        Columns `chance` (of being right as a whole) and `chance_share` (of the item's
        points), 0 to 1, indexed by `content_hash` and `id`.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> from gfactor.scoring import item_chance
    >>> item_chance(journal.items()).shape
    (10, 2)
    """
    index = pd.MultiIndex.from_frame(items.loc[:, ITEM])
    levels = _levels(items, [by] if isinstance(by, str) else list(by))
    return pd.DataFrame(levels, index=index, columns=list(_COLUMNS))


_COLUMNS = ("chance", "chance_share")


def _levels(items: pd.DataFrame, keys: Sequence[str]) -> NDArray[np.float64]:
    """The columns of `item_chance`, a row per item."""
    levels = np.full((len(items), 2), math.nan)
    columns = (items[name] for name in ("answer_type", "choices", "target"))
    for row, (kind, choices, target) in enumerate(zip(*columns, strict=True)):
        level = _among_options(kind, len(choices), target)
        if level is not None:
            levels[row] = level
    open_ones = np.isnan(levels[:, 0])
    if "edition" in items:
        open_ones &= (items["edition"] != ANSWERS_ALONE).to_numpy(bool)
    if all(name in items for name in keys) and open_ones.any():
        left: Any = items.loc[open_ones]
        left = left.assign(_row=np.flatnonzero(open_ones), _unit=pd.factorize(units(left))[0])
        for _, group in left.groupby(keys, sort=False):
            rows, same = group["_row"].to_numpy(), group["_unit"].tolist()
            levels[rows] = _of_another(group, same)[:, None]
            if (group["answer_type"] == "turns").all():
                levels[rows, 1] = _turns_of_another(group, same)
    return levels


def chance_levels(items: pd.DataFrame, by: str | Sequence[str] = "domain") -> pd.Series:
    """Return the mean of `item_chance` over the items of every value of a label.

    Parameters
    ----------
    items : DataFrame
        Items, as in `item_chance`.
    by : str or list of str
        Labels that group items, as in `item_chance`.

    Returns
    -------
    Series
        Expected accuracies from 0 to 1, indexed by the values of `by`; NaN if nothing is
        known.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> from gfactor.scoring import chance_levels
    >>> float(chance_levels(journal.items())["change_colour"]) < 0.5
    True
    """
    keys = [by] if isinstance(by, str) else list(by)
    table: Any = items.assign(chance=item_chance(items, by)["chance"].to_numpy())
    return table.groupby(keys[0] if len(keys) == 1 else keys)["chance"].mean()


def with_chance(scored: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """Return a scored table with the columns `chance` and `chance_share` of each row's item.

    Parameters
    ----------
    scored : DataFrame
        Scored responses, as `gfactor.scoring.scored` returns them.
    items : DataFrame
        Items, as `Journal.items` returns them.

    Returns
    -------
    DataFrame
        The same rows with two more columns, 0 to 1.

    Examples
    --------
    >>> from gfactor.scoring import scored, with_chance
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> bool(with_chance(table, journal.items())["chance"].between(0, 1).all())
    True
    """
    key = ["benchmark", "item_hash", "item_id"]
    levels = items.loc[:, ["benchmark", *ITEM]].set_axis(key, axis=1)
    levels[list(_COLUMNS)] = _levels(items, ["benchmark", "domain"])
    of_rows = pick(scored, key).merge(levels.drop_duplicates(key), on=key, how="left")
    return scored.assign(**{name: of_rows[name].to_numpy() for name in _COLUMNS})


def _among_options(kind: str, k: int, target: str) -> tuple[float, float] | None:
    """Return the expected score of picking among options; None if there are no options."""
    if kind in _WRITTEN:
        return 0.0, 0.0
    if kind == "choice" and k:
        return 1 / k, 1 / k
    if kind == "choices" and k:
        sets, right = 2**k - 1, len(json.loads(target))
        return 1 / sets, 2 ** (right - 1) / sets
    return None


def _turns_of_another(group: pd.DataFrame, same: Sequence[int]) -> np.ndarray:
    """Return, per item, the expected share of turns right with the key of another item."""
    answers = [json.loads(target) for target in group["target"]]
    shares = [Counter(enumerate(answer)) for answer in answers]
    whole, of_unit, others = _counts(shares, same)
    return np.array([
        np.mean([whole[turn] - of_unit[unit][turn] for turn in enumerate(answer)]) / others[unit]
        if others[unit] else math.nan
        for answer, unit in zip(answers, same, strict=True)
    ])  # fmt: skip


def _of_another(group: pd.DataFrame, same: Sequence[int]) -> np.ndarray:
    """Return, per item, the expected score of the answer to another item of the group."""
    whole, of_unit, others = _counts([Counter([target]) for target in group["target"]], same)
    return np.array([
        sum(whole[answer] - of_unit[unit][answer] for answer in {target, *accepted}) / others[unit]
        if others[unit] else math.nan
        for target, accepted, unit in zip(group["target"], group["accepted"], same, strict=True)
    ])  # fmt: skip


def _counts(
    answers: Sequence[Counter[Any]], same: Sequence[int]
) -> tuple[Counter[Any], dict[int, Counter[Any]], dict[int, int]]:
    """Return how often answers are right in all items and in each unit, and the number of other
    items."""
    whole: Counter[Any] = Counter()
    of_unit: dict[int, Counter[Any]] = {unit: Counter() for unit in same}
    for answer, unit in zip(answers, same, strict=True):
        whole.update(answer)
        of_unit[unit].update(answer)
    sizes = Counter(same)
    return whole, of_unit, {unit: len(answers) - size for unit, size in sizes.items()}
