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
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg
from gfactor.psychometrics.irt.checks.differential import DIF, ets_class, group_sizes, two_groups
from gfactor.psychometrics.irt.data import read_responses
from gfactor.psychometrics.irt.likelihood.curves import Floats

METHODS = ("mantel-haenszel", "logistic")
"""Methods that match persons on an observed score."""
_GIVEN_ALREADY = ("chisq", "se", "both", "p_both")


def observed_dif(
    data: pd.DataFrame, groups: Sequence[str], method: str, *, reference: str | None = None,
    uniform: bool = False, anchors: Sequence[str] | None = None, purify: bool = True,
    level: float = 0.05,
) -> DIF:  # fmt: skip
    """Test items with two categories for a difference between two groups of equal sum scores.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores 0 and 1; persons with missing responses are left out.
    groups : sequence of str
        One of two groups for every person.
    method : {"mantel-haenszel", "logistic"}
        Mantel and Haenszel's test, or logistic regression on the sum score.
    reference : str or None
        Reference group; by default the group of the first person in the data.
    uniform : bool
        True for the logistic test of a uniform difference alone (1 degree of freedom).
    anchors : sequence of str or None
        Items whose sum, with the item itself, persons are matched on. If None, all, purified: items
        that differ at `level` leave the sum, until nothing changes.
    purify : bool
        True to purify.
    level : float
        Significance level of adjusted p values, for purification.

    Returns
    -------
    DIF
        Table per item: `statistic`, `df`, `p`, `p_adjusted` (Benjamini and Hochberg), `anchor`,
        `delta` (2.35 times the difference of log odds at equal sums, below 0: harder for the focal
        group), `delta_se`, `ets_class`, and `odds_ratio` (above 1: the reference group has it
        easier), or the parts of the logistic test and `delta_r2`.
    """
    names = two_groups(groups, reference)
    items = _two_categories(data)
    focal = np.asarray([str(group) == names[1] for group in groups])
    anchored, frame = list(items if anchors is None else anchors), pd.DataFrame()
    if lacking := [item for item in anchored if item not in items]:
        raise ParameterError(f"anchor {lacking[0]!r} is not an item of the data")
    for _ in range(5):
        if method == "logistic":
            part, df = ("uniform", 1) if uniform else ("both", 2)
            table = logistic_dif(data, focal, anchors=anchored)
            frame = table.assign(statistic=table[part], df=df, p=table[f"p_{part}"])
        else:
            table = mantel_haenszel(data, focal, anchors=anchored)
            frame = table.assign(statistic=table["chisq"], df=1, delta_se=2.35 * table["se"])
        frame["p_adjusted"] = benjamini_hochberg(frame["p"].to_numpy())
        frame["anchor"] = [item in anchored for item in frame.index]
        if anchors is not None or not purify:
            break
        flagged = set(frame.index[frame["p_adjusted"].to_numpy() < level])
        clean = [item for item in items if item not in flagged]
        if clean == anchored or len(clean) < 2:
            break
        anchored = clean
    first = ["statistic", "df", "p", "p_adjusted", "anchor", "delta", "delta_se", "ets_class"]
    others = [name for name in frame if name not in (*first, *_GIVEN_ALREADY)]
    regression = "logistic regression" + ", uniform" * uniform
    answered = data.set_axis(data.columns.map(str), axis=1)[items].notna().to_numpy()
    complete = np.asarray(answered.all(axis=1))
    counted = [group for group, used in zip(groups, complete, strict=True) if used]
    return DIF(
        regression if method == "logistic" else "Mantel-Haenszel", (names[0], names[1]),
        frame.loc[:, [*first, *others]], tuple(anchored), _left_out(data),
        sizes=group_sizes(counted, names), missing=int(data.isna().sum().sum()),
    )  # fmt: skip


def _two_categories(data: pd.DataFrame) -> list[str]:
    """Return the items that vary; ParameterError if one has more than two categories."""
    table, _ = read_responses(data)
    for item, count in zip(table.items, table.categories, strict=True):
        if count > 2:
            raise ParameterError(
                f"item {item!r} has {count} categories; Mantel-Haenszel and logistic tests take "
                "items with two: use method 'lr'"
            )
    return list(table.items)


def _left_out(data: pd.DataFrame) -> tuple[Diagnostic, ...]:
    """Return the warning that persons with missing responses are left out."""
    lost = int(data.isna().any(axis=1).sum())
    if not lost:
        return ()
    return (Diagnostic(
        "persons_left_out", "warning",
        f"{lost} of {len(data)} persons lack a response and are left out, since they have no sum "
        "score.",
        "Method 'lr' takes every response.",
        values={"n": lost},
    ),)  # fmt: skip


def mantel_haenszel(
    data: pd.DataFrame, focal: Sequence[bool] | NDArray[np.bool_], *, correction: bool = True,
    anchors: Sequence[str] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return Mantel-Haenszel tests of items with two categories, matched on the sum score.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores 0 and 1; persons with missing responses are left out.
    focal : sequence of bool
        True for persons of the focal group.
    correction : bool
        True to correct the chi-square for continuity.
    anchors : sequence of str or None
        Items whose sum, with the item itself, persons are matched on; all if None.

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
    rows = []
    for j, item in enumerate(table.items):
        right = codes[:, j] == 1
        sums = _matching(codes, table.items, anchors, j)
        levels = np.unique(sums)
        cells = np.array([
            [np.sum(stratum & ~second & right), np.sum(stratum & ~second & ~right),
             np.sum(stratum & second & right), np.sum(stratum & second & ~right)]
            for stratum in (sums == level for level in levels)
        ], float)  # fmt: skip
        rows.append({"item": item, **_mantel_haenszel(cells, correction)})
    return pd.DataFrame(rows).set_index("item")


def _matching(
    codes: NDArray[np.int16], items: Sequence[str], anchors: Sequence[str] | None, j: int
) -> NDArray[np.int_]:
    """The sum of the anchors and of item `j`, by which persons are matched."""
    summed = [k for k, n in enumerate(items) if anchors is None or k == j or n in anchors]
    return codes[:, summed].sum(axis=1)


def _truth(focal: Sequence[bool] | NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return True for the focal group; refuse names of groups, which would all count as true."""
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


def logistic_dif(
    data: pd.DataFrame, focal: Sequence[bool] | NDArray[np.bool_], *,
    anchors: Sequence[str] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return logistic regression of every item on sum score, group and their product.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores 0 and 1; persons with missing responses are left out.
    focal : sequence of bool
        True for persons of the focal group.
    anchors : sequence of str or None
        Items whose sum, with the item itself, persons are matched on; all if None.

    Returns
    -------
    DataFrame
        Per item the likelihood-ratio chi-squares `uniform` (1 df), `nonuniform` (1 df) and `both`
        (2 df) with `p_...`; `delta_r2`, Nagelkerke's R2 gained by both terms; and the uniform
        difference as `delta`, with `delta_se` and `ets_class`.
    """
    table, _ = read_responses(data)
    complete = (table.codes >= 0).all(axis=1)
    codes = table.codes[complete]
    second = _truth(focal)[complete].astype(float)
    _two_groups(second > 0)
    one = np.ones(len(codes))
    rows = []
    for j, item in enumerate(table.items):
        y = codes[:, j].astype(float)
        score = _matching(codes, table.items, anchors, j).astype(float)
        columns = [one, score, second, score * second]
        base, full = (_logistic(np.column_stack(columns[:k]), y) for k in (2, 4))
        uniform, beta, vcov = _maximum(np.column_stack(columns[:3]), y)
        null = _bernoulli(y.mean(), len(y))
        gained = _nagelkerke(full, null, len(y)) - _nagelkerke(base, null, len(y))
        row = {
            "item": item, "uniform": 2 * (uniform - base), "nonuniform": 2 * (full - uniform),
            "both": 2 * (full - base), "delta_r2": gained,
        }  # fmt: skip
        for name, df in (("uniform", 1), ("nonuniform", 1), ("both", 2)):
            row[f"p_{name}"] = float(special.chdtrc(df, row[name]))
        delta, error = 2.35 * beta[2], 2.35 * np.sqrt(vcov[2, 2])
        row |= {"delta": delta, "delta_se": error,
                "ets_class": ets_class(delta, error, row["p_uniform"] < 0.05)}  # fmt: skip
        rows.append(row)
    return pd.DataFrame(rows).set_index("item")


def _bernoulli(p: float, n: int) -> float:
    return float(n * (special.xlogy(p, p) + special.xlogy(1 - p, 1 - p)))


def _nagelkerke(loglik: float, null: float, n: int) -> float:
    return (1 - np.exp(2 * (null - loglik) / n)) / (1 - np.exp(2 * null / n))


def _logistic(design: Floats, y: Floats) -> float:
    """Largest log-likelihood of a logistic regression."""
    return _maximum(design, y)[0]


def _maximum(design: Floats, y: Floats) -> tuple[float, Floats, Floats]:
    """Largest log-likelihood of a logistic regression, its coefficients and their covariance, by
    Newton's method."""
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
    p = special.expit(design @ beta)
    return value, beta, np.linalg.pinv((design * (p * (1 - p))[:, None]).T @ design)
