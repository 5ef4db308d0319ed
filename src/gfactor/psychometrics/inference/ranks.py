"""Rank sets instead of ranks: the ranks that are compatible with the data.

An order by means does not show its uncertainty. The rank set of a run begins at one plus the number
of significantly better runs and ends at the number of runs minus the significantly worse ones. All
sets together contain all true ranks with probability `level` at least, also if true scores are
tied, because a wrong end needs a wrong direction in a pair and all pairs are tested as one family.

This is the construction of Mogstad et al. (2024) with Holm's adjustment over both directions of
all pairs in place of their bootstrapped maximum. The reasons: the bootstrap gains power from many
independent items, but with items nested in few clusters its largest t value tends to be too small,
while each pair's cluster-robust t allows for their number; Holm holds under any dependence between
pairs and any pattern of missing answers; and every set can be checked by hand against the column
`p_holm` of the table of differences. The cost is somewhat wider sets if scores are strongly
correlated.

The bootstrap probabilities of ranks are a description, not a test: between runs that are truly
equal they do not settle at one half as items grow, but wander (Hall and Miller 2009).

References
----------
Mogstad, M., Romano, J. P., Shaikh, A. M., Wilhelm, D. (2024). Inference for ranks with applications
    to mobility across neighbourhoods and academic achievement across countries. Review of Economic
    Studies 91, 476-518.
Hall, P., Miller, H. (2009). Using the bootstrap to quantify the authority of an empirical ranking.
    Annals of Statistics 37, 3929-3959.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.claim import Sampling
from gfactor.psychometrics.inference.differences import Differences
from gfactor.psychometrics.inference.resampling import bootstrap_weights
from gfactor.psychometrics.inference.runs import CheckedRuns
from gfactor.results import Result

Floats = NDArray[np.float64]
Counts = NDArray[np.intp]

_MOST_WEIGHTS = 4_000_000
"""Largest number of bootstrap weights that are drawn at once."""

_DECIMALS = 12
"""Number of decimals to which differences are compared, because the order of additions changes the
last bits."""


@dataclass(frozen=True, repr=False)
class RankSets(Result):
    """Rank sets of runs: the ranks that each run may have; 1 is the best.

    `table` has a row per run, from the best to the worst estimate:

    mean, n: mean and number of all its answers.
    rank: one plus the number of runs that are ahead of it on the items that both have; without
        missing answers this is the rank of the mean.
    best, worst: the ends of its rank set at `level`, for all runs together.

    `probabilities` is runs x ranks: the share of bootstrap draws of the items (or clusters) in
    which a run had a rank. Tied runs share their ranks evenly, and a pair without common items is
    tied. Rows sum to 1; columns do, too, if no answer is missing.
    """

    table: pd.DataFrame
    probabilities: pd.DataFrame
    level: float
    draws: int
    seed: int
    diagnostics: tuple[Diagnostic, ...] = ()

    def spans(self) -> dict[str, str]:
        """Return every run's rank set in words: "2", or "1-3"."""
        rows = zip(self.table.index, self.table["best"], self.table["worst"], strict=True)
        return {str(run): str(a) if a == b else f"{a}-{b}" for run, a, b in rows}

    @property
    def title(self) -> str:
        sets = ", ".join(f"{run} {span}" for run, span in self.spans().items())
        return f"ranks at level {self.level:g}: {sets}"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"level": self.level, "draws": self.draws, "seed": self.seed}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"ranks": self.table, "probabilities": self.probabilities}

    def _document(self) -> Mapping[str, Any]:
        """Return the rank sets for JSON; each run's `probabilities` are a list by rank."""
        shares = self.probabilities.to_numpy().tolist()
        rows = self.table.reset_index().assign(probabilities=shares)
        return {**self.facts, "ranks": rows, "diagnostics": self.diagnostics}

    def _lines(self) -> list[str]:
        return [self.title]


def rank_sets(compared: Differences, *, n_bootstrap: int = 1000, seed: int = 0) -> RankSets:
    """Return the rank sets that follow from all paired differences, at the level of these.

    With 1,000 bootstrap samples, the probability of a rank is accurate to within 0.03.

    Parameters
    ----------
    compared : Differences
        Result of `all_pairs`.
    n_bootstrap : int
        Number of bootstrap samples behind the probabilities of ranks.
    seed : int
        Seed of the bootstrap samples.

    Returns
    -------
    RankSets
        `table` (mean, n, rank, best, worst) and `probabilities`.

    Raises
    ------
    ParameterError
        For fewer than one.

    References
    ----------
    Mogstad, M., Romano, J. P., Shaikh, A. M., Wilhelm, D. (2024). Inference for ranks with
    applications to mobility across neighbourhoods and academic achievement across countries.
    Review of Economic Studies 91, 476-518.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import all_pairs, rank_sets
    >>> right = np.random.default_rng(1).random((200, 3)) < [0.9, 0.6, 0.6]
    >>> compared = all_pairs(pd.DataFrame(right.astype(float), columns=list("abc")))
    >>> rank_sets(compared).table.loc["a", ["best", "worst"]].tolist()
    [1, 1]
    """
    if n_bootstrap < 1:
        raise ParameterError(f"a bootstrap needs at least 1 draw, got {n_bootstrap}")
    runs, level = compared.runs, compared.settings.level
    names, x = runs.scores.columns, runs.scores.to_numpy()
    worse = _beaten_by(compared.table, len(names), 1 - level)
    ahead, _ = _standing(x, np.arange(len(x)), np.ones((1, len(x))))
    table = pd.DataFrame(
        {
            "mean": runs.scores.mean().to_numpy(),
            "n": runs.scores.notna().sum().to_numpy(),
            "rank": 1 + ahead[0],
            **bounds_of_ranks(worse),
        },
        index=names.rename("run"),
    )
    ranks = pd.RangeIndex(1, len(names) + 1, name="rank")
    shares = pd.DataFrame(_rank_probabilities(runs, n_bootstrap, seed), table.index, ranks)
    order = np.lexsort([-table["mean"].to_numpy(), table["rank"].to_numpy()])
    return RankSets(table.iloc[order], shares.iloc[order], level, n_bootstrap, seed)


PAIRS = ("first", "second", "mean_first", "mean_second", "estimate", "p_holm", "n")
"""Columns of a table of paired differences."""


def is_table_of_pairs(given: object) -> bool:
    """Return True for a table of paired differences, such as `Differences.table`."""
    return isinstance(given, pd.DataFrame) and set(PAIRS) <= set(given.columns)


def rank_sets_of_pairs(pairs: pd.DataFrame, *, level: float = 0.95) -> RankSets:
    """Return the rank sets behind a table of paired differences.

    The bootstrap probabilities of ranks need the answers themselves, and are missing.

    Parameters
    ----------
    pairs : DataFrame
        A row per pair, with `first`, `second`, their means, `estimate`, `p_holm` and `n`.
    level : float
        Probability that all sets contain the true ranks (default 0.95).

    Returns
    -------
    RankSets
        `mean` is the mean over the pairs of a run, `n` the most items of one of its pairs.

    Raises
    ------
    ParameterError
        If a pair is missing or occurs twice, or the level is not between 0 and 1.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import all_pairs
    >>> right = np.random.default_rng(1).random((200, 3)) < [0.9, 0.6, 0.6]
    >>> pairs = all_pairs(pd.DataFrame(right.astype(float), columns=list("abc"))).table
    >>> rank_sets_of_pairs(pairs).table.loc["a", ["best", "worst"]].tolist()
    [1, 1]
    """
    if not 0 < level < 1:
        raise ParameterError(f"a level must lie between 0 and 1, not {level}")
    several = sorted(set(map(str, pairs["benchmark"]))) if "benchmark" in pairs else []
    if len(several) > 1:
        raise ParameterError(
            f"the pairs are of {len(several)} benchmarks ({', '.join(several)}), but every "
            "benchmark has its own ranks; choose the rows of one"
        )
    names = list(dict.fromkeys([*pairs["first"], *pairs["second"]]))
    index_of = {name: k for k, name in enumerate(names)}
    first = np.array([index_of[name] for name in pairs["first"]])
    second = np.array([index_of[name] for name in pairs["second"]])
    expected = len(names) * (len(names) - 1) // 2
    given_pairs = {frozenset(pair) for pair in zip(first, second, strict=True)}
    if (
        len(pairs) != expected
        or len(given_pairs) != expected
        or any(len(pair) < 2 for pair in given_pairs)
    ):
        raise ParameterError(
            f"{len(names)} runs have {expected} pairs, and the table has {len(pairs)} rows; give "
            "every pair once, as gfactor.compare does"
        )
    estimate = pairs["estimate"].to_numpy(float)
    sure = pairs["p_holm"].to_numpy(float) < 1 - level
    worse = np.zeros((len(names), len(names)), bool)
    ahead = np.zeros(len(names), int)
    for i, j, value, decided in zip(first, second, estimate, sure, strict=True):
        loser, winner = (j, i) if value > 0 else (i, j)
        worse[loser, winner] = decided and value != 0
        ahead[loser] += bool(value != 0 and not np.isnan(value))
    ends = pd.concat(
        [
            pairs[["first", "mean_first", "n"]].set_axis(["run", "mean", "n"], axis=1),
            pairs[["second", "mean_second", "n"]].set_axis(["run", "mean", "n"], axis=1),
        ]
    )
    by_run: Any = ends.groupby("run", sort=False).agg({"mean": "mean", "n": "max"}).loc[names]
    table = by_run.assign(rank=1 + ahead, **bounds_of_ranks(worse))
    ranks = pd.RangeIndex(1, len(names) + 1, name="rank")
    shares = pd.DataFrame(np.nan, table.index, ranks)
    order = np.lexsort([-table["mean"].to_numpy(), table["rank"].to_numpy()])
    note = Diagnostic(
        "no_probabilities", "note",
        "Probabilities of ranks need the answers, and only differences are known.",
        "Give what gfactor.compare returned, or the matrix of answers.",
    )  # fmt: skip
    return RankSets(table.iloc[order], shares.iloc[order], level, 0, 0, (note,))


def bounds_of_ranks(worse: NDArray[np.bool_]) -> dict[str, Counts]:
    """Return `best` and `worst` rank of each run, from a matrix that is True if the run of the row
    is significantly worse than that of the column."""
    return {"best": 1 + worse.sum(axis=1), "worst": len(worse) - worse.sum(axis=0)}


def _beaten_by(table: pd.DataFrame, runs: int, alpha: float) -> NDArray[np.bool_]:
    """Return True if the run of a row is significantly worse than the run of a column."""
    worse = np.zeros((runs, runs), bool)
    first, second = np.triu_indices(runs, 1)
    sure = table["p_holm"].to_numpy() < alpha
    estimate = table["estimate"].to_numpy()
    worse[second, first] = sure & (estimate > 0)
    worse[first, second] = sure & (estimate < 0)
    return worse


def _rank_probabilities(runs: CheckedRuns, n_bootstrap: int, seed: int) -> Floats:
    """Runs x ranks."""
    x = runs.scores.to_numpy()
    units = np.arange(len(x)) if runs.codes is None else runs.codes
    blocks = bootstrap_weights(int(units.max(initial=0)) + 1, n_bootstrap, seed)
    if runs.sampling is not None:
        units = np.unique(runs.sampling.units, return_inverse=True)[1].reshape(-1)
        blocks = _claimed_weights(runs.sampling, units, n_bootstrap, seed)
    counts = np.zeros((x.shape[1], x.shape[1]))
    for weights in blocks:
        ahead, tied = _standing(x, units, weights)
        for rank in range(x.shape[1]):
            holds = (ahead <= rank) & (rank < ahead + tied)
            counts[:, rank] += (holds / tied).sum(axis=0)
    return counts / n_bootstrap


def _claimed_weights(
    sampling: Sampling, units: NDArray[np.intp], n_bootstrap: int, seed: int
) -> Iterator[Floats]:
    """Blocks of draws x units, as `bootstrap_weights`: units are drawn within each fixed domain;
    under `these-items` nothing is drawn."""
    size = int(units.max(initial=-1)) + 1
    if sampling.claim == "these-items":
        yield np.ones((n_bootstrap, size))
        return
    stratum = np.zeros(size, np.intp)
    stratum[units] = sampling.strata
    rng = np.random.default_rng(seed)
    most = max(1, _MOST_WEIGHTS // max(size, 1))
    members = [np.flatnonzero(stratum == one) for one in np.unique(stratum)]
    for begun in range(0, n_bootstrap, most):
        weights = np.empty((min(most, n_bootstrap - begun), size))
        for of_it in members:
            even = np.full(of_it.size, 1 / of_it.size)
            weights[:, of_it] = rng.multinomial(of_it.size, even, len(weights))
        yield weights


def _standing(x: Floats, units: NDArray[np.intp], weights: Floats) -> tuple[Counts, Counts]:
    """Count the runs ahead of each run, and those tied with it (itself included): draws x runs.

    Which of two runs is ahead is judged on their common items. `units` numbers the resampled unit
    of every item, and `weights` is draws x units.
    """
    ahead = np.empty((len(weights), x.shape[1]), int)
    tied = np.empty_like(ahead)
    for run in range(x.shape[1]):
        lead = _lead(x, run, units, weights).round(_DECIMALS)
        ahead[:, run], tied[:, run] = (lead < 0).sum(axis=1), (lead == 0).sum(axis=1)
    return ahead, tied


def _lead(x: Floats, run: int, units: NDArray[np.intp], weights: Floats) -> Floats:
    """The mean paired difference of one run to every run, draws x runs; 0 without common items."""
    difference = x[:, [run]] - x
    sums = weights @ _per_unit(np.nan_to_num(difference), units, weights.shape[1])
    n = weights @ _per_unit(~np.isnan(difference), units, weights.shape[1])
    return np.divide(sums, n, out=np.zeros_like(n), where=n > 0)


def _per_unit(values: NDArray[Any], units: NDArray[np.intp], size: int) -> Floats:
    """The sum of each column over the items of each unit: units x columns."""
    return np.array([np.bincount(units, column, size) for column in values.T], float).T
