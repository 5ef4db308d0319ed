"""Draws of counts that show how much a score depends on the choice of items and the occasion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.replications.m3gia.battery import INDICATORS, POINTS, indicator

DRAWS = 1_000
"""Enough for ends of 95 % intervals; their own error is a twentieth of the interval."""

_COLUMNS = ("model", "question_type", "item", "correct")


@dataclass(frozen=True)
class CountDraws:
    """Resampled counts.

    Parameters
    ----------
    models: models in the order of the rows.
    counts: the counts themselves, models x 18, in points.
    draws: draws x models x 18.
    source: source of the resamples, in words.
    """

    models: tuple[str, ...]
    counts: NDArray[np.float64]
    draws: NDArray[np.float64]
    source: str


def binomial_draws(counts: pd.DataFrame, draws: int = DRAWS, seed: int = 0) -> CountDraws:
    """Draw from the counts alone, taking every question type as independent questions of equal
    difficulty (binomial with the Jeffreys posterior of the share). Counts do not show items that
    are hard for all models, so models are drawn independently, and the uncertainty of their
    differences is overstated."""
    x = counts.loc[:, list(INDICATORS)].to_numpy(float)
    rng = np.random.default_rng(seed)
    share = rng.beta(x + 0.5, POINTS - x + 0.5, (draws, *x.shape))
    return CountDraws(
        tuple(map(str, counts.index)), x, share * POINTS,
        "questions as independent draws (Jeffreys posterior of each question type)",
    )  # fmt: skip


def item_draws(responses: pd.DataFrame, n_bootstrap: int = DRAWS, seed: int = 0) -> CountDraws:
    """Return resampled counts: items are drawn within question types, the same items for all
    models, and so are occasions of an item if there are several.

    `responses` has one row per answer: `model`, `question_type`, `item`, `correct` (0 to 1) and, if
    it was asked several times, `occasion`. A type with fewer items than M3GIA's points is scaled
    to them. ParameterError if a column or an item of a model is missing.
    """
    missing = [name for name in _COLUMNS if name not in responses]
    if missing:
        raise ParameterError(
            f"item-level responses lack the column {missing[0]!r}; needed: {', '.join(_COLUMNS)}"
        )
    named = {str(t): indicator(str(t)) for t in responses["question_type"].unique()}
    frame = responses.assign(type=[named[str(t)] for t in responses["question_type"]])
    models = tuple(dict.fromkeys(map(str, frame["model"])))
    rng = np.random.default_rng(seed)
    counts = np.zeros((len(models), len(INDICATORS)))
    drawn = np.zeros((n_bootstrap, *counts.shape))
    several = False
    for column, (name, points) in enumerate(zip(INDICATORS, POINTS, strict=True)):
        cells = _cells(frame.loc[[t == name for t in frame["type"]]], models, name)
        counts[:, column] = points * _mean(cells).mean(axis=1)
        picked = rng.integers(0, cells.shape[1], (n_bootstrap, cells.shape[1]))
        means = _mean(cells)
        if cells.shape[2] > 1:
            several = True
            occasion = rng.integers(0, cells.shape[2], (n_bootstrap, *cells.shape[1:]))
            for draw in range(n_bootstrap):
                again = np.take_along_axis(
                    cells[:, picked[draw]], occasion[draw][None, :, :], axis=2
                )
                drawn[draw, :, column] = points * _mean(again).mean(axis=1)
        else:
            drawn[:, :, column] = points * means[:, picked].mean(axis=2).T
    what = "items within question types" + (" and occasions within items" if several else "")
    return CountDraws(models, counts, drawn, f"{what}, the same for all models")


def _cells(frame: pd.DataFrame, models: tuple[str, ...], name: str) -> NDArray[np.float64]:
    """models x items x occasions; NaN if an occasion is missing."""
    if frame.empty:
        raise ParameterError(f"item-level responses hold no question of the type {name!r}")
    occasion = frame["occasion"] if "occasion" in frame else pd.Series(0, index=frame.index)
    table = frame.assign(model=frame["model"].astype(str), occasion=occasion).pivot_table(
        index="model", columns=["item", "occasion"], values="correct", aggfunc="mean"
    )
    items = list(dict.fromkeys(frame["item"]))
    occasions = sorted(set(occasion))
    full = pd.MultiIndex.from_product([items, occasions])
    values = table.reindex(index=list(models), columns=full).to_numpy(float)
    cells = values.reshape(len(models), len(items), len(occasions))
    none = np.isnan(cells).all(axis=2)
    if none.any():
        row, column = np.argwhere(none)[0]
        raise ParameterError(
            f"item-level responses: {models[row]!r} has no answer to item {items[column]!r} of "
            f"{name}; all models must have answered the same items"
        )
    return cells


def _mean(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average over occasions without the missing ones; if all are missing, use the overall mean."""
    finite = np.isfinite(cells)
    total = np.where(finite, cells, 0.0).sum(axis=2)
    number = finite.sum(axis=2)
    overall = total.sum() / max(number.sum(), 1)
    return np.divide(total, number, out=np.full(total.shape, overall), where=number > 0)
