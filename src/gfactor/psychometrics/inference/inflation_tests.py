"""Tests of whether a public score is higher than the references' line predicts, and their power."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.psychometrics.inference.inflation_fit import MIN_FOR_RANK, beyond, toward_rank
from gfactor.psychometrics.inference.judged import mean_difference
from gfactor.psychometrics.inference.paired import tango
from gfactor.psychometrics.inference.reference_line import ReferenceLine

Floats = NDArray[np.float64]

MIN_REFERENCES = 5
"""Smallest number of reference models; with fewer, only randomized twins are tested."""
MIN_WRONG_KEYS = 10
"""Smallest number of answered items with a wrong key."""
MIN_FOR_ITEMS = 60
"""Number of reference models below which their spread may be small by chance: with 10 and 20
references the test of items was available in 10 and 2 % of draws between two benchmarks, with false
alarms in .11 and .15 of these (docs/inflation.md); with 60 it was available in none."""
ALPHA = 0.05
LEAKS = (0.05, 0.1, 0.2, 0.4)
"""Shares of otherwise wrong public answers for which power is computed."""
_ALIKE = 0.2


@dataclass(frozen=True)
class Evidence:
    """The data of the tests that do not use the references' regression line; NaN if there are none.

    Parameters
    ----------
    pairs : tuple of int, optional
        Counts of twins, as `twin_pairs` counts them.
    fit : tuple of array (models,), optional
        Misfit of the answers to public and to fresh items (`inflation_fit.misfits`); the examinee
        comes first.
    keys : tuple of array (models,), optional
        Number of answers that agree with wrong keys, and number of answers to these items.
    """

    pairs: tuple[int, int] | None = None
    fit: tuple[Floats, Floats] | None = None
    keys: tuple[Floats, Floats] | None = None


def all_tests(line: ReferenceLine | None, evidence: Evidence | None = None) -> pd.DataFrame:
    """Return a row per test: statistic, one-sided p, availability, assumption, size.

    Parameters
    ----------
    line : ReferenceLine or None
        The line of the references; None with fewer than two of them.
    evidence : Evidence, optional
        The data of the other tests.
    """
    given = evidence or Evidence()
    count = len(line.differences) - 1 if line else 0
    enough = count >= MIN_REFERENCES
    return pd.DataFrame([
        _t_test(line, enough), _item_test(line, count), _rank_test(line, count, enough),
        _twin_test(given.pairs), _fit_test(given.fit, count),
        _key_test(given.keys, line.fresh if line and enough else None),
    ])  # fmt: skip


def _row(
    test: str, statistic: float, p: float, offered: bool, assumption: str, size: float = ALPHA
) -> dict[str, Any]:
    return {
        "test": test, "statistic": statistic if offered else np.nan,
        "p": p if offered else np.nan, "offered": offered, "size": size if offered else np.nan,
        "assumption": assumption,
    }  # fmt: skip


def _t_test(line: ReferenceLine | None, enough: bool) -> dict[str, Any]:
    statistic = float(line.standardized[0]) if line else np.nan
    p = _t_p(line, statistic) if line else np.nan
    words = (
        "The examinee differs from the references' line as another honest model of their kind "
        f"would; at least {MIN_REFERENCES} references."
    )
    return _row("t", statistic, p, enough, words)


def _t_p(line: ReferenceLine, statistic: float) -> float:
    return toward_rank(statistic, line.standardized[1:], line.df)


def _critical(line: ReferenceLine) -> float:
    """Return the smallest statistic at which the t test rejects at .05."""
    low, high = -50.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _t_p(line, middle) <= ALPHA else (middle, high)
    return high


def _item_test(line: ReferenceLine | None, count: int) -> dict[str, Any]:
    statistic = float(line.differences[0] / line.item_error) if line else np.nan
    words = (
        "The forms differ in difficulty alone: but for the sampling of items no model finds one of "
        f"them relatively easier. Offered if at least {MIN_FOR_ITEMS} references spread no more "
        "than that."
    )
    alike = line is not None and bool(stats.chi2.sf(line.spread * line.df, line.df) > _ALIKE)
    offered = count >= MIN_FOR_ITEMS and alike
    return _row("items", statistic, float(stats.norm.sf(statistic)), offered, words)


def _rank_test(line: ReferenceLine | None, count: int, enough: bool) -> dict[str, Any]:
    offered = enough and count >= MIN_FOR_RANK
    above = int((line.standardized[1:] >= line.standardized[0]).sum()) if line else 0
    size = np.floor(ALPHA * (count + 1)) / (count + 1)
    words = (
        "Examinee and references are exchangeable if the examinee is honest; "
        f"at least {MIN_FOR_RANK} references."
    )
    return _row("rank", above + 1.0, (above + 1) / (count + 1), offered, words, float(size))


def _fit_test(fit: tuple[Floats, Floats] | None, count: int) -> dict[str, Any]:
    # With 10 references it gave false alarms in .08 to .11 of draws of real models without
    # inflation.
    offered = fit is not None and count >= MIN_FOR_RANK
    statistic, p = beyond(*fit) if fit is not None and offered else (np.nan, np.nan)
    words = (
        "The order of difficulty of the public items holds for the examinee as it does for the "
        f"references, given how it holds on the fresh items; at least {MIN_FOR_RANK} references."
    )
    return _row("fit", statistic, p, bool(np.isfinite(p)), words)


def _key_test(keys: tuple[Floats, Floats] | None, fresh: Floats | None) -> dict[str, Any]:
    statistic, p = np.nan, np.nan
    if keys is not None and fresh is not None and keys[1][0] >= MIN_WRONG_KEYS:
        agreed, n = keys
        shares = np.where(n > 0, np.log((agreed + 0.5) / (n - agreed + 0.5)), np.nan)
        statistic, p = beyond(shares, fresh)
    words = (
        "A model of the examinee's ability that has not seen the wrong keys agrees with them as "
        f"the references do; at least {MIN_REFERENCES} references and {MIN_WRONG_KEYS} items."
    )
    return _row("keys", statistic, p, bool(np.isfinite(p)), words)


def twin_pairs(answers: pd.Series, twins: Mapping[str, str] | None) -> tuple[int, int] | None:
    """Count the pairs whose public item was answered better, and those whose fresh one was.

    Parameters
    ----------
    answers : Series
        The examinee's answers by item.
    twins : mapping of str to str, optional
        Public item -> its fresh twin.
    """
    if not twins:
        return None
    first = answers.reindex(list(twins.keys())).to_numpy(float)
    second = answers.reindex(list(twins.values())).to_numpy(float)
    return int((first > second).sum()), int((first < second).sum())


def uneven_twins(answers: pd.Series, twins: Mapping[str, str]) -> bool:
    """Return True if public twins lack an answer more often than fresh ones, beyond chance.

    By chance each of two twins lacks an answer equally often, for items of any difficulty.
    """
    first, second = (
        answers.reindex(list(names)).isna().to_numpy() for names in (twins.keys(), twins.values())
    )
    public, fresh = int((first & ~second).sum()), int((second & ~first).sum())
    return bool(stats.binom.sf(public - 1, public + fresh, 0.5) <= ALPHA)


def twin_difference(
    answers: pd.Series, twins: Mapping[str, str], level: float
) -> tuple[float, float, float]:
    """Return the mean difference, public minus fresh, of answered pairs, with its interval.

    The interval is Tango's, or that of t if answers are means over several occasions.
    """
    first = answers.reindex(list(twins.keys())).to_numpy(float)
    second = answers.reindex(list(twins.values())).to_numpy(float)
    differences = (first - second)[~np.isnan(first - second)]
    if not np.isin(differences, (-1, 0, 1)).all():
        return mean_difference(differences, level)
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    count = max(len(differences), 1)
    low, high = tango(better, worse, count, level)
    return (better - worse) / count, float(low), float(high)


def _twin_test(pairs: tuple[int, int] | None) -> dict[str, Any]:
    words = "Which twin of each pair became public was drawn at random; exact, without references."
    if pairs is None:
        return _row("twins", np.nan, np.nan, False, words)
    better, both = pairs[0], sum(pairs)
    critical = stats.binom.isf(ALPHA, both, 0.5) if both else 0
    size = float(stats.binom.sf(critical, both, 0.5)) if both else 0.0
    p = float(stats.binom.sf(better - 1, both, 0.5)) if both else 1.0
    return _row("twins", float(better), p, True, words, size)


def power_table(line: ReferenceLine | None, predicted: float, lost: float = 0.0) -> pd.DataFrame:
    """Return the power of the t test at .05 for each share of `LEAKS`.

    `lost` is the reduction of the share right by counting unanswered public items as wrong.
    """
    rows = []
    bound = _critical(line) if line is not None and 0 < predicted < 1 else np.nan
    for leak in LEAKS:
        raised = predicted + leak * (1 - predicted)
        power = np.nan
        if line is not None and 0 < predicted < 1:
            counted = max(raised - lost, 1e-9)
            step = np.log(counted / (1 - counted)) - np.log(predicted / (1 - predicted))
            power = float(stats.nct.sf(bound, line.df, step / line.error))
        rows.append({"leak": leak, "points": 100 * (raised - predicted), "power": power})
    return pd.DataFrame(rows)
