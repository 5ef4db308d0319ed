"""Selection of fewer items of a benchmark, and the loss by leaving out the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import GfactorError, ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.classical.consistency.scores import reliability
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.given import ALL_BENCHMARKS
from gfactor.results import Result, number_of

Floats = NDArray[np.float64]

FEW_MODELS = 20
"""Number of models below which their order has little meaning."""
FEWEST_MODELS = 3
"""Smallest number of models: each is judged by items that at least two others chose."""
_NONE = (np.nan, np.nan)
_PASSES = 5
"""Largest number of rounds of exchanging items."""
_RANDOM = 200
"""Number of random sets of items with which the chosen ones are compared."""


@dataclass(frozen=True, repr=False)
class PrunedItems(Result):
    """Retained items of a benchmark, and the loss by leaving out the others.

    Parameters
    ----------
    items : DataFrame
        A row per item: `item`, `group`, `share` (mean score), `retained`.
    models : DataFrame
        A row per model: `accuracy` on all items, `retained` (accuracy on the retained items),
        `unseen` (accuracy on the items that would have been chosen without this model), `error`
        (`unseen` minus `accuracy`).
    loss : DataFrame
        A row per measure: `estimate`, `ci_lower`, `ci_upper`, and `random`, the mean of the
        measure for randomly drawn items of the same groups.
    coverage : DataFrame
        A row per group of items: `items`, `retained`.
    by : str
        Label that forms the groups.
    diagnostics : tuple of Diagnostic
        Limits to the use of the result, errors first.
    """

    items: pd.DataFrame
    models: pd.DataFrame
    loss: pd.DataFrame
    coverage: pd.DataFrame
    by: str
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def retained(self) -> tuple[str, ...]:
        """Return the names of the retained items, in the order of the benchmark."""
        return tuple(self.items["item"][self.items["retained"]])

    @property
    def title(self) -> str:
        left = sum(count > 0 for count in self.coverage["retained"])
        return (
            f"{len(self.retained)} of {number_of(len(self.items), 'item')} retained, in {left} of "
            f"{number_of(len(self.coverage), 'group')} ({self.by}); "
            f"{number_of(len(self.models), 'examinee')}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "items": len(self.items), "retained": len(self.retained), "models": len(self.models),
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "loss": self.loss, "models": self.models, "coverage": self.coverage,
            "items": self.items,
        }  # fmt: skip

    def _lines(self) -> list[str]:
        """Return the lines of the loss; the items are in `items`."""
        parts = [self.title]
        for name in ("loss", "models", "coverage"):
            table = self.tables[name]
            index = name == "loss"
            text = table.to_string(index=index, float_format="{:z.3f}".format, na_rep="-")
            parts.append(f"\n{name}\n{text}")
        return parts


def prune_items(
    scores: pd.DataFrame, groups: Sequence[str], counts: Mapping[str, int], *, by: str = "group",
    n_bootstrap: int = 1000, level: float = 0.95, seed: int = 0,
) -> PrunedItems:  # fmt: skip
    """Choose items that keep the accuracy and the order of models.

    Within a group the items are ordered by difficulty and divided into as many parts as items are
    kept. Larger and smaller parts alternate, so that hard and easy items keep their shares. One
    item of each part is kept: first the middle one, which is replaced by others as long as the
    accuracies of the models come closer to those on all items. The loss is cross-validated: for
    each model the items are chosen by the other models.

    Parameters
    ----------
    scores : DataFrame (P, J)
        Models x items, without missing cells.
    groups : sequence of str
        The group of every item.
    counts : mapping of str to int
        Number of items of every group that stay.
    by : str
        Name of the grouping.
    n_bootstrap : int
        Number of resamples of the models for the intervals.
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the resamples and of the random items.

    Returns
    -------
    PrunedItems
        The items that are kept, and the loss from leaving out the others.

    Raises
    ------
    ParameterError
        If there are fewer than three models.

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> chance = 1 / (1 + np.exp(-random.normal(size=(30, 1)) + np.linspace(-2, 2, 40)))
    >>> scores = pd.DataFrame((random.uniform(size=chance.shape) < chance).astype(float))
    >>> groups = ["map"] * 20 + ["chart"] * 20
    >>> pruned = prune_items(scores, groups, {"map": 5, "chart": 4}, n_bootstrap=100)
    >>> pruned.coverage["retained"].tolist()
    [5, 4]
    """
    x = scores.to_numpy(dtype=float)
    if len(x) < FEWEST_MODELS:
        raise ParameterError(
            f"a choice of items needs the answers of three examinees or more, got {len(x)}"
        )
    chosen = choose_items(x, groups, counts)
    whole = x.mean(axis=1)
    unseen = np.array([
        x[p, choose_items(np.delete(x, p, axis=0), groups, counts)].mean() for p in range(len(x))
    ])  # fmt: skip
    models = pd.DataFrame({
        "model": list(scores.index), "accuracy": whole, "retained": x[:, chosen].mean(axis=1),
        "unseen": unseen, "error": unseen - whole,
    })  # fmt: skip
    items = pd.DataFrame({
        "item": list(scores.columns), "group": list(groups), "share": x.mean(axis=0),
        "retained": chosen,
    })  # fmt: skip
    coverage = items.groupby("group", sort=False)["retained"].agg(["size", "sum"]).reset_index()
    coverage.columns = ["group", "items", "retained"]
    draws = np.random.default_rng(seed)
    random = _random_items(x, groups, counts, draws)
    loss = pd.DataFrame.from_dict(
        {
            "alpha_before": (*_alpha(scores, level), np.nan),
            "alpha_after": (*_alpha(scores.loc[:, chosen], level), random.pop("alpha")),
            **_orders(whole, unseen, random, n_bootstrap, level, draws),
        },
        orient="index", columns=["estimate", "ci_lower", "ci_upper", "random"],
    )  # fmt: skip
    return PrunedItems(
        items, models, loss, coverage, by,
        by_severity([
            *_not_better_than_random(loss), *_against_the_rest(scores),
            *_diagnostics(len(x), coverage, by),
        ]),
    )  # fmt: skip


def choose_items(x: Floats, groups: Sequence[str], counts: Mapping[str, int]) -> NDArray[np.bool_]:
    """Return True for each of the J items that `prune_items` keeps, given the answers `x`, shape
    (P, J)."""
    names, share = np.asarray(groups, dtype=object), x.mean(axis=0)
    parts: list[NDArray[np.intp]] = []
    for group, count in counts.items():
        members = np.flatnonzero(names == group)
        members = members[np.argsort(np.round(share[members], 12), kind="stable")]
        # Every part counts the same. If the larger ones came first, the easy items would have more
        # parts than their share, and the accuracy of every model would come out too high.
        ends = [len(members) * k // count for k in range(count + 1)] if count else []
        parts += [members[begin:end] for begin, end in pairwise(ends)]
    # Of two middle items, the easier and the harder one take turns.
    middle = [part[(len(part) - 1 + k % 2) // 2] for k, part in enumerate(parts)]
    chosen = np.zeros(x.shape[1], bool)
    chosen[_closest(x, parts, middle)] = True
    return chosen


def _closest(x: Floats, parts: Sequence[NDArray[np.intp]], chosen: list[np.intp]) -> list[np.intp]:
    """Exchange the items of parts for others of the same part while accuracies come closer."""
    away = x[:, chosen].sum(axis=1) - len(parts) * x.mean(axis=1)
    for _ in range(_PASSES):
        is_changed = False
        for k, part in enumerate(parts):
            others = away - x[:, chosen[k]]
            squares = ((others[:, None] + x[:, part]) ** 2).sum(axis=0)
            # In a tie, the present item is kept, so that the last bit does not decide.
            if squares.min() < (away**2).sum() - 1e-9:
                chosen[k], is_changed = part[int(np.argmin(np.round(squares, 9)))], True
                away = others + x[:, chosen[k]]
        if not is_changed:
            break
    return chosen


def _orders(
    whole: Floats, unseen: Floats, random: Mapping[str, float], n_bootstrap: int, level: float,
    draws: np.random.Generator,
) -> dict[str, tuple[float, float, float, float]]:  # fmt: skip
    """Rank correlation and errors of accuracy, with intervals over resamples of the models."""
    values = _agreement(whole, unseen)
    resampled = draws.integers(0, len(whole), (n_bootstrap, len(whole)))
    each = _agreement(whole[resampled], unseen[resampled])
    rows = {}
    for name, value in values.items():
        drawn = each[name][~np.isnan(each[name])]
        low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]) if len(drawn) else _NONE
        rows[name] = float(value), float(low), float(high), random[name]
    return rows


def _agreement(whole: Floats, part: Floats) -> dict[str, Floats]:
    """Spearman's rank correlation, and the errors of accuracy, over the last axis."""
    first, second = (
        stats.rankdata(np.round(accuracies, 12), axis=-1) for accuracies in (whole, part)
    )
    first, second = (ranks - ranks.mean(axis=-1, keepdims=True) for ranks in (first, second))
    scale = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    varies = scale > 0
    away = np.abs(part - whole)
    return {
        "rank_correlation": np.where(
            varies, (first * second).sum(axis=-1) / np.where(varies, scale, 1), np.nan
        ),
        "error_of_accuracy": np.sqrt((away**2).mean(axis=-1)),
        "largest_error": away.max(axis=-1),
    }


def _random_items(
    x: Floats, groups: Sequence[str], counts: Mapping[str, int], draws: np.random.Generator
) -> dict[str, float]:
    """Mean alpha and agreement of random items, drawn from each group as many as it keeps."""
    names = np.asarray(groups, dtype=object)
    members = {group: np.flatnonzero(names == group) for group in counts}
    sets = [
        np.concatenate([draws.permutation(members[g])[:k] for g, k in counts.items()])
        for _ in range(_RANDOM)
    ]
    parts = [x[:, drawn] for drawn in sets]
    means = np.array([part.mean(axis=1) for part in parts])
    measures = {
        "alpha": np.array([_plain_alpha(part) for part in parts]),
        **_agreement(np.broadcast_to(x.mean(axis=1), means.shape), means),
    }
    return {
        name: float(np.nanmean(values)) if not np.isnan(values).all() else np.nan
        for name, values in measures.items()
    }


def _plain_alpha(x: Floats) -> float:
    k, variance = x.shape[1], x.sum(axis=1).var(ddof=1)
    if not variance > 0:
        return np.nan
    return float(k / (k - 1) * (1 - x.var(axis=0, ddof=1).sum() / variance))


def _alpha(scores: pd.DataFrame, level: float) -> tuple[float, float, float]:
    """Alpha with its interval; NaN if too few items vary."""
    try:
        result = reliability(scores, level=level, splits=1, benchmark=ALL_BENCHMARKS)
    except GfactorError:
        return np.nan, np.nan, np.nan
    return result.alpha, result.low, result.high


def _not_better_than_random(loss: pd.DataFrame) -> list[Diagnostic]:
    """Return a warning if most measures of models that had no part in the choice are no better than
    those of random items of the same groups."""
    rows = {
        name: (loss.loc[name, "estimate"], loss.loc[name, "random"])
        for name in ("rank_correlation", "error_of_accuracy", "largest_error")
    }
    rows = {name: pair for name, pair in rows.items() if not np.isnan(pair).any()}
    better = [
        chosen < random if "error" in name else chosen > random
        for name, (chosen, random) in rows.items()
    ]
    if not better or sum(better) > len(better) / 2:
        return []
    parts = [f"{name} {chosen:.3f}, {random:.3f} with random ones"
             for name, (chosen, random) in rows.items()]  # fmt: skip
    return [Diagnostic(
        "not_better_than_random", "warning",
        "For examinees that had no part in the choice, the chosen items are no better than random "
        f"items of the same groups are on average: {'; '.join(parts)}.",
        "Keep more items, let more examinees choose, or draw them at random (gfactor select).",
    )]  # fmt: skip


def _against_the_rest(scores: pd.DataFrame) -> list[Diagnostic]:
    """Return a warning about items whose correlation with the sum of the others is below 0, at .05
    divided by the number of items (one-sided, Fisher's z)."""
    x = scores.to_numpy(dtype=float)
    rest = x.sum(axis=1, keepdims=True) - x
    centered, others = x - x.mean(axis=0), rest - rest.mean(axis=0)
    scale = np.sqrt((centered**2).sum(axis=0) * (others**2).sum(axis=0))
    varies = scale > 0
    r = np.where(varies, (centered * others).sum(axis=0) / np.where(varies, scale, 1), 0)
    z = np.arctanh(np.clip(r, -0.999999, 0.999999)) * np.sqrt(max(len(x) - 3, 0))
    names = tuple(map(str, scores.columns[stats.norm.cdf(z) < 0.05 / x.shape[1]]))
    if not names:
        return []
    return [Diagnostic(
        "negative_items", "warning",
        f"{number_of(len(names), 'item')} correlated below 0 with the sum of the others: "
        f"{first_few(names)}.",
        "Check the key, and leave out such items (--drop).", names, {"n": len(names)},
    )]  # fmt: skip


def _diagnostics(n_models: int, coverage: pd.DataFrame, by: str) -> list[Diagnostic]:
    diagnostics = [Diagnostic(
        "judged_by_the_choosers", "note",
        "The examinees that chose the items also give the column 'retained' and alpha_after, which "
        "look better than they are; the other measures are of examinees that had no part in the "
        "choice.",
        "Have new examinees answer the retained items.",
    )]  # fmt: skip
    if n_models < FEW_MODELS:
        diagnostics.append(Diagnostic(
            "few_models", "warning",
            f"{n_models} examinees chose the items and judge them; so few show little of an order.",
            f"Read the intervals, or have {FEW_MODELS} examinees or more.",
            values={"n": n_models},
        ))  # fmt: skip
    lost = tuple(map(str, coverage["group"][coverage["retained"] == 0]))
    if lost:
        listed = first_few(lost)
        diagnostics.append(Diagnostic(
            "groups_lost", "warning",
            f"{len(lost)} of {len(coverage)} values of {by!r} have no item left: {listed}.",
            "Keep more items, or do not report scores of these.", lost,
        ))  # fmt: skip
    return diagnostics
