"""Items that differ between groups of examinees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from gfactor.api.inputs.progress_bars import counter, ticks
from gfactor.errors import ParameterError
from gfactor.psychometrics.given import (
    TableLike,
    as_frame,
    model_and_data_in_either_order,
    without_named_columns,
)
from gfactor.psychometrics.irt.checks.differential import DIF
from gfactor.psychometrics.irt.checks.differential import dif as tests_of_items
from gfactor.psychometrics.irt.checks.observed_differential import METHODS as OBSERVED
from gfactor.psychometrics.irt.checks.observed_differential import observed_dif
from gfactor.psychometrics.person_tables import person_table


@model_and_data_in_either_order
def dif(
    model: str | None,
    data: TableLike,
    *,
    groups: str | Sequence[str],
    reference: str | None = None,
    method: Literal["lr", "wald", "mantel-haenszel", "logistic"] = "lr",
    uniform: bool = False,
    anchors: Sequence[str] | None = None,
    purify: bool = True,
    level: float = 0.05,
    guess: float | Mapping[str, float] | None = None,
    force: bool = False,
) -> DIF:
    """Test every item for a difference between two groups (differential item functioning).

    Parameters
    ----------
    model : str or None
        An item response model, such as "rasch" or "2pl"; None with the methods "mantel-haenszel"
        and "logistic". Model and data may also be given in the other order.
    data : DataFrame
        Scores, one row per person and one column per item.
    groups : str or sequence of str
        A column of `data`, or the group of every person; two groups.
    reference : str, optional
        The reference group; by default the first in the data.
    method : {"lr", "wald", "mantel-haenszel", "logistic"}
        "lr" frees one item at a time (likelihood ratio); "wald" tests all but the anchors in one
        model. "mantel-haenszel" and "logistic" (regression) compare persons of equal sum scores,
        for items with two categories.
    uniform : bool
        True to test difficulties alone, with equal slopes: one degree of freedom for each
        threshold, and more power than the test of slope and difficulty.
    anchors : sequence of str, optional
        Items taken to be equal. If None, all others, without those that differ (`purify`); "wald"
        needs some.
    purify : bool
        True to leave items that differ out of the anchors, and to test again.
    level : float
        Significance level of adjusted p-values for purification.
    guess : float or mapping of item to float, optional
        Fixed lower asymptote.
    force : bool
        Fit although respondents are too few for the model.

    Returns
    -------
    DIF
        `table` with a row per item: `statistic`, `df`, `p`, `p_adjusted` (Benjamini and Hochberg),
        `anchor`, effects (`signed`, `unsigned`, `delta`) with standard errors, and `ets_class`;
        `anchors`, `diagnostics`. Without a model the effects are `delta` and `odds_ratio`, or
        `delta` and `delta_r2` (Nagelkerke).

    Raises
    ------
    ParameterError
        If there are not exactly two groups, the anchors hold no scale, or the method has no use
        for an option.

    References
    ----------
    Thissen, D., Steinberg, L., Wainer, H. (1993). Detection of differential item functioning using
    the parameters of item response models. In Holland and Wainer, Differential Item Functioning.
    Holland, P. W., Thayer, D. T. (1988). Differential item performance and the Mantel-Haenszel
    procedure. In Wainer and Braun, Test Validity.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> ability, focal = random.normal(size=(400, 1)), np.arange(400)[:, None] % 2
    >>> difficulty = np.linspace(-1, 1, 6) + 1.5 * focal * (np.arange(6) == 2)
    >>> right = random.uniform(size=(400, 6)) < 1 / (1 + np.exp(difficulty - ability))
    >>> data = pd.DataFrame(right.astype(int)).add_prefix("i").assign(sex=["f", "m"] * 200)
    >>> found = gf.dif("rasch", data, groups="sex").table
    >>> found.index[found["p_adjusted"] < 0.05].tolist()
    ['i2']
    """
    others, named = without_named_columns(as_frame(data, "data"), {"groups": groups})
    items = person_table(others, "data")
    if method in OBSERVED:
        if model is not None or guess is not None or force:
            raise ParameterError(
                f"method {method!r} fits no item response model: give None as the model, and "
                "neither guess nor force"
            )
        return observed_dif(
            items, [str(group) for group in named["groups"]], method, reference=reference,
            uniform=uniform, anchors=anchors, purify=purify, level=level,
        )  # fmt: skip
    if model is None:
        raise ParameterError(f"method {method!r} needs an item response model, such as '2pl'")
    settings: dict[str, Any] = {"guess": guess, "force": force}
    with counter(len(items.columns), "dif", "item") as bar:
        return tests_of_items(
            model,
            items,
            groups=named["groups"],
            reference=reference,
            method="wald" if method == "wald" else "lr",
            uniform=uniform,
            anchors=anchors,
            purify=purify,
            level=level,
            progress=ticks(bar),
            **settings,
        )
