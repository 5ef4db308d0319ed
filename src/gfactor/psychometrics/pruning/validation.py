"""Validation of a pruned set by models that it was not chosen from.

Rank stability: the pruned set is part of the whole, so the two always correlate highly. The
comparison is with random sets that have as many tasks per construct. Alignment: pruning with a
human anchor in the model chooses tasks by that anchor, so that their alignment can be judged only
by models whose ratings were not used. Both are therefore cross-validated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.frames import pick, values_of
from gfactor.psychometrics.alignment import (
    CorrelationDifference,
    Criterion,
    correlation_difference,
    overlap,
    ranges,
    rank_agreement,
)
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.gold.data import named
from gfactor.psychometrics.gold.diagnostics import NAMES
from gfactor.psychometrics.gold.model import measured, pool_of, tasks
from gfactor.psychometrics.gold.stack import three
from gfactor.psychometrics.pls.data import Missing, table_of
from gfactor.psychometrics.pruning.algorithm import Pruning, prune
from gfactor.results import Result

SETS = 200
"""Number of random sets for comparison; a share of them is accurate to 0.04."""


def random_sets(pruning: Pruning, columns: list[str], rng: np.random.Generator) -> Floats:
    """Return random sets of tasks as weights, sets x tasks; each keeps as many tasks per construct
    as `pruning`."""
    column = {task: number for number, task in enumerate(columns)}
    weights = np.zeros((SETS, len(columns)))
    size = len(pruning.tasks_left)
    for k in range(SETS):
        for construct, block in measured(pruning.model).items():
            drawn = rng.choice(len(block), len(pruning.retained[construct]), replace=False)
            weights[k, [column[block[i]] for i in drawn]] = 1 / size
    return weights


def rank_yardstick(whole: pd.Series, random: Floats, size: int | None) -> Floats:
    """Return the Spearman and Kendall correlations of every random score (models x sets) with the
    whole score.

    The shape is (range and coefficient, in the order of `rank_agreement`) x sets.
    """
    lines = []
    for models in ranges(whole, size).values():
        rows = whole.index.get_indexer(models)
        x, sets = whole.to_numpy(float)[rows], random[rows]
        ranks = stats.rankdata(np.column_stack([x, sets]), axis=0)
        ranks -= ranks.mean(axis=0)
        length = np.sqrt((ranks**2).sum(axis=0))
        lines.append(ranks[:, 0] @ ranks[:, 1:] / np.maximum(length[0] * length[1:], 1e-300))
        lines.append(_kendall(x, sets))
    return np.array(lines)


def _kendall(x: Floats, sets: Floats) -> Floats:
    """Kendall's tau-b of `x` with every column."""
    first, second = np.triu_indices(len(x), 1)
    one = np.sign(x[first] - x[second])
    many = np.sign(sets[first] - sets[second])
    ties = np.sqrt((one**2).sum() * (many**2).sum(axis=0))
    return one @ many / np.maximum(ties, 1e-300)


Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class PruningValidation(Result):
    """The cross-validation of a pruned set of tasks.

    Parameters
    ----------
    scores: two scores of every model: from all tasks, and from the tasks that were retained by
        the pruning without the model's fold.
    ranks: Spearman and Kendall correlations between pruned and whole scores of held-out models,
        by range (all, top, bottom): range, coefficient, estimate, low, high, n, random (the median
        of random sets with as many tasks per construct) and better_than (share of random sets
        with a lower value).
    three: D_div, TC, D_valid and number of tasks of the pruned set: `chosen` for the models that
        it was chosen from, `held_out` the mean over folds for the held-out models.
    alignment: difference between the correlations of the pruned and of the whole score with the
        criterion, for held-out models; None without a criterion.
    same: mean Jaccard index of the folds' sets with the set of all models.
    n, folds, seed: number of models, number of folds, and seed of the partition.
    diagnostics: limits to the use of the result, errors first.
    """

    scores: pd.DataFrame
    ranks: pd.DataFrame
    three: pd.DataFrame
    alignment: CorrelationDifference | None
    same: float
    n: int
    folds: int
    seed: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        return f"pruned set of {self.n} models under test in {self.folds} folds"

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("n", "folds", "seed", "same")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"ranks": self.ranks, "three": self.three}

    def _document(self) -> Mapping[str, Any]:
        return {
            "n": self.n,
            "folds": self.folds,
            "seed": self.seed,
            "ranks": self.ranks,
            "three": self.three,
            "alignment": self.alignment,
            "same": self.same,
            "diagnostics": self.diagnostics,
        }

    def _lines(self) -> list[str]:
        lines = [
            f"{row['coefficient']} of pruned and whole, {row['range']}: {row['estimate']:.3f} "
            f"[{row['low']:z.3f}, {row['high']:z.3f}] (n = {row['n']}; random sets "
            f"{row['random']:.3f})"
            for row in self.ranks.to_dict("records")
        ]
        if self.alignment is not None:
            a = self.alignment
            lines.append(f"criterion with pruned: {a.first}; with whole: {a.second}")
            lines.append(f"difference {a.estimate:+z.3f} [{a.low:+z.3f}, {a.high:+z.3f}]")
        return lines


def validate(
    data: pd.DataFrame,
    pruning: Pruning,
    *,
    criterion: Criterion | None = None,
    names: Mapping[str, str] | None = None,
    folds: int = 5,
    size: int | None = None,
    missing: Missing = "error",
    seed: int = 0,
    watch: Callable[[int], object] = lambda _: None,
) -> PruningValidation:
    """Cross-validate a pruning: prune on all folds of models but one, and evaluate on that one.

    Results are computed from the held-out models of all folds together.

    Parameters
    ----------
    criterion, names: external ratings, and the name map to them. A model's score is the mean of
        its z-scores over tasks, with mean and deviation of the models that chose the set.
    folds: number of parts of the models, at least 2. Every part must have more models than any
        construct has tasks.
    size: number of models in the top and bottom groups; half if None. GOLD takes 50.
    watch: function that is called with 1 after every fold.

    Raises ParameterError for too many folds, and the errors of `prune`.
    """
    data = named(data)
    model, every = pruning.model, list(tasks(pruning.model))
    if missing == "listwise":
        data = data.dropna(subset=list(model.columns))
    if not 2 <= folds <= len(data) // 5:
        raise ParameterError(
            f"{len(data)} models can make 2 to {len(data) // 5} folds of at least five models, not "
            f"{folds}"
        )
    rng = np.random.default_rng(seed)
    part = np.empty(len(data), int)
    part[rng.permutation(len(data))] = np.arange(len(data)) % folds
    whole = pd.Series(np.nan, index=data.index)
    pruned = whole.copy()
    random = np.full((len(data), SETS), np.nan)
    by_fold, shared, own_set = [], [], set(pruning.tasks_left)
    for fold in range(folds):
        train, test = pick(data, part != fold), pick(data, part == fold)
        pruned_fold = prune(model, train, pruning.rules, scheme=pruning.scheme, missing=missing)
        fold_set = set(pruned_fold.tasks_left)
        shared.append(len(fold_set & own_set) / len(fold_set | own_set))
        z = _z(pick(test, every), pick(train, every))
        whole[test.index] = z.mean(axis=1)
        pruned[test.index] = z[list(pruned_fold.tasks_left)].mean(axis=1)
        sets = random_sets(pruned_fold, every, rng)
        random[part == fold] = np.nan_to_num(z.to_numpy(float)) @ sets.T
        by_fold.append(_three_on(test, pruned_fold, missing))
        watch(1)
    ranks = rank_agreement(whole, pruned, size)
    drawn = rank_yardstick(whole, random, size)
    ranks["random"] = np.median(drawn, axis=1)
    ranks["better_than"] = (drawn < ranks["estimate"].to_numpy()[:, None]).mean(axis=1)
    after = pruning.three.iloc[1]
    outside = _mean_of_folds(by_fold)
    table = pd.DataFrame(
        {
            "diagnostic": NAMES,
            "chosen": [float(after[name]) for name in NAMES],
            "held_out": outside,
            "folds": [
                int(sum(h is not None and np.isfinite(h[k]) for h in by_fold)) for k in range(3)
            ],
        }
    )
    aligned, diagnostics = _aligned(pruned, whole, criterion, names)
    diagnostics += _diagnostics(ranks, float(np.mean(shared)), folds)
    scores = pd.DataFrame({"all tasks": whole, "retained tasks": pruned})
    return PruningValidation(
        scores, ranks, table, aligned, float(np.mean(shared)), len(data), folds, seed,
        by_severity(diagnostics),
    )  # fmt: skip


def _z(scores: pd.DataFrame, reference: pd.DataFrame) -> pd.DataFrame:
    spread = reference.std(ddof=0).replace(0.0, np.nan)
    return (scores - reference.mean()) / spread


def _three_on(test: pd.DataFrame, pruning: Pruning, missing: Missing) -> Floats | None:
    """The three diagnostics of a set in other models; None if they are too few for it."""
    try:
        table = table_of(test, pruning.pruned.columns, missing)
        pool = pool_of(pruning.pruned, pruning.scheme)
    except ParameterError:
        return None
    if max(len(block) for block in measured(pruning.pruned).values()) >= table.n - 1:
        return None
    return three(table.r[None], np.ones((1, len(table.columns)), bool), pool)[0]


def _mean_of_folds(values: list[Floats | None]) -> list[float]:
    by_fold = np.array([h for h in values if h is not None])
    if not len(by_fold):
        return [float("nan")] * 3
    return [
        float(column[np.isfinite(column)].mean()) if np.isfinite(column).any() else float("nan")
        for column in by_fold.T
    ]


def _aligned(
    pruned: pd.Series,
    whole: pd.Series,
    criterion: Criterion | None,
    names: Mapping[str, str] | None,
) -> tuple[CorrelationDifference | None, list[Diagnostic]]:
    if criterion is None:
        return None, []
    shared = overlap(pd.Index(whole.index), criterion, names)
    if len(shared.pairs) < 5:
        close = "; ".join(f"{a!r} may be {b!r}" for a, b in list((shared.close or {}).items())[:3])
        who = f" ({', '.join(shared.pairs)})" if shared.pairs else ""
        return None, [
            Diagnostic(
                "few_shared_models",
                "error",
                f"The criterion {criterion.name!r} shares {len(shared.pairs)} of {len(whole)} "
                f"models{who}; no correlation was computed.",
                f"Give a name map ({close})." if close else "Give a name map or other ratings.",
                values={"shared": len(shared.pairs)},
            )
        ]
    models = list(shared.pairs)
    ratings = values_of(criterion.ratings, list(shared.pairs.values()))
    gain = correlation_difference(
        cast(pd.Series, pruned[models]), cast(pd.Series, whole[models]), ratings
    )
    if gain.low <= 0 <= gain.high:
        return gain, [
            Diagnostic(
                "no_gain_in_alignment",
                "warning",
                f"On {gain.n} rated models, each judged by tasks that others chose, the pruned "
                f"score follows the criterion by {gain.estimate:+z.2f} [{gain.low:+z.2f}, "
                f"{gain.high:+z.2f}] better than the whole score: no difference is shown.",
                "Do not say that pruning brings the score closer to the criterion.",
                values={
                    "difference": gain.estimate,
                    "low": gain.low,
                    "high": gain.high,
                },
            )
        ]
    return gain, []


def _diagnostics(ranks: pd.DataFrame, same: float, folds: int) -> list[Diagnostic]:
    row = ranks.iloc[0]
    diagnostics = []
    if float(row["better_than"]) < 0.9:
        diagnostics.append(
            Diagnostic(
                "no_better_than_random",
                "note",
                f"The pruned set ranks held-out models like the whole ({row['estimate']:.2f}), and "
                f"so do random sets of the same size ({row['random']:.2f} in the median; it beats "
                f"{row['better_than']:.0%} of them).",
                "Do not take the stability of ranks as evidence for the selection.",
                values={"estimate": float(row["estimate"]), "random": float(row["random"])},
            )
        )
    if same < 0.7:
        diagnostics.append(
            Diagnostic(
                "folds_differ",
                "warning",
                f"With a fold of {folds} left out, the retained set shares {same:.0%} "
                "(Jaccard) with that of all models.",
                "The retained set is one of many; report its stability.",
                values={"jaccard": same},
            )
        )
    return diagnostics
