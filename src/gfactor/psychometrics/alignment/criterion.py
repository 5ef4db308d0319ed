"""An external criterion: ratings of models, with standard errors and with other model names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from scipy import stats

from gfactor.errors import ParameterError, UnknownNameError

_RATINGS = ("rating", "score", "elo", "value")
_LOWS = ("rating_q025", "low", "lower", "ci_low")
_HIGHS = ("rating_q975", "high", "upper", "ci_high")


@dataclass(frozen=True)
class Criterion:
    """External ratings of models, such as human votes in an arena.

    Parameters
    ----------
    name: name in tables.
    ratings: ratings by model.
    se: standard error of each rating, by model; NaN if unknown.
    """

    name: str
    ratings: pd.Series
    se: pd.Series

    def reliability(self) -> float:
        """Return the reliability of the ratings, the share of their variance that is not error; NaN
        if errors are unknown.

        It is one minus the mean squared standard error, divided by the variance. Errors of
        different models are assumed to be independent.
        """
        if self.se.isna().any() or len(self.ratings) < 2:
            return float("nan")
        variance = float(np.var(self.ratings.to_numpy(float), ddof=1))
        if variance == 0:
            return float("nan")
        return max(0.0, 1 - float(np.mean(self.se.to_numpy(float) ** 2)) / variance)

    def of(self, models: pd.Index) -> Criterion:
        """Return the ratings of some models."""
        chosen = self.ratings.index.isin(models)
        return Criterion(
            self.name, cast(pd.Series, self.ratings[chosen]), cast(pd.Series, self.se[chosen])
        )


def criterion_from_table(
    table: pd.DataFrame,
    name: str = "human",
    model: str = "model",
    rating: str | None = None,
    level: float = 0.95,
) -> Criterion:
    """Return a criterion from a table with a row per model, in the form that arenas publish.

    Parameters
    ----------
    model: the column of names.
    rating: the column of ratings; by default the first of rating, score, elo, value.
    level: confidence level of the interval in the columns rating_q025 and rating_q975 (or low and
        high), from which standard errors are taken; NaN without such columns.

    Raises ParameterError if a model has several ratings or no rating column is found.
    """
    if model not in table.columns:
        raise UnknownNameError("column of the criterion", model, map(str, table.columns))
    column = rating or next((c for c in _RATINGS if c in table.columns), None)
    if column is None:
        raise ParameterError(
            f"the criterion has no column called {', '.join(_RATINGS)}; name its rating column "
            f"(columns: {', '.join(map(str, table.columns))})"
        )
    if column not in table.columns:
        raise UnknownNameError("column of the criterion", column, map(str, table.columns))
    everyone = [str(name) for name in table[model]]
    twice = [name for name in dict.fromkeys(everyone) if everyone.count(name) > 1]
    if twice:
        others = [str(c) for c in table.columns if c not in (model, column, *_LOWS, *_HIGHS)]
        raise ParameterError(
            f"the criterion rates {twice[0]!r} {everyone.count(twice[0])} times; choose one rating "
            f"per model by its other columns ({', '.join(others)})"
        )
    names = table[model].astype(str)
    try:
        ratings = pd.Series(table[column].astype(float).to_numpy(), index=pd.Index(names))
    except ValueError as error:
        raise ParameterError(
            f"column {column!r} of the criterion is not numeric: {error}"
        ) from error
    low = next((c for c in _LOWS if c in table.columns), None)
    high = next((c for c in _HIGHS if c in table.columns), None)
    if low is not None and high is not None:
        width = table[high].astype(float).to_numpy() - table[low].astype(float).to_numpy()
        error = width / (2 * stats.norm.ppf(0.5 + level / 2))
    else:
        error = np.full(len(table), np.nan)
    rated = ratings.notna()
    se = pd.Series(error, index=ratings.index)
    return Criterion(name, cast(pd.Series, ratings[rated]), cast(pd.Series, se[rated]))


def close_names(names: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """Return each name with the most similar of the other names that has the same numbers in it (2B
    is not 4B)."""
    by_fold = {name.casefold(): name for name in others}
    closest = {}
    for name in names:
        digits = re.findall(r"\d+", name)
        like = [other for other in by_fold if re.findall(r"\d+", other) == digits]
        near = difflib.get_close_matches(name.casefold(), like, n=1, cutoff=0.7)
        if near:
            closest[name] = by_fold[near[0]]
    return closest


@dataclass(frozen=True)
class CriterionOverlap:
    """Models that two sources share.

    Parameters
    ----------
    pairs: name in the scores to name in the criterion.
    only_scores, only_criterion: names without a partner.
    approximate: names in the scores whose partner the name map calls approximate.
    close: name in the scores without a partner, to the closest name left in the criterion.
    """

    pairs: Mapping[str, str]
    only_scores: tuple[str, ...]
    only_criterion: tuple[str, ...]
    approximate: tuple[str, ...] = ()
    close: Mapping[str, str] | None = None


def overlap(
    models: pd.Index,
    criterion: Criterion,
    names: Mapping[str, str] | None = None,
    approximate: frozenset[str] = frozenset(),
) -> CriterionOverlap:
    """Pair the models of the scores with those of the criterion, by `names` or by equal names.

    Names are never guessed: close ones are listed (`close`), for the user to put into the map.
    Raises ParameterError if two models have the same partner.
    """
    given = dict(names or {})
    rated = set(map(str, criterion.ratings.index))
    pairs: dict[str, str] = {}
    for model in map(str, models):
        partner = given.get(model, model)
        if partner in rated:
            pairs[model] = partner
    seen: dict[str, str] = {}
    for model, partner in pairs.items():
        if partner in seen:
            raise ParameterError(
                f"{seen[partner]!r} and {model!r} both stand for {partner!r} of the criterion; "
                "a rating counts once: drop one from the name map"
            )
        seen[partner] = model
    alone = tuple(model for model in map(str, models) if model not in pairs)
    left = tuple(name for name in map(str, criterion.ratings.index) if name not in seen)
    close = close_names(alone, left)
    near = tuple(model for model in pairs if model in approximate)
    return CriterionOverlap(pairs, alone, left, near, close)
