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
    group: str | Sequence[str],
    reference: str | None = None,
    method: Literal["lr", "wald", "mantel-haenszel", "logistic"] = "lr",
    uniform: bool = False,
    anchors: Sequence[str] | None = None,
    purify: bool = True,
    level: float = 0.05,
    guess: float | Sequence[float] | Mapping[str, float] | None = None,
    force: bool = False,
) -> DIF:
    """Test every item for a difference between two groups (differential item functioning).

    Parameters
    ----------
    model : str or None
        Item response model, such as "rasch" or "2pl"; None for the methods "mantel-haenszel" and
        "logistic", which need no model. `model` and `data` may be given in either order.
    data : DataFrame
        Scores, one row per person and one column per item.
    group : str or sequence of str
        Column of `data` that holds the groups, or a list with the group of each person. There must
        be exactly two groups.
    reference : str, optional
        Reference group; by default the group of the first person in the data.
    method : {"lr", "wald", "mantel-haenszel", "logistic"}
        Test: "lr" frees the parameters of one item at a time (likelihood ratio test); "wald" tests
        all items except the anchors in one model. "mantel-haenszel" and "logistic" (logistic
        regression) compare persons with equal sum scores, on items with two categories.
    uniform : bool
        True to test only whether difficulties differ, with equal slopes in both groups. This has
        one degree of freedom for each threshold, and more power than a test of slope and
        difficulty together.
    anchors : sequence of str, optional
        Anchor items, which are taken as equal in both groups. If None, all other items are
        anchors, without those found to differ (`purify`). The method "wald" needs some.
    purify : bool
        True to remove items that differ from the anchors, and to test again.
    level : float
        Significance level of the adjusted p values by which `purify` removes items.
    guess : float, sequence of float or mapping of item to float, optional
        Fixed lower asymptote (probability of a right guess, 0 to 1), as in `irt`.
    force : bool
        Fit the model although there are too few respondents for it.

    Returns
    -------
    DIF
        `table` has a row per item: `statistic`, `df`, `p`, `p_adjusted` (Benjamini and Hochberg),
        `anchor`, effect sizes (`signed`, `unsigned`, `delta`) with standard errors, and
        `ets_class` (A negligible, B moderate, C large). Without a model the effect sizes are
        `delta` and `odds_ratio`, or `delta` and `delta_r2` (Nagelkerke). `anchors` and
        `diagnostics` follow.

    Raises
    ------
    ParameterError
        If there are not exactly two groups, the anchors cannot define a common scale, or an option
        does not apply to the method.

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
    >>> found = gf.dif("rasch", data, group="sex").table
    >>> found.index[found["p_adjusted"] < 0.05].tolist()
    ['i2']
    """
    others, named = without_named_columns(as_frame(data, "data"), {"group": group})
    items = person_table(others, "data")
    if method in OBSERVED:
        if model is not None or guess is not None or force:
            raise ParameterError(
                f"method {method!r} needs no item response model: give None as the model, and "
                "leave out guess and force"
            )
        return observed_dif(
            items, [str(label) for label in named["group"]], method, reference=reference,
            uniform=uniform, anchors=anchors, purify=purify, level=level,
        )  # fmt: skip
    if model is None:
        raise ParameterError(f"method {method!r} needs an item response model, such as '2pl'")
    settings: dict[str, Any] = {"guess": guess, "force": force}
    with counter(len(items.columns), "dif", "item") as bar:
        return tests_of_items(
            model,
            items,
            groups=named["group"],
            reference=reference,
            method="wald" if method == "wald" else "lr",
            uniform=uniform,
            anchors=anchors,
            purify=purify,
            level=level,
            progress=ticks(bar),
            **settings,
        )
