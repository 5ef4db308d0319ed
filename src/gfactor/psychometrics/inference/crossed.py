"""Means over persons and items at once: people compared with examinees on the same items.

Persons and items are both drawn from more of their kind, so both are resampled, independently of
each other. Variances come out slightly too large, because the error of single answers is counted
with both (Owen 2007): intervals are too wide rather than too narrow.

References
----------
Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1, 386-411.
McCullagh, P. (2000). Resampling and exchangeable arrays. Bernoulli 6, 285-301.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.intervals import checked_level
from gfactor.psychometrics.inference.resampling import Bootstrap, bootstrap_weights

Floats = NDArray[np.float64]


def people_beside(
    people: pd.DataFrame,
    others: pd.DataFrame,
    *,
    level: float = 0.95,
    n_bootstrap: int = 999,
    seed: int = 0,
) -> Bootstrap:
    """Return the mean of people and of examinees on the same items, with crossed bootstrap
    intervals.

    Every item counts once: its score is the mean of the people who were asked it.

    Parameters
    ----------
    people : DataFrame
        Scores, persons x items; NaN if a person was not asked.
    others : DataFrame
        Scores of examinees, items (the same) x examinees; NaN if not answered.
    level : float
        Confidence level of the intervals.
    n_bootstrap : int
        Number of resamples of persons and items.
    seed : int
        Seed of the bootstrap samples.

    Returns
    -------
    Bootstrap
        `intervals` has the columns `examinee`, `statistic` ("people", "examinee" and "difference",
        that of the examinee less that of the people), `items`, `est`, `se`, `low`, `high`; before
        these the rows of all people: "people", and "solved", the share of items that at least one
        person solved.

    Raises
    ------
    ParameterError
        For fewer than two persons or items, or items that differ.

    References
    ----------
    Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1, 386-411.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> people = pd.DataFrame((rng.random((40, 20)) < 0.6).astype(float))
    >>> model = pd.DataFrame({"m": (rng.random(20) < 0.9).astype(float)})
    >>> table = people_beside(people, model).intervals
    >>> table["statistic"].tolist()
    ['people', 'solved', 'people', 'examinee', 'difference']
    >>> bool(table["low"].iloc[-1] > 0)
    True
    """
    checked_level(level)
    x, y = people.to_numpy(float), others.to_numpy(float)
    if list(people.columns) != list(others.index):
        raise ParameterError(
            "people and examinees have scores on different items; give both the same items in the "
            "same order"
        )
    if x.shape[0] < 2 or x.shape[1] < 2:
        raise ParameterError(
            f"a comparison with people needs two or more persons and items, not {x.shape[0]} and "
            f"{x.shape[1]}"
        )
    ones = np.ones((1, x.shape[0])), np.ones((1, x.shape[1]))
    estimate = _means(x, y, *ones)[0]
    persons = bootstrap_weights(x.shape[0], n_bootstrap, seed)
    # Items use another stream of the same seed, so that they are drawn independently of persons.
    rng = np.random.default_rng([seed, 1])
    share = np.full(x.shape[1], 1 / x.shape[1])
    draws = np.concatenate([
        _means(x, y, block, rng.multinomial(x.shape[1], share, len(block)).astype(float))
        for block in persons
    ])  # fmt: skip
    finite = np.isfinite(draws).all(axis=1)
    names = [str(name) for name in others.columns]
    items = (~np.isnan(x).all(axis=0)).sum()
    both = [int((~np.isnan(x).all(axis=0) & ~np.isnan(column)).sum()) for column in y.T]
    rows = [("", "people", items), ("", "solved", items)]
    rows += [
        (name, statistic, n)
        for name, n in zip(names, both, strict=True)
        for statistic in ("people", "examinee", "difference")
    ]
    return Bootstrap(
        labels=pd.DataFrame(rows, columns=["examinee", "statistic", "items"]),
        estimate=estimate,
        draws=draws[finite],
        n_bootstrap=n_bootstrap,
        n=x.shape[0],
        level=level,
        seed=seed,
        failures={} if finite.all() else {"no item of an examinee was drawn": int((~finite).sum())},
    )


def _means(x: Floats, y: Floats, persons: Floats, items: Floats) -> Floats:
    """The statistics of every draw: draws x statistics."""
    there = np.isfinite(x)
    answered = persons @ there
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (persons @ np.where(there, x, 0.0)) / answered
        defined = answered > 0
        filled = np.where(defined, share, 0.0)
        weights = np.where(defined, items, 0.0)
        total = weights.sum(axis=1)
        columns = [
            (weights * filled).sum(axis=1) / total,
            (weights * (filled > 0)).sum(axis=1) / total,
        ]
        for scores in y.T:
            here = weights * np.isfinite(scores)
            of_both = here.sum(axis=1)
            people = (here * filled).sum(axis=1) / of_both
            other = (here * np.where(np.isfinite(scores), scores, 0.0)).sum(axis=1) / of_both
            columns += [people, other, other - people]
    return np.column_stack(columns)
