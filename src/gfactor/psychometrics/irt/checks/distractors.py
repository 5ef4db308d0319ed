"""Choices of options: the ability of those who chose each, as the other items show it.

A key is suspected if another option attracts able examinees more than the key does. An item must
not confirm itself, so every examinee's ability is estimated from the other items.

References
----------
Haladyna, T. M. (2004). Developing and Validating Multiple-Choice Test Items (3rd ed.), chapter 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg
from gfactor.psychometrics.irt.likelihood.curves import Floats, log_probabilities

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.result import IRTFit

FEW_CHOICES = 5
"""An option is tested if this number of examinees chose it, and as many chose another one."""
COLUMNS = (
    "item", "option", "key", "n", "share", "ability", "ability_low", "ability_high",
    "r", "r_low", "r_high", "p_adjusted", "suspected",
)  # fmt: skip


def option_table(
    fit: IRTFit, choices: pd.DataFrame, key: Mapping[str, Any], *, level: float = 0.95,
    alpha: float = 0.05,
) -> pd.DataFrame:  # fmt: skip
    """Return a table of the persons who chose each option of each item.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.
    choices : DataFrame (P, J)
        The option that every examinee chose, rows as in the data; missing if none was read.
        Items without a column are left out.
    key : mapping of item to option
        The keyed options.
    level : float
        Confidence level of the intervals.
    alpha : float
        Level of the tests, adjusted over all options of all items (Benjamini and Hochberg).

    Returns
    -------
    DataFrame
        A row per item and option: `n` who chose it and their `share`; their mean `ability` (EAP
        without this item) with its t interval; `r`, the point-biserial correlation of choosing it
        with that ability, with Fisher's interval; `p_adjusted`, one-sided, that r of an option
        that is not keyed is positive; `suspected`, True if that is below `alpha` and r above the
        key's. NaN if fewer than 5 examinees chose the option, or fewer than 5 another one.

    Raises
    ------
    ParameterError
        If the model has several factors or groups, or rows do not fit.

    Examples
    --------
    >>> from gfactor.psychometrics.irt import fit_irt
    >>> rng = np.random.default_rng(1)
    >>> theta = rng.normal(size=(300, 1))
    >>> right = rng.uniform(size=(300, 6)) < 1 / (1 + np.exp(-2 * theta))
    >>> data = pd.DataFrame(right.astype(int)).add_prefix("i")
    >>> choices = data.replace({1: "A", 0: "B"})
    >>> data["i0"] = 1 - data["i0"]  # B is keyed, A is right
    >>> options = option_table(fit_irt("rasch", data), choices, {**dict.fromkeys(data, "A"),
    ...                                                       "i0": "B"})
    >>> options.loc[options["suspected"], ["item", "option"]].to_numpy().tolist()
    [['i0', 'A']]
    """
    model = fit.likelihood.model
    if model.factors > 1 or len(model.groups) > 1:
        raise ParameterError("options can be compared only in models of one factor and one group")
    if len(choices) != len(fit.table.codes):
        raise ParameterError(f"choices: {len(choices)} rows for {len(fit.table.codes)} examinees")
    rows = []
    for item, ability in _abilities_elsewhere(
        fit, [i for i in (*fit.table.items, *fit.table.left_out) if i in choices]
    ):
        if item in key:
            rows += _options(
                item, choices[item].astype(object).to_numpy(), key[item], ability, level
            )
    table = pd.DataFrame(rows, columns=list(COLUMNS[:-2]))
    numbers = [name for name in COLUMNS[:-2] if name not in ("item", "option", "key")]
    table = table.astype(dict.fromkeys(numbers, float)).astype({"n": int, "key": bool})
    return _tested(table, alpha)


def _abilities_elsewhere(fit: IRTFit, items: Sequence[str]) -> Iterator[tuple[str, Floats]]:
    """(item, EAP of every person from the other items); constant items are no part of the fit."""
    values, nodes = fit.optimum.at.values, fit.likelihood.nodes[:, 0]
    weights = fit.optimum.at.posteriors[0].weights
    wanted = set(items)
    for block in fit.likelihood.model.groups[0].blocks:
        curves = log_probabilities(
            block.kind, values[block.index], nodes[:, None], block.categories
        )
        for j, column in enumerate(block.columns):
            if fit.table.items[column] not in wanted:
                continue
            codes = fit.table.codes[:, column]
            seen = codes >= 0
            others = weights.copy()
            with np.errstate(over="ignore", invalid="ignore"):
                log = np.log(np.maximum(others[seen], 1e-300)) - curves[j][codes[seen]]
            share = np.exp(log - log.max(axis=1, keepdims=True))
            others[seen] = share / share.sum(axis=1, keepdims=True)
            yield fit.table.items[column], others @ nodes
    for item in fit.table.left_out:
        if item in wanted:
            yield item, weights @ nodes


def _options(
    item: str, chosen: NDArray[Any], key: Any, ability: Floats, level: float
) -> list[tuple[Any, ...]]:
    answered = np.array([option is not None and option == option for option in chosen])  # noqa: PLR0124
    chosen, ability = chosen[answered], ability[answered]
    rows = []
    for option in sorted({*map(str, chosen), str(key)}):
        took = np.array([str(other) == option for other in chosen], dtype=bool)
        n = int(took.sum())
        mean, low, high = _mean(ability[took], level)
        r, r_low, r_high = _correlation(took, ability, level)
        share = n / len(chosen) if len(chosen) else np.nan
        rows.append((item, option, option == str(key), n, share, mean, low, high, r, r_low, r_high))
    return rows


def _mean(values: Floats, level: float) -> tuple[float, float, float]:
    if len(values) < 2:
        return (float(values[0]) if len(values) else np.nan), np.nan, np.nan
    half = stats.t.ppf(0.5 + level / 2, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5
    return float(values.mean()), float(values.mean() - half), float(values.mean() + half)


def _correlation(took: NDArray[np.bool_], ability: Floats, level: float) -> tuple[float, ...]:
    few = min(int(took.sum()), int((~took).sum())) < FEW_CHOICES
    if few or ability.std() == 0:
        return np.nan, np.nan, np.nan
    r = float(np.corrcoef(took, ability)[0, 1])
    half = stats.norm.ppf(0.5 + level / 2) / np.sqrt(len(took) - 3)
    z = np.arctanh(np.clip(r, -0.999999, 0.999999))
    return r, float(np.tanh(z - half)), float(np.tanh(z + half))


def _tested(table: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """The table with the columns `p_adjusted` and `suspected` added."""
    r, keyed = table["r"].to_numpy(), table["key"].to_numpy()
    answers = table.groupby("item", sort=False)["n"].transform("sum").to_numpy()
    of_key = {i: v for i, v in zip(table["item"][keyed], r[keyed], strict=True)}
    against = np.array([of_key.get(item, np.nan) for item in table["item"]])
    p = np.full(len(table), np.nan)
    tested = ~keyed & np.isfinite(r)
    if tested.any():
        z = np.arctanh(np.clip(r[tested], -0.999999, 0.999999)) * np.sqrt(answers[tested] - 3)
        p[tested] = benjamini_hochberg(stats.norm.sf(z))
    # A key that hardly anybody chose has no correlation that could exceed the distractor's.
    with np.errstate(invalid="ignore"):
        suspected = (p < alpha) & ~(against >= r)
    return table.assign(p_adjusted=p, suspected=suspected).reindex(columns=list(COLUMNS))
