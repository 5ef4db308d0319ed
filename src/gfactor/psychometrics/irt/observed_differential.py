"""Differential item functioning by observed scores: Mantel-Haenszel and logistic regression.

References
----------
Holland, P. W., Thayer, D. T. (1988). Differential item performance and the Mantel-Haenszel
    procedure. In Wainer and Braun, Test Validity.
Swaminathan, H., Rogers, H. J. (1990). Detecting differential item functioning using logistic
    regression procedures. Journal of Educational Measurement 27, 361-370.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.curves import Floats
from gfactor.psychometrics.irt.data import read_responses
from gfactor.psychometrics.irt.differential import ets_class


def mantel_haenszel(
    data: pd.DataFrame, focal: Sequence[bool] | NDArray[np.bool_], *, correction: bool = True
) -> pd.DataFrame:
    """Return Mantel-Haenszel tests of items with two categories, matched on the sum score.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores 0 and 1; persons with missing responses are left out.
    focal : sequence of bool
        True for persons of the focal group.
    correction : bool
        True to correct the chi-square for continuity.

    Returns
    -------
    DataFrame
        Per item `chisq`, `p`, `odds_ratio` (above 1: the reference group has it easier), its log's
        `se`, `delta` = -2.35 log(odds ratio), and the ETS class: A below 1 or not significant, C
        from 1.5 on and significantly above 1, else B.
    """
    table, _ = read_responses(data)
    complete = (table.codes >= 0).all(axis=1)
    codes = table.codes[complete]
    second = _truth(focal)[complete]
    _two_groups(second)
    sums = codes.sum(axis=1)
    levels = np.unique(sums)
    rows = []
    for j, item in enumerate(table.items):
        right = codes[:, j] == 1
        cells = np.array([
            [np.sum(stratum & ~second & right), np.sum(stratum & ~second & ~right),
             np.sum(stratum & second & right), np.sum(stratum & second & ~right)]
            for stratum in (sums == level for level in levels)
        ], float)  # fmt: skip
        rows.append({"item": item, **_mantel_haenszel(cells, correction)})
    return pd.DataFrame(rows).set_index("item")


def _truth(focal: Sequence[bool] | NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The persons of the focal group; names of groups would all count as true."""
    given = np.asarray(focal)
    if given.dtype.kind not in "biuf":
        raise ParameterError(
            "focal must be True or False for every person, such as (data['sex'] == 'm')"
        )
    return given.astype(bool)


def _two_groups(second: np.ndarray) -> None:
    if second.all() or not second.any():
        raise ParameterError("DIF needs persons of two groups; all are in one")


def _mantel_haenszel(cells: Floats, correction: bool) -> dict[str, Any]:
    a, b, c, d = cells[cells.sum(axis=1) > 1].T
    n = a + b + c + d
    expected = (a + b) * (a + c) / n
    spread = (a + b) * (c + d) * (a + c) * (b + d) / (n**2 * (n - 1))
    away = abs((a - expected).sum()) - (0.5 if correction else 0.0)
    chisq = max(away, 0.0) ** 2 / spread.sum() if spread.sum() > 0 else np.nan
    r, s = (a * d / n), (b * c / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = r.sum() / s.sum()
        # Phillips and Holland (1987, Biometrics 43, 425).
        variance = (((a * d + odds * b * c) * (a + d + odds * (b + c))) / n**2).sum() / (
            2 * r.sum() ** 2
        )
        delta = -2.35 * np.log(odds)
    error = 2.35 * np.sqrt(variance)
    p = float(special.chdtrc(1, chisq)) if np.isfinite(chisq) else np.nan
    return {
        "chisq": chisq, "p": p, "odds_ratio": odds, "se": np.sqrt(variance), "delta": delta,
        "ets_class": ets_class(delta, error, p < 0.05),
    }  # fmt: skip


def logistic_dif(data: pd.DataFrame, focal: Sequence[bool] | NDArray[np.bool_]) -> pd.DataFrame:
    """Return logistic regression of every item on sum score, group and their product.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores 0 and 1; persons with missing responses are left out.
    focal : sequence of bool
        True for persons of the focal group.

    Returns
    -------
    DataFrame
        Per item the likelihood-ratio chi-squares `uniform` (1 df), `nonuniform` (1 df) and `both`
        (2 df) with `p_...`, and `delta_r2`, Nagelkerke's R2 gained by both terms.
    """
    table, _ = read_responses(data)
    complete = (table.codes >= 0).all(axis=1)
    codes = table.codes[complete]
    second = _truth(focal)[complete].astype(float)
    _two_groups(second > 0)
    score = codes.sum(axis=1).astype(float)
    one = np.ones(len(codes))
    designs = [
        np.column_stack(columns)
        for columns in ([one, score], [one, score, second], [one, score, second, score * second])
    ]
    rows = []
    for j, item in enumerate(table.items):
        y = codes[:, j].astype(float)
        base, uniform, full = (_logistic(design, y) for design in designs)
        null = _bernoulli(y.mean(), len(y))
        gained = _nagelkerke(full, null, len(y)) - _nagelkerke(base, null, len(y))
        row = {
            "item": item, "uniform": 2 * (uniform - base), "nonuniform": 2 * (full - uniform),
            "both": 2 * (full - base), "delta_r2": gained,
        }  # fmt: skip
        for name, df in (("uniform", 1), ("nonuniform", 1), ("both", 2)):
            row[f"p_{name}"] = float(special.chdtrc(df, row[name]))
        rows.append(row)
    return pd.DataFrame(rows).set_index("item")


def _bernoulli(p: float, n: int) -> float:
    return float(n * (special.xlogy(p, p) + special.xlogy(1 - p, 1 - p)))


def _nagelkerke(loglik: float, null: float, n: int) -> float:
    return (1 - np.exp(2 * (null - loglik) / n)) / (1 - np.exp(2 * null / n))


def _logistic(design: Floats, y: Floats) -> float:
    """Largest log-likelihood of a logistic regression, by Newton's method."""
    beta = np.zeros(design.shape[1])
    value = -len(y) * np.log(2)
    for _ in range(60):
        z = design @ beta
        p = special.expit(z)
        gradient = design.T @ (y - p)
        information = (design * (p * (1 - p))[:, None]).T @ design
        step = np.linalg.lstsq(information, gradient, rcond=None)[0]
        length, there = 2.0, -np.inf
        while there < value - 1e-12 * abs(value) and length > 1e-6:
            length /= 2
            z = design @ (beta + length * step)
            there = float(y @ z - np.logaddexp(0, z).sum())
        beta, gain, value = beta + length * step, there - value, there
        if gain < 1e-12 * abs(value):
            break
    return value
