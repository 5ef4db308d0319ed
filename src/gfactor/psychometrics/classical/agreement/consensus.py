"""Consensus of raters: the majority, and a consensus that weights raters by their reliability.

The model of Dawid and Skene (1979): every unit has an unobserved true category. Every rater chooses
each category with a probability that depends on the true one, independently of other raters.
Prevalences and the raters' error rates are estimated by expectation-maximization.

References
----------
Dawid, A. P., Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the
    EM algorithm. Applied Statistics 28, 20-28.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.classical.agreement.ratings import sorted_values
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.resampling import bootstrap_weights
from gfactor.results import Result, rounded

Floats = NDArray[np.float64]

TOLERANCE, MOST_STEPS = 1e-8, 5_000
"""Largest change of a posterior probability at which EM ends, and largest number of steps."""
TIED = 1e-4
"""Posterior probabilities that differ by less are equal; the difference only shows where EM
ended."""
FEW = 3
"""Number of raters below which error rates are not identified without a prior."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Consensus(Result):
    """Consensus of raters, unit by unit, and the reliability of each of them.

    Parameters
    ----------
    units : DataFrame
        A row per unit: `ratings`, `majority` (the most frequent category; None if several tie)
        with its `share`, `consensus` (the most probable category; None if several tie) with its
        `probability`, and the probability of every category.
    raters : DataFrame
        A row per rater: `ratings`, `accuracy` (probability that the rater gives the true category,
        averaged over the prevalences) with `se`, `low`, `high`.
    errors : DataFrame
        A row per rater, true category and given category: `probability`, `se`, `low`, `high`.
    prevalence : DataFrame
        A row per category: `probability`, `se`, `low`, `high`.
    prior : float
        Pseudo-counts of every category in prevalences and in each row of error rates.
    loglik : float
        Log-likelihood of the ratings, without the prior.
    steps : int
        Number of steps of EM.
    draws : int
        Number of bootstrap samples of units from which standard errors and intervals are computed.
    level : float
        Confidence level of the intervals.
    diagnostics : tuple of Diagnostic
    """

    units: pd.DataFrame
    raters: pd.DataFrame
    errors: pd.DataFrame
    prevalence: pd.DataFrame
    prior: float
    loglik: float
    steps: int
    draws: int
    level: float = 0.95
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        other = self.units["consensus"].to_numpy(object) != self.units["majority"].to_numpy(object)
        other |= self.units["majority"].isna().to_numpy()
        return (
            f"Consensus of {len(self.raters)} raters on {len(self.units)} units: "
            f"{np.count_nonzero(other)} differ from the majority or have none"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("prior", "loglik", "steps", "draws", "level")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"raters": self.raters, "prevalence": self.prevalence, "units": self.units,
                "errors": self.errors}  # fmt: skip

    def _lines(self) -> list[str]:
        return [self.title, rounded(self.raters, 3).to_string(index=False)]


def dawid_skene(
    ratings: pd.DataFrame,
    *,
    prior: float = 0.0,
    n_bootstrap: int = 200,
    seed: int = 0,
    level: float = 0.95,
) -> Consensus:
    """Estimate the consensus of raters, weighted by their reliability, by the model of Dawid and
    Skene.

    Parameters
    ----------
    ratings : DataFrame
        A row per unit, a column per rater, categories as values; missing where a rater has not
        rated a unit. Columns of one name are several ratings by one rater.
    prior : float
        Pseudo-counts added to every category; 0 is maximum likelihood, as in the paper. With few
        ratings per rater a weak prior (0.1 to 1) keeps error rates from 0 and 1.
    n_bootstrap : int
        Number of resamples of units for standard errors and intervals; 0 for none.
    seed : int
        Seed of the bootstrap samples.
    level : float
        Confidence level of the percentile intervals.

    Returns
    -------
    Consensus
        `units`, `raters`, `errors`, `prevalence`.

    Raises
    ------
    ParameterError
        For a negative prior, and if there are fewer than two raters or categories.

    References
    ----------
    Dawid, A. P., Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using
    the EM algorithm. Applied Statistics 28, 20-28.

    Examples
    --------
    >>> import pandas as pd
    >>> from gfactor.psychometrics.classical.agreement import dawid_skene
    >>> ratings = pd.DataFrame({"r1": list("aabbab"), "r2": list("aabbaa"), "r3": list("bbabba")})
    >>> found = dawid_skene(ratings, prior=0.5, n_bootstrap=0)
    >>> "".join(found.units["consensus"])
    'aabbab'
    """
    if prior < 0:
        raise ParameterError(f"the prior must be a number of ratings, 0 or more, not {prior:g}")
    rated = ~pd.isna(ratings).to_numpy(bool)
    table, names = ratings.loc[rated.any(axis=1)], list(dict.fromkeys(ratings.columns))
    values, counts = _counts(table, names)
    raters = [name for name, n in zip(names, counts.sum(axis=(0, 2)), strict=True) if n]
    counts = counts[:, counts.sum(axis=(0, 2)) > 0]
    if len(raters) < 2 or len(values) < 2:
        raise ParameterError(
            f"a consensus needs two or more raters and categories, not {len(raters)} and "
            f"{len(values)}"
        )
    ones = np.ones(len(table))
    votes = counts.sum(axis=1)
    start = votes / votes.sum(axis=1, keepdims=True)
    posterior, prevalence, errors, steps = _em(counts, start, ones, prior)
    resampled = [
        _resampled_em(counts, posterior, block, prior)
        for block in (bootstrap_weights(len(table), n_bootstrap, seed) if n_bootstrap else ())
    ]
    shares = np.concatenate([one for one, _ in resampled]) if resampled else None
    rates = np.concatenate([one for _, one in resampled]) if resampled else None
    spread = _Spread(level)
    labels = [str(value) for value in values]
    accuracy = _accuracy(prevalence, errors)
    over = None if shares is None or rates is None else _accuracy(shares, rates)
    pairs = [(r, a, b) for r in raters for a in values for b in values]
    return Consensus(
        units=_units(table, values, labels, votes, posterior),
        raters=pd.DataFrame({"rater": raters, "ratings": counts.sum(axis=(0, 2)).astype(int),
                             "accuracy": accuracy} | spread.of(over)),
        errors=pd.DataFrame(pairs, columns=["rater", "true", "said"]).assign(
            probability=errors.ravel(), **spread.of(rates)),
        prevalence=pd.DataFrame({"category": values, "probability": prevalence}
                                | spread.of(shares)),
        prior=prior, loglik=_loglik(counts, prevalence, errors), steps=steps, draws=n_bootstrap,
        level=level,
        diagnostics=by_severity(_findings(
            counts, steps, prior, accuracy, raters, len(values), int(_undecided(posterior).sum()))),
    )  # fmt: skip


def _counts(table: pd.DataFrame, names: list[Any]) -> tuple[tuple[Any, ...], Floats]:
    """The categories, and how often each rater gave each to every unit (units, raters, values)."""
    cells, rated = table.to_numpy(object), ~pd.isna(table).to_numpy(bool)
    values = sorted_values(set(cells[rated]))
    at = {value: k for k, value in enumerate(values)}
    rater = [names.index(name) for name in table.columns]
    counts = np.zeros((len(table), len(names), len(values)))
    for row, column in zip(*np.nonzero(rated), strict=True):
        counts[row, rater[column], at[cells[row, column]]] += 1
    return tuple(values), counts


def _em(
    counts: Floats, posterior: Floats, weights: Floats, prior: float
) -> tuple[Floats, Floats, Floats, int]:
    """Posterior of every unit, prevalences, error rates (raters, true, said), and steps."""
    step, moved = 0, np.inf
    prevalence = errors = np.empty(0)
    while moved >= TOLERANCE and step < MOST_STEPS:
        prevalence, errors = _m_step(counts, posterior * weights[:, None], prior)
        before, posterior = posterior, _posterior(counts, prevalence, errors)
        moved = float(np.abs(posterior - before)[weights > 0].max(initial=0.0))
        step += 1
    return posterior, prevalence, errors, step


def _resampled_em(
    counts: Floats, posterior: Floats, weights: Floats, prior: float
) -> tuple[Floats, Floats]:
    """Prevalences and error rates of every resample of units (a row of weights), all at once."""
    draws, (_, raters, k) = len(weights), counts.shape
    shares, rates = np.empty((draws, k)), np.empty((draws, raters, k, k))
    moving, now = np.arange(draws), np.broadcast_to(posterior, (draws, *posterior.shape))
    for _ in range(MOST_STEPS):
        weighted = now * weights[moving, :, None]
        shares[moving], rates[moving] = _m_step(counts, weighted, prior)
        before, now = now, _posterior(counts, shares[moving], rates[moving])
        moved = (np.abs(now - before) * (weights[moving, :, None] > 0)).max(axis=(1, 2))
        going = moved >= TOLERANCE
        if not going.any():
            break
        moving, now = moving[going], now[going]
    return shares, rates


def _m_step(counts: Floats, weighted: Floats, prior: float) -> tuple[Floats, Floats]:
    """Prevalences and error rates, for each resample if `weighted` has an axis of them."""
    units, raters, k = counts.shape
    prevalence = weighted.sum(axis=-2) + prior
    prevalence /= prevalence.sum(axis=-1, keepdims=True)
    errors = np.swapaxes(weighted, -1, -2) @ counts.reshape(units, -1)
    errors = np.swapaxes(errors.reshape(*errors.shape[:-1], raters, k), -3, -2) + prior
    total = errors.sum(axis=-1, keepdims=True)
    # If no unit can have a category, the ratings have no information on errors with that category.
    errors = np.where(total > 0, errors / np.where(total > 0, total, 1), 1 / k)
    return prevalence, errors


def _log_joint(counts: Floats, prevalence: Floats, errors: Floats) -> Floats:
    """Log-probability of each unit's ratings with each true category (units, categories)."""
    units, raters, k = counts.shape
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(errors), -1e6)
        start = np.maximum(np.log(prevalence), -1e6)
    rows = np.swapaxes(logs, -1, -2).reshape(*prevalence.shape[:-1], raters * k, k)
    return counts.reshape(units, -1) @ rows + start[..., None, :]


def _posterior(counts: Floats, prevalence: Floats, errors: Floats) -> Floats:
    joint = _log_joint(counts, prevalence, errors)
    odds = np.exp(joint - joint.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)


def _loglik(counts: Floats, prevalence: Floats, errors: Floats) -> float:
    return float(np.logaddexp.reduce(_log_joint(counts, prevalence, errors), axis=1).sum())


def _accuracy(prevalence: Floats, errors: Floats) -> Floats:
    """Return each rater's probability of naming the true category (per draw, if any)."""
    right = np.diagonal(errors, axis1=-2, axis2=-1)
    return (right * prevalence[..., None, :]).sum(axis=-1)


@dataclass(frozen=True)
class _Spread:
    """Standard errors and percentile intervals of draws (the first axis)."""

    level: float

    def of(self, draws: Floats | None) -> dict[str, Any]:
        if draws is None:
            return {"se": np.nan, "low": np.nan, "high": np.nan}
        flat = draws.reshape(len(draws), -1)
        tail = (1 - self.level) / 2
        low, high = np.quantile(flat, [tail, 1 - tail], axis=0)
        return {"se": flat.std(axis=0, ddof=1), "low": low, "high": high}


def _units(
    table: pd.DataFrame, values: tuple[Any, ...], labels: list[str], votes: Floats,
    posterior: Floats,
) -> pd.DataFrame:  # fmt: skip
    most = votes.max(axis=1, keepdims=True)
    alone = (votes == most).sum(axis=1) == 1
    first, best = votes.argmax(axis=1), posterior.argmax(axis=1)
    chosen = pd.Series([values[k] for k in best], table.index)
    if (undecided := _undecided(posterior)).any():
        chosen = chosen.astype(object).mask(undecided, None)
    leading = [values[k] if one else None for k, one in zip(first, alone, strict=True)]
    rows = {
        "ratings": votes.sum(axis=1).astype(int),
        "majority": pd.Series(leading, table.index, dtype=object),
        "share": most[:, 0] / votes.sum(axis=1),
        "consensus": chosen,
        "probability": posterior.max(axis=1),
    }
    each = {f"p({label})": posterior[:, k] for k, label in enumerate(labels)}
    return pd.DataFrame(rows | each, index=table.index)  # fmt: skip


def _undecided(posterior: Floats) -> NDArray[np.bool_]:
    """Return True for units whose two most probable categories are equally probable."""
    ordered = np.sort(posterior, axis=1)
    return ordered[:, -1] - ordered[:, -2] < TIED


def _findings(
    counts: Floats, steps: int, prior: float, accuracy: Floats, raters: list[Any], k: int,
    undecided: int,
) -> Iterator[Diagnostic]:  # fmt: skip
    if undecided:
        yield Diagnostic(
            "undecided_units", "warning",
            f"{undecided} of {len(counts)} units have no consensus: several categories are "
            "equally probable.", "Have more people rate, or use the majority.", (),
            {"n": undecided},
        )  # fmt: skip
    if steps == MOST_STEPS:
        yield Diagnostic(
            "not_converged", "error", f"EM has not converged within {MOST_STEPS} steps.",
            "Give a weak prior, or join categories that are hardly used.",
        )  # fmt: skip
    if len(raters) < FEW:
        yield Diagnostic(
            "few_raters", "error" if prior == 0 else "warning",
            f"There are {len(raters)} raters: their error rates are not identified by the ratings.",
            "Have a third person rate, or use the majority.",
        )  # fmt: skip
    below = tuple(str(r) for r, share in zip(raters, accuracy, strict=True) if share < 1 / k)
    if below:
        yield Diagnostic(
            "below_chance", "warning",
            f"{len(below)} of {len(raters)} raters are right less often than a guess.",
            "Look at whether they read the categories as the others do.", below,
        )  # fmt: skip
    few = tuple(
        str(rater) for rater, n in zip(raters, counts.sum(axis=(0, 2)), strict=True) if n < 5 * k
    )
    if few:
        yield Diagnostic(
            "few_ratings", "note" if prior else "warning",
            f"{len(few)} raters gave fewer than {5 * k} ratings, five for each category: their "
            "error rates are uncertain.", "Give a weak prior, and look at the intervals.", few,
        )  # fmt: skip
