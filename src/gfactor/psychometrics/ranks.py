"""Rank sets instead of ranks: which places are compatible with what is known.

An order by means says nothing of how sure it is. The rank set of a run runs from one plus the
number of runs that are better beyond doubt to the number of runs less those that are worse beyond
doubt: all sets together hold all true ranks with probability `level` at least, ties among the true
scores included, because each wrong end needs a wrong direction in a pair and all pairs are tested
as one family.

This is the construction of Mogstad et al. (2024) with Holm's adjustment over both directions of
all pairs in place of their bootstrapped maximum. Why: the bootstrap gains power from many
independent items, but with items nested in a few dozen clusters its maximum of t values is too
small, where each pair's cluster-robust t allows for their number; Holm holds under any dependence
between pairs and any pattern of missing answers; and every set can be checked by hand against the
column `p_holm` of the table of differences. The price is somewhat wider sets where scores are
strongly correlated.

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

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.differences import Differences, records
from gfactor.psychometrics.resampling import bootstrap_weights
from gfactor.psychometrics.runs import Runs

Floats = NDArray[np.float64]

_DECIMALS = 12
"""Leads are compared to so many decimals: sums in another order differ in the last bits."""


@dataclass(frozen=True)
class RankSets:
    """The places that each run may have; 1 is the best.

    `table` has a row per run, from the best to the worst estimate:

    mean, n: of all its answers.
    lead: mean of its paired differences to the other runs.
    rank: by lead; ties share the smaller rank.
    best, worst: the ends of its rank set at `level`, for all runs together.

    `probabilities` is runs x ranks: in which share of bootstrap draws of the items (or clusters) a
    run had a rank; tied runs share their ranks evenly, so that rows and columns sum to 1.
    """

    table: pd.DataFrame
    probabilities: pd.DataFrame
    level: float
    draws: int
    seed: int

    def summary(self) -> str:
        """Every run with its rank set, in one line."""
        rows = zip(self.table.index, self.table["best"], self.table["worst"], strict=True)
        sets = (f"{name} {best}" + (f"-{worst}" if worst > best else "") for name, best, worst in rows)
        return f"ranks at level {self.level:g}: {', '.join(sets)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; each run's `probabilities` are a list by rank."""
        by_rank = self.probabilities.to_numpy().tolist()
        rows = records(self.table.reset_index())
        return {
            **{"level": self.level, "draws": self.draws, "seed": self.seed},
            "ranks": [
                row | {"probabilities": shares} for row, shares in zip(rows, by_rank, strict=True)
            ],
        }

    def _repr_html_(self) -> str:
        return f"<p>{self.summary()}</p>{self.table.to_html()}{self.probabilities.to_html()}"


def rank_sets(compared: Differences, *, draws: int = 1000, seed: int = 0) -> RankSets:
    """The rank sets behind all paired differences, at the level of those.

    `draws` bootstrap draws place a rank's probability to within 0.03. Raises ParameterError for
    fewer than one.
    """
    if draws < 1:
        raise ParameterError(f"a bootstrap needs at least 1 draw, got {draws}")
    runs, level = compared.runs, compared.settings.level
    names = runs.scores.columns
    better = _beaten_by(compared.table, names, 1 - level)
    x = runs.scores.to_numpy()
    leads = _leads(x, np.ones((1, len(x))))[0]
    table = pd.DataFrame(
        {
            "mean": runs.scores.mean(),
            "n": runs.scores.notna().sum(),
            "lead": leads,
            "rank": pd.Series(leads).rank(ascending=False, method="min", na_option="bottom").to_numpy(int),
            "best": 1 + better.sum(axis=1),
            "worst": len(names) - better.sum(axis=0),
        },
        index=names.rename("run"),
    )
    order = table["rank"].argsort(kind="stable").to_numpy()
    probabilities = pd.DataFrame(
        _rank_probabilities(runs, draws, seed), table.index, pd.RangeIndex(1, len(names) + 1, name="rank")
    )
    return RankSets(table.iloc[order], probabilities.iloc[order], level, draws, seed)


def _beaten_by(table: pd.DataFrame, names: pd.Index, alpha: float) -> NDArray[np.bool_]:
    """Whether the run of a row is worse, beyond doubt, than the run of a column."""
    worse = np.zeros((len(names), len(names)), bool)
    sure = table[table["p_holm"] < alpha]
    first, second = names.get_indexer(sure["first"]), names.get_indexer(sure["second"])
    ahead = sure["estimate"].to_numpy() > 0
    worse[np.where(ahead, second, first), np.where(ahead, first, second)] = True
    return worse


def _rank_probabilities(runs: Runs, draws: int, seed: int) -> Floats:
    """Runs x ranks."""
    x, codes = runs.scores.to_numpy(), runs.codes
    used = np.arange(len(x)) if codes is None else codes
    counts = np.zeros((x.shape[1], x.shape[1]))
    for weights in bootstrap_weights(int(used.max()) + 1, draws, seed):
        leads = _leads(x, weights[:, used])
        ahead = (leads[:, None, :] > leads[:, :, None]).sum(axis=2)
        tied = (leads[:, None, :] == leads[:, :, None]).sum(axis=2)
        for rank in range(x.shape[1]):
            holds = (ahead <= rank) & (rank < ahead + tied)
            counts[:, rank] += (holds / tied).sum(axis=0)
    return counts / draws


def _leads(x: Floats, weights: Floats) -> Floats:
    """The mean paired difference of each run to the others: draws x runs.

    `weights` is draws x items. A pair without common items (in a draw) is left out; a run that has
    none with anybody gets -inf, hence the last rank.
    """
    has = ~np.isnan(x)
    others = x.shape[1] - 1
    if has.all():
        means = weights @ x / weights.sum(axis=1, keepdims=True)
        leads = (means - means.mean(axis=1, keepdims=True)) * (others + 1) / others
        return leads.round(_DECIMALS)
    known, filled = has.astype(float), np.where(has, x, 0.0)
    leads = np.empty((len(weights), x.shape[1]))
    for draw, weight in enumerate(weights):
        total = (filled * weight[:, None]).T @ known
        n = (known * weight[:, None]).T @ known
        np.fill_diagonal(n, 0)
        mean = np.divide(total - total.T, n, out=np.zeros_like(n), where=n > 0)
        compared = (n > 0).sum(axis=1)
        leads[draw] = np.where(compared, mean.sum(axis=1) / np.maximum(compared, 1), -np.inf)
    return leads.round(_DECIMALS)
