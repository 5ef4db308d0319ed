"""Fit of an item response model item by item, pair by pair, person by person.

References
----------
Orlando, M., Thissen, D. (2000). Likelihood-based item-fit indices for dichotomous item response
    theory models. Applied Psychological Measurement 24, 50-64.
Kang, T., Chen, T. T. (2008). Performance of the generalized S-X2 item fit index for polytomous IRT
    models. Journal of Educational Measurement 45, 391-406.
Yen, W. M. (1984). Effects of local item dependence on the fit and equating performance of the
    three-parameter logistic model. Applied Psychological Measurement 8, 125-145.
Drasgow, F., Levine, M. V., Williams, E. A. (1985). Appropriateness measurement with polychotomous
    item response models and standardized indices. BJMSP 38, 67-86.
Wright, B. D., Masters, G. N. (1982). Rating Scale Analysis. MESA Press.
Adams, R. J., Wu, M. L. (2007). The mixed-coefficients multinomial logit model: a generalized form
    of the Rasch model. In von Davier, M., Carstensen, C. H. (eds.), Multivariate and Mixture
    Distribution Rasch Models, 57-75. Springer. (mean squares over the posterior of ability)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg
from gfactor.psychometrics.irt.checks.overallfit import (
    ENOUGH_COMPLETE,
    category_probabilities,
    enough_complete,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats, log_probabilities
from gfactor.psychometrics.irt.scores.abilities import sum_score_distribution, sums_without_each

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.result import IRTFit

MOST_ITEMS = 300
"""Largest sum of categories for which S-X2 is computed."""
UNEXPECTED = -2.0
"""Zh below this means answers that the model does not expect."""


def item_fit(fit: IRTFit, smallest: float = 1.0) -> pd.DataFrame:
    """Return S-X2, infit and outfit of all items.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.
    smallest : float
        Sum scores (items with two categories) or neighboring categories within a sum score are
        merged until every expected count is at least this.

    Returns
    -------
    DataFrame
        Per item `s_x2`, `s_x2_df`, `s_x2_p`, `s_x2_n` (the persons who answered every item; S-X2
        is computed from these, and NaN with 0 persons if they are fewer than half and than 200, or
        if the largest sum of categories is above 300), `infit`, `outfit` (mean squares over the
        posterior of ability, Adams and Wu 2007: 1 on average if the model holds). Degrees of
        freedom are cells less sum scores less the estimated parameters of the item; the variance of
        ability belongs to no item, so that a Rasch item has one estimated parameter.

    Raises
    ------
    ParameterError
        If the model has several factors or groups.
    """
    _one_dimension(fit)
    table = fit.table
    rows = pd.DataFrame(
        np.nan, index=pd.Index(table.items, name="item"),
        columns=["s_x2", "s_x2_df", "s_x2_p", "s_x2_n", "infit", "outfit"],
    )  # fmt: skip
    complete, why = complete_persons(fit)
    rows["s_x2_n"] = 0 if why else int(complete.sum())
    if not why:
        codes = table.codes[complete]
        compute = _s_x2 if table.categories.max() == 2 else _s_x2_of_categories
        expected = _sum_scores(fit, codes)
        statistics = [
            compute(fit, codes, expected, joint, j, smallest)
            for j, joint in enumerate(_joint(expected))
        ]
        of_items = [
            (statistic, df, float(special.chdtrc(df, statistic))) if df > 0 else (np.nan,) * 3
            for statistic, df in statistics
        ]
        rows[["s_x2", "s_x2_df", "s_x2_p"]] = np.array(of_items, dtype=np.float64)
    weights = fit.optimum.at.posteriors[0].weights
    rows["infit"], rows["outfit"] = posterior_mean_squares(fit, table.codes, weights)
    return rows


def complete_persons(fit: IRTFit) -> tuple[NDArray[np.bool_], str]:
    """Return the persons who answered every item, and the reason why S-X2 is not computed from them
    ("" if it is)."""
    complete: NDArray[np.bool_] = np.all(fit.table.codes >= 0, axis=1)
    highest, count = int((fit.table.categories - 1).sum()), int(complete.sum())
    if highest > MOST_ITEMS:
        return complete, f"the largest sum of categories is {highest}, above {MOST_ITEMS}"
    if not enough_complete(complete):
        return complete, (
            f"{count} of {len(complete)} persons answered every item, fewer than half and than "
            f"{ENOUGH_COMPLETE}"
        )
    return complete, ""


def s_x2_note(fit: IRTFit) -> tuple[str, str] | None:
    """Return code and sentence about persons or items without S-X2; None if there are none."""
    complete, why = complete_persons(fit)
    if why:
        return "no_s_x2", f"S-X2 was not computed: {why}."
    if complete.all():
        return None
    return "s_x2_of_complete", (
        f"S-X2 is computed from the {int(complete.sum())} of {len(complete)} persons who answered "
        "every item."
    )


def _one_dimension(fit: IRTFit) -> None:
    if fit.likelihood.model.factors > 1 or len(fit.likelihood.model.groups) > 1:
        raise ParameterError(
            "this statistic exists only for models of one factor and one group of persons"
        )


@dataclass(frozen=True)
class _SumScores:
    """Distributions of sum scores that the S-X2 of all items share.

    Parameters
    ----------
    sums : array (P,)
        The persons' sums of categories.
    whole : array (S,)
        The probability of every sum under the model.
    weights : array (Q,)
        The weights of the nodes of ability.
    curves : list of array (K, Q)
        The probabilities of every item's categories at the nodes.
    """

    sums: NDArray[np.int_]
    whole: Floats
    weights: Floats
    curves: list[Floats]


def _sum_scores(fit: IRTFit, codes: NDArray[np.int16]) -> _SumScores:
    group, values = fit.likelihood.model.groups[0], fit.optimum.at.values
    nodes = fit.likelihood.nodes[:, 0]
    weights = np.exp(fit.likelihood.latent(group, values).log_weights[0])
    whole = weights @ sum_score_distribution(group.blocks, values, nodes)
    return _SumScores(codes.sum(axis=1), whole, weights, category_probabilities(fit))


def _joint(expected: _SumScores) -> Iterator[Floats]:
    """Yield the probability of the categories of each item with every sum of the others, (K, S)."""
    others = sums_without_each(expected.curves, np.ones((1, len(expected.weights))))
    for curves, rest in zip(expected.curves, others, strict=True):
        yield (expected.weights * curves) @ rest.T


def _s_x2(
    fit: IRTFit, codes: NDArray[np.int16], expected: _SumScores, joint: Floats, item: int,
    smallest: float,
) -> tuple[float, int]:  # fmt: skip
    right = joint[1]
    rows = []
    for score in range(1, codes.shape[1]):
        at = expected.sums == score
        n = float(at.sum())
        if n:
            wanted = n * right[score - 1] / expected.whole[score]
            rows.append(np.array([n, float(codes[at, item].sum()), wanted, n - wanted]))
    rows = _merged(rows, smallest)
    if len(rows) < 2:
        return np.nan, 0
    r = np.array(rows)
    statistic = (
        (r[:, 1] - r[:, 2]) ** 2 / r[:, 2] + (r[:, 0] - r[:, 1] - r[:, 3]) ** 2 / r[:, 3]
    ).sum()
    return float(statistic), len(rows) - _parameters_of(fit, item)


def _parameters_of(fit: IRTFit, item: int) -> int:
    """The number of estimated parameters of an item."""
    model = fit.likelihood.model
    block = next(b for b in model.groups[0].blocks if item in b.columns)
    parameters = block.index[list(block.columns).index(item)]
    return int((model.design[parameters].getnnz(axis=1) > 0).sum())


def _s_x2_of_categories(
    fit: IRTFit, codes: NDArray[np.int16], expected: _SumScores, joint: Floats, item: int,
    smallest: float,
) -> tuple[float, int]:  # fmt: skip
    """S-X2 of a table with more than two categories (Kang and Chen 2008)."""
    statistic, cells = 0.0, 0
    for score in range(1, len(expected.whole) - 1):
        at = expected.sums == score
        if not at.any():
            continue
        # Categories that go with this sum: the other items make up the rest of it.
        possible = [k for k in range(len(joint)) if 0 <= score - k < joint.shape[1]]
        n = float(at.sum())
        counts = np.bincount(codes[at, item], minlength=len(joint))
        observed, wanted = merged_categories(
            [float(counts[k]) for k in possible],
            [n * float(joint[k, score - k] / expected.whole[score]) for k in possible],
            smallest,
        )
        statistic += float(((observed - wanted) ** 2 / wanted).sum()) if len(wanted) > 1 else 0.0
        cells += len(wanted) - 1
    df = cells - _parameters_of(fit, item)
    return (statistic, df) if df > 0 else (np.nan, 0)


def merged_categories(
    observed: Sequence[float], expected: Sequence[float], smallest: float
) -> tuple[Floats, Floats]:
    """Return counts with neighboring categories merged until no expected count is too small.

    Parameters
    ----------
    observed, expected : sequence of float
        Counts per category, in order.
    smallest : float
        Categories with a smaller expected count are merged.

    Returns
    -------
    tuple of array, array
        Observed and expected counts. The category with the smallest expectation goes into the
        neighbor with the smaller one, and so on.

    Examples
    --------
    >>> merged_categories([3, 0, 7], [2.5, 0.5, 7], 1)[0].tolist()
    [3.0, 7.0]
    """
    left, right = list(observed), list(expected)
    while len(right) > 1 and min(right) < smallest:
        k = int(np.argmin(right))
        beside = [m for m in (k - 1, k + 1) if 0 <= m < len(right)]
        to = min(beside, key=lambda m: right[m])
        left[to] += left[k]
        right[to] += right[k]
        del left[k], right[k]
    return np.array(left, float), np.array(right, float)


def _merged(rows: list[Floats], smallest: float) -> list[Floats]:
    """Sum scores merged until none has an expected count below `smallest`.

    A score of one person goes into the next one; then the first score with a small expectation goes
    inwards at the ends, and otherwise into the neighbor with fewer persons.
    """
    k = 0
    while k < len(rows) - 1:
        if rows[k][0] == 1:
            alone = rows.pop(k)
            rows[k] = rows[k] + alone
        else:
            k += 1
    if len(rows) > 1 and rows[-1][0] == 1:
        last = rows.pop()
        rows[-1] = rows[-1] + last
    while len(rows) > 1:
        small = [k for k, row in enumerate(rows) if min(row[2:]) < smallest]
        if not small:
            break
        k = small[0]
        if k == 0:
            to = 1
        elif k == len(rows) - 1 or rows[k - 1][0] <= rows[k + 1][0]:
            to = k - 1
        else:
            to = k + 1
        rows[to] = rows[to] + rows[k]
        rows.pop(k)
    return rows


def probabilities_at(fit: IRTFit, theta: Floats) -> list[Floats]:
    """Return probabilities (K, P) of every item's categories at the persons' abilities (P,)."""
    probabilities: list[Floats] = [np.empty(0)] * len(fit.table.items)
    for block in fit.likelihood.model.groups[0].blocks:
        p = np.exp(
            log_probabilities(
                block.kind, fit.optimum.at.values[block.index], theta[:, None], block.categories
            )
        )
        for j, column in enumerate(block.columns):
            probabilities[column] = p[j]
    return probabilities


def residuals(fit: IRTFit, codes: NDArray[np.int16], theta: Floats) -> tuple[Floats, Floats]:
    """Return responses less expected scores, and variances of scores, (P, J); NaN if missing.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.
    codes : integer array (P, J)
        Categories of the responses, -1 if missing.
    theta : array (P,)
        Abilities.
    """
    residual, variance = np.full(codes.shape, np.nan), np.zeros(codes.shape)
    for j, p in enumerate(probabilities_at(fit, theta)):
        k = np.arange(len(p))
        mean = k @ p
        variance[:, j] = k**2 @ p - mean**2
        seen = codes[:, j] >= 0
        residual[seen, j] = codes[seen, j] - mean[seen]
    return residual, variance


def posterior_mean_squares(
    fit: IRTFit, codes: NDArray[np.int16], weights: Floats
) -> tuple[Floats, Floats]:
    """Return infit and outfit (J,) of every item, averaged over the posterior of ability.

    At a point estimate of ability, residuals are too small, because the estimate depends on the
    answer. Averaged over the posterior, the expectation is that at the true abilities, which is 1
    (Adams and Wu 2007).

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.
    codes : integer array (P, J)
        Categories of the responses, -1 if missing.
    weights : array (P, Q)
        Posterior weights of the nodes of ability.
    """
    infit, outfit = np.full(codes.shape[1], np.nan), np.full(codes.shape[1], np.nan)
    for j, p in enumerate(category_probabilities(fit)):
        k = np.arange(len(p))[:, None]
        counts = np.stack([weights[codes[:, j] == c].sum(axis=0) for c in range(len(p))])
        mean = (k * p).sum(axis=0)
        squares, variance = (k - mean) ** 2, (k**2 * p).sum(axis=0) - mean**2
        given = counts.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            # With an infinite slope there is no variance at abilities that nobody has.
            standardized = np.where(counts > 0, counts * squares / variance, 0.0)
            infit[j] = (counts * squares).sum() / (given @ variance)
            outfit[j] = standardized.sum() / given.sum()
    return infit, outfit


def _theta(fit: IRTFit) -> Floats:
    return fit.scores("eap")["theta"].to_numpy()


def _standardized(fit: IRTFit) -> tuple[Floats, Floats]:
    residual, variance = residuals(fit, fit.table.codes, _theta(fit))
    # With infinite slopes some persons have no variance.
    with np.errstate(divide="ignore", invalid="ignore"):
        return residual**2 / variance, variance


def q3(fit: IRTFit) -> pd.DataFrame:
    """Return correlations of residuals of two items (Yen 1984), at EAP abilities.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.

    Returns
    -------
    DataFrame (J, J)
        Correlations of residuals, about -1 / (J - 1) without local dependence; pairwise if
        responses are missing.
    """
    _one_dimension(fit)
    residual, _ = residuals(fit, fit.table.codes, _theta(fit))
    frame = pd.DataFrame(residual, columns=list(fit.table.items))
    return frame.corr(min_periods=10)


def person_fit(fit: IRTFit) -> pd.DataFrame:
    """Return zh (Drasgow, Levine and Williams 1985), infit and outfit of every person.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.

    Returns
    -------
    DataFrame
        Per person `zh` (large negative: responses that the model does not expect), `infit`,
        `outfit` (mean squares at EAP abilities, which are estimated from the same answers: below 1
        on average if the model holds).
    """
    _one_dimension(fit)
    curves = probabilities_at(fit, _theta(fit))
    count = len(fit.table.codes)
    total, mean, spread = np.zeros(count), np.zeros(count), np.zeros(count)
    persons = np.arange(count)
    for j, p in enumerate(curves):
        seen = fit.table.codes[:, j] >= 0
        with np.errstate(divide="ignore", invalid="ignore"):
            log = np.log(p)
        expected = special.xlogy(p, p).sum(axis=0)
        second = (p * np.where(p > 0, log, 0) ** 2).sum(axis=0)
        log_given = log[np.maximum(fit.table.codes[:, j], 0), persons]
        total += np.where(seen, log_given, 0)
        mean += np.where(seen, expected, 0)
        spread += np.where(seen, second - expected**2, 0)
    z2, variance = _standardized(fit)
    seen = ~np.isnan(z2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return pd.DataFrame(
            {
                "zh": (total - mean) / np.sqrt(spread),
                "infit": np.nansum(z2 * variance, axis=1) / (variance * seen).sum(axis=1),
                "outfit": np.nansum(z2, axis=1) / seen.sum(axis=1),
            },
            index=fit.table.persons,
        )


def observed_points(
    fit: IRTFit, items: Sequence[str] | None = None, points: int = 10
) -> pd.DataFrame:
    """Return answers of persons of similar ability to an item, and the model's expectation.

    Persons are classified by their ability estimated from the *other* items, so that in a short
    test an item does not confirm itself. The expected share is the mean over the class of the
    probability under each person's posterior without the item; observed and expected shares differ
    only by sampling error if the model holds. (The curve at the mean ability is not the expected
    share, because abilities in a class vary and curves are nonlinear.)

    Parameters
    ----------
    fit : IRTFit
        A model of one factor.
    items : sequence of str or None
        Items; all if None.
    points : int
        Number of classes of persons at the most; fewer if they would hold fewer than six persons.

    Returns
    -------
    DataFrame
        `group`, `item`, `category` (the score, from the second one on), `point`, `theta` (mean
        ability of the class), `n`, `share` with its 95 % Wilson interval `share_low` and
        `share_high`, `expected`.

    Raises
    ------
    ParameterError
        If the model has several factors, or an item is not in the data.

    Examples
    --------
    >>> from gfactor.psychometrics.irt import fit_irt
    >>> rng = np.random.default_rng(1)
    >>> z = rng.normal(size=(300, 1)) - np.linspace(-1, 1, 6)
    >>> data = pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int))
    >>> result = observed_points(fit_irt("rasch", data), ["2"], points=4)
    >>> bool((abs(result["share"] - result["expected"]) < 0.15).all())
    True
    """
    if fit.likelihood.model.factors > 1:
        raise ParameterError("observed points exist only for models of one factor")
    table, data = fit.table, fit.likelihood.data
    chosen = list(table.items) if items is None else [str(item) for item in items]
    unknown = [item for item in chosen if item not in table.items]
    if unknown:
        raise ParameterError(f"there is no item {unknown[0]!r} in the fit")
    nodes = fit.likelihood.nodes[:, 0]
    parts = []
    for item in chosen:
        column = table.items.index(item)
        for g, group in enumerate(fit.likelihood.model.groups):
            rows = np.flatnonzero(data.group == g)
            answered = table.codes[rows, column] >= 0
            codes, weights = table.codes[rows, column][answered], data.weights[rows][answered]
            block = next(b for b in group.blocks if column in b.columns)
            index = block.index[list(block.columns).index(column)]
            curves = log_probabilities(
                block.kind, fit.optimum.at.values[index][None], nodes[:, None], block.categories
            )[0]
            with np.errstate(divide="ignore"):
                rest = np.log(fit.optimum.at.posteriors[g].weights[answered]) - curves[codes]
            rest = special.softmax(rest, axis=1)
            # Rounded: equal answers to the other items must not be split by the last digit.
            theta = np.round(rest @ nodes, 8)
            classes = max(1, min(points, len(codes) // 6))
            cuts = np.unique(np.quantile(theta, np.linspace(0, 1, classes + 1)[1:-1])) if len(
                theta
            ) else np.empty(0)  # fmt: skip
            which = np.searchsorted(cuts, theta, side="right")
            for point in np.unique(which):
                members = which == point
                n = float(weights[members].sum())
                if n == 0:
                    continue
                expected = weights[members] @ rest[members] @ np.exp(curves).T / n
                for k in range(1, block.categories):
                    right = float(weights[members] @ (codes[members] == k))
                    low, high = wilson(right, n)
                    parts.append({
                        "group": group.name, "item": item,
                        "category": table.scores[column][k], "point": int(point) + 1,
                        "theta": float(weights[members] @ theta[members] / n), "n": n,
                        "share": right / n, "share_low": float(low), "share_high": float(high),
                        "expected": float(expected[k]),
                    })  # fmt: skip
    return pd.DataFrame(parts)


def worst_items(fit: IRTFit, most: int = 10) -> pd.DataFrame:
    """Return the fit of the items that fit worst, the worst first.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.
    most : int
        Number of items, at most.

    Returns
    -------
    DataFrame
        `item`, `n` (responses), `S-X2`, `df`, `p_adjusted` (of all items, by Benjamini and
        Hochberg), `infit`, `outfit`. Without S-X2 the items are ordered by how far outfit is
        from 1 (as a ratio), and its columns are left out.
    """
    items = item_fit(fit)
    table = pd.DataFrame({
        "item": items.index, "n": (fit.table.codes >= 0).sum(axis=0), "S-X2": items["s_x2"],
        "df": items["s_x2_df"], "p_adjusted": benjamini_hochberg(items["s_x2_p"].to_numpy()),
        "infit": items["infit"], "outfit": items["outfit"],
    })  # fmt: skip
    with np.errstate(divide="ignore"):
        away = np.abs(np.log(items["outfit"].to_numpy(dtype=float)))
    order = np.lexsort((-away, items["s_x2_p"].to_numpy(dtype=float)))
    if bool(items["s_x2_p"].isna().to_numpy().all()):
        table = table.drop(columns=["S-X2", "df", "p_adjusted"])
    else:
        table["df"] = table["df"].astype("Int64")
    return table.iloc[order[:most]].reset_index(drop=True)


def person_fit_sentence(fit: IRTFit) -> str:
    """Return a sentence about the persons whose answers the model does not expect.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.
    """
    zh: Any = person_fit(fit)["zh"].dropna()
    low = zh[zh < UNEXPECTED].sort_values(kind="stable")
    named = ", ".join(f"{name} {value:.1f}" for name, value in low.iloc[:3].items())
    return (
        f"person fit: {len(low)} of {len(zh)} persons answer unexpectedly (Zh below "
        f"{UNEXPECTED:g})" + (f", first {named}" if named else "")
    )
