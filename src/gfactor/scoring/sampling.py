"""Sampling of the items of a scored table under a claim (`gfactor.psychometrics.Sampling`)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import Sampling
from gfactor.psychometrics.inference.claim import CLAIMS, Claim, checked_claim
from gfactor.scoring.averaging import DOMAIN, units

ITEM = ["item_id", "item_hash"]


def sampling_of(items: pd.DataFrame, claim: str, label: str = DOMAIN) -> Sampling:
    """Return the sampling of items under a claim.

    Parameters
    ----------
    items : DataFrame
        A row per item, with the columns of a scored table.
    claim : {"these-items", "same-domains", "other-domains"}
        Population that scores generalize to.
    label : str
        Label that divides the items.

    Returns
    -------
    Sampling
        Units and fixed domains, in the order of the rows.

    Raises
    ------
    UnknownNameError
        If there is no such claim, or no item has the label (unless it is "domain").

    Examples
    --------
    >>> import pandas as pd
    >>> items = pd.DataFrame({"item_hash": ["x", "y"], "domain": ["a", "b"]})
    >>> sampling_of(items, "same-domains").words
    'generalizes to other items of these 2 domains'
    """
    checked_claim(claim)
    domains = None
    if label in items:
        domains = items[label].astype(str).to_numpy()
        if "benchmark" in items and len(set(items["benchmark"])) > 1:
            domains = (items["benchmark"].astype(str) + " " + items[label].astype(str)).to_numpy()
    elif label != DOMAIN:
        raise UnknownNameError("label", label, map(str, items.columns))
    names = units(items).to_numpy().astype(str)
    return Sampling.of(claim, len(items), units=names, domains=domains, label=label)


def other_claim(claim: Claim, domains: int) -> Claim | None:
    """Return the claim whose interval is reported in addition to that of a claim; None if there is
    none.

    Parameters
    ----------
    claim : {"these-items", "same-domains", "other-domains"}
        The claim that was made.
    domains : int
        Number of domains that the items come from.

    Returns
    -------
    str or None
        Name of the other claim; None if there is none.

    Examples
    --------
    >>> other_claim("same-domains", 30)
    'other-domains'
    """
    if claim == "other-domains":
        return "same-domains"
    return "other-domains" if claim == "same-domains" and domains > 1 else None


def answer_variance(table: pd.DataFrame, column: str, runs: str = "run") -> pd.DataFrame:
    """Return the variance of every item's mean over its occasions, items x runs.

    Parameters
    ----------
    table : DataFrame
        A scored table; failed attempts have NaN in the column.
    column : str
        Name of the column with the scores.
    runs : str
        The column that names the runs.

    Returns
    -------
    DataFrame
        NaN if an item was answered once.

    Raises
    ------
    ParameterError
        If no item was answered twice.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"item_id": "i", "item_hash": "x", "run": "a", "score": [0.0, 1.0]})
    >>> float(answer_variance(rows, "score").iloc[0, 0])
    0.25
    """
    grouped: Any = table.groupby([*ITEM, runs])[column]
    variance = (grouped.var(ddof=1) / grouped.count()).unstack(runs)
    if variance.notna().to_numpy().any():
        return variance
    raise ParameterError(
        f"the claim {CLAIMS[0]} is about repeated answers, so it needs items that were answered "
        "on several occasions; run with --occasions 2, or choose another claim"
    )
