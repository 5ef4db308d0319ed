"""Several occasions of an item averaged into one row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.frames import pick
from gfactor.items.same_questions import LANGUAGE_COLUMNS, questions

ANSWERS = "_answers"
"""Column: number of answers that a row averages."""

_ITEM = ["examinee", "condition", "item_id", "item_hash"]
_AVERAGED = ("correct", "correct_lenient", "points", "format_error", "_refused")

DOMAIN = "domain"
"""The label that divides items, if no other is named."""

UNITS = {"multi": "problem", "m3gia": "number", "mm-iq": "number"}
"""By benchmark, the label that dependent questions share: the problem to which they belong, or the
number that an item has in all languages."""

UNIT_LABELS = (*dict.fromkeys(UNITS.values()), *LANGUAGE_COLUMNS, "twin", "scene")
"""Columns, beside an item's benchmark and id, that `units` looks at."""


def averaged(scored: pd.DataFrame) -> pd.DataFrame:
    """Return one row per examinee, condition and item: the mean over the occasions that count.

    An item with many answers must not count more than others (M3GIA repeats its test five times and
    averages), so occasions are averaged first. Missing responses are left out.

    Parameters
    ----------
    scored : DataFrame
        Scored responses, as `gfactor.scoring.scored` returns them.

    Returns
    -------
    DataFrame
        The columns of `scored` with `correct`, `correct_lenient`, `points`, `format_error`
        and `_refused` (whether the reply declines) averaged, all others from an item's
        first counted response, and `_answers`, the number of responses behind the row.

    Examples
    --------
    >>> from gfactor.scoring import averaged, scored
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> averaged(table)["_answers"].tolist() == [1] * 20
    True
    """
    counted = pick(scored, ~scored["missing"].astype(bool))
    if "status" in counted:
        counted = counted.assign(_refused=(counted["status"] == "refused").astype(float))
    if asked_once(counted):
        return counted.assign(**{ANSWERS: 1})
    groups = counted.groupby(_ITEM, sort=False)
    columns = {name: groups[name].transform("mean") for name in _AVERAGED if name in counted}
    whole = counted.assign(**columns, **{ANSWERS: groups["examinee"].transform("size")})
    return whole.drop_duplicates(_ITEM)


def asked_once(scored: pd.DataFrame) -> bool:
    """Return True if every item has one row per examinee and condition."""
    return not scored.duplicated(_ITEM).any()


def item_numbers(scored: pd.DataFrame) -> NDArray[np.intp]:
    """Return the number of every row's item: its row of `averaged` if no row is missing."""
    groups: Any = scored.groupby(_ITEM, sort=False)
    return groups.ngroup().to_numpy()


def units(rows: pd.DataFrame) -> pd.Series:
    """Return the name of every row's unit, the cluster to which the answers to its item belong.

    Questions of one problem (MULTI), the same question in several languages (M3GIA, MM-IQ, items
    whose ids differ only in the language at their end, as generated ones do) and the twins of one
    scene depend on each other and form one unit. Any other item is a unit of its own (`UNITS`).

    Parameters
    ----------
    rows : DataFrame
        Rows of a scored table, or items as `Journal.items` returns them, with their labels.

    Returns
    -------
    Series
        A name per row; rows with the same name are one observation.

    Examples
    --------
    >>> from gfactor.scoring import scored, units
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> units(table).nunique()
    10
    """
    names: Any = rows["item_hash" if "item_hash" in rows else "content_hash"].astype(str)
    if "benchmark" not in rows:
        return names
    names = _labeled(questions(rows, names), rows, UNITS)
    if "twin" in rows and "scene" in rows:
        names = names.mask(
            rows["scene"].notna(), rows["benchmark"] + " " + rows["scene"].astype(str)
        )
    return names


def in_all_languages(rows: pd.DataFrame) -> pd.Series:
    """Return the common name of every row's item in all its languages, "" if it has none.

    Parameters
    ----------
    rows : DataFrame
        Rows of a scored table, with benchmark, id, language and labels of the items.

    Examples
    --------
    >>> rows = pd.DataFrame({"benchmark": ["m3gia", "multi"], "number": "7", "item_id": ["a", "b"]})
    >>> in_all_languages(rows).tolist()
    ['m3gia 7', '']
    """
    unnamed = pd.Series("", index=rows.index)
    # A problem of MULTI has several questions in one language.
    of_languages = {name: label for name, label in UNITS.items() if label == "number"}
    return _labeled(questions(rows, unnamed), rows, of_languages)


def _labeled(names: Any, rows: pd.DataFrame, labels: Mapping[str, str]) -> pd.Series:
    """Return the names; if a benchmark has a label for them, the values of that label."""
    for benchmark, label in labels.items():
        if label in rows:
            here = (rows["benchmark"] == benchmark) & rows[label].notna()
            names = names.mask(here, benchmark + " " + rows[label].astype(str))
    return names


def asked_again(rows: pd.DataFrame) -> tuple[int, int]:
    """Return the number of items that repeat others in another language or as a twin, and the
    number of all items.

    Parameters
    ----------
    rows : DataFrame
        Rows of a scored table, with the items' labels.

    Examples
    --------
    >>> ids = ["ring-en", "ring-fr", "cube"]
    >>> rows = pd.DataFrame({"item_id": ids, "item_hash": ids, "language": ["en", "fr", "fr"]})
    >>> asked_again(rows.assign(benchmark="b"))
    (1, 3)
    """
    items = rows.drop_duplicates(["benchmark", "item_id", "item_hash"])
    # The parts of a problem are questions of their own.
    items = pick(items, ~items["benchmark"].isin(["multi"]).to_numpy())
    return int(units(items).duplicated().sum()), len(items)
