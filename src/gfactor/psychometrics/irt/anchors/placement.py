"""Results of a placement: abilities, predicted scores, position among models, and misfit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.placement_findings import (
    PredictedScore,
    diagnostics_of_placement,
)
from gfactor.psychometrics.irt.anchors.placing import (
    EffectPosterior,
    Prediction,
    posterior,
    predict,
)
from gfactor.psychometrics.irt.anchors.pool import full_score_slopes, probabilities
from gfactor.psychometrics.irt.anchors.selecting import (
    SELECTIONS,
    answers_to,
    ask,
    question_budgets,
)
from gfactor.psychometrics.irt.anchors.standing import real_models, standing_of
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.results import Result

GENERAL = "general"
DEGREES = 8
"""Degrees of freedom of the t distribution of prediction errors: families differ in how well the
scale fits them."""


@dataclass(frozen=True, repr=False)
class Placement(Result):
    """Models placed on a scale of real models.

    Parameters
    ----------
    calibration : str
        Name of the scale.
    abilities : DataFrame
        `model`, `dimension` (a benchmark, or "general"), `theta` and `se` in standard deviations of
        the calibrated models, `ci_lower`, `ci_upper`, and the number of `items` answered.
    predictions : DataFrame
        `model`, `benchmark`, predicted `accuracy` on all its items as a share, prediction interval
        `ci_lower`, `ci_upper`, and the number of items `asked`. Benchmarks without any asked item
        are in `transfer`.
    transfer : DataFrame
        The same for benchmarks without any asked item, predicted from the answers to the others.
    standing : DataFrame
        `model`, `benchmark`, the number of calibrated models (`of`) and how many of them score
        `higher` or `lower` than the whole interval of the predicted accuracy, the possible ranks
        among them (`best_rank` to `worst_rank`), and the `nearest` calibrated model with its
        `family`.
    real_models : DataFrame
        `benchmark`, `model`, `family` and `accuracy` of the calibrated models.
    questions : DataFrame
        `model`, `order`, `benchmark`, `item`, `answer`, and the `probability` of a right answer
        after all answers.
    level : float
        Confidence level of the intervals.
    diagnostics : tuple of Diagnostic
        Findings about models that do not fit, lie outside the calibrated range, or have few
        answers.
    full : int
        Number of all items of the benchmarks that were asked.
    """

    calibration: str
    abilities: pd.DataFrame
    predictions: pd.DataFrame
    transfer: pd.DataFrame
    standing: pd.DataFrame
    real_models: pd.DataFrame
    questions: pd.DataFrame
    level: float = 0.95
    diagnostics: tuple[Diagnostic, ...] = ()
    full: int = 0

    @property
    def title(self) -> str:
        n = self.abilities["model"].nunique()
        return f"{n} model{'s' * (n != 1)} placed on {self.calibration}"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"calibration": self.calibration, "level": self.level,
                "questions": len(self.questions), "questions of the full benchmarks": self.full,
                "share saved": 1 - len(self.questions) / self.full}  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        more = {"transfer": self.transfer} if len(self.transfer) else {}
        return {
            "abilities": self.abilities, "predictions": self.predictions,
            "standing": self.standing, **more,
        }  # fmt: skip


@dataclass(frozen=True)
class _Directions:
    """Weights (B + 1, D) that turn abilities into those that are reported; the last is general."""

    weights: Floats
    center: Floats
    slopes: Floats
    """Change of each full score by one reported standard deviation."""


def place_models(
    anchors: Anchors,
    answers: pd.DataFrame,
    *,
    items: int | Mapping[str, int] | None = None,
    select: str = "given",
    seed: int = 0,
    level: float = 0.95,
) -> Placement:
    """Place models by all their answers, or by the answers to the questions that they would be
    asked.

    Parameters
    ----------
    anchors : Anchors
        The scale.
    answers : DataFrame (models x items)
        1, 0 or NaN; columns are `BENCHMARK:INDEX`.
    items : int or mapping, optional
        Number of questions in all, or by benchmark, for a selection other than "given".
    select : {"given", "adaptive", "random", "stratified"}
        "given": all answers count. Otherwise questions are selected as if the models were being
        asked, and the rows give the answers.
    seed : int
        Seed of the random number generator. Each model has a stream of its own, by its name.
    level : float
        Confidence level of the intervals, by default 0.95.

    Returns
    -------
    Placement
        Positions of the models, and predictions of their full scores.

    Raises
    ------
    ParameterError
        If a column is not an item of the scale, an answer is not 1, 0 or missing, a model answered
        nothing, or `items` and `select` do not go together.
    """
    if select != "given" and select not in SELECTIONS:
        raise ParameterError(
            f"select must be one of given, {', '.join(SELECTIONS)}, got {select!r}"
        )
    if (items is None) != (select == "given"):
        raise ParameterError(
            'items is the number of questions to ask and needs select="adaptive", "random" or '
            '"stratified"; without both, all answers count'
        )
    if seed < 0:
        raise ParameterError(f"seed must be a whole number from 0, got {seed}")
    if not 0 < level < 1:
        raise ParameterError(f"level must lie between 0 and 1, not {level}")
    if answers.index.has_duplicates:
        twice = str(answers.index[answers.index.duplicated()][0])
        raise ParameterError(f"model {twice!r} occurs twice; keep one row of it")
    rows = anchors.rows(answers)
    budgets = [] if items is None else question_budgets(items, anchors.names)
    directions = _directions(anchors)
    placed = [
        _placed(anchors, directions, str(who), row, budgets, select, seed, level)
        for who, row in zip(answers.index, rows, strict=True)
    ]
    predictions: Any = pd.DataFrame([row for one in placed for row in one.predictions])
    real, sizes = real_models(anchors), {b.name: len(b.items) for b in anchors.benchmarks}
    supported = predictions[predictions["asked"] > 0].reset_index(drop=True)
    return Placement(
        anchors.name,
        pd.DataFrame([row for one in placed for row in one.abilities]),
        supported,
        predictions[predictions["asked"] == 0].reset_index(drop=True),
        standing_of(supported, real),
        real,
        pd.DataFrame([row for one in placed for row in one.questions]),
        level,
        by_severity([entry for one in placed for entry in one.diagnostics]),
        sum(sizes[name] for name in supported["benchmark"]),
    )


@dataclass(frozen=True)
class _Placed:
    abilities: list[dict[str, Any]]
    predictions: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    diagnostics: list[Diagnostic]


def _placed(
    anchors: Anchors, directions: _Directions, who: str, row: Sequence[Floats],
    budgets: Sequence[tuple[Sequence[int], int]], select: str, seed: int, level: float,
) -> _Placed:  # fmt: skip
    rng = np.random.default_rng([seed, *who.encode()])
    if select == "given":
        questions = [(b, int(k)) for b, x in enumerate(row) for k in np.flatnonzero(np.isfinite(x))]
    else:
        questions = ask(anchors.pool, row, budgets, select, rng)
        wanted = sum(number for _, number in budgets)
        if len(questions) < wanted:
            raise ParameterError(
                f"model {who!r} has answers for {len(questions)} of the {wanted} questions to be "
                "asked; ask fewer, or give complete rows"
            )
    if not questions:
        raise ParameterError(f"model {who!r} has no answer to an item of {anchors.name}")
    answers = answers_to(row, questions)
    belief = posterior(anchors.pool, answers)
    predicted = predict(anchors.pool, belief, answers)
    asked_rows = _question_rows(anchors, who, row, questions, belief)
    scores = _prediction_rows(anchors, who, predicted, level)
    intervals = [PredictedScore(*(score[k] for k in PredictedScore._fields)) for score in scores]
    return _Placed(
        _ability_rows(anchors, directions, who, belief, predicted, level),
        scores,
        asked_rows,
        diagnostics_of_placement(
            anchors, who, belief, intervals, asked_rows, _usual_chances(anchors, answers, questions)
        ),
    )


def _usual_chances(
    anchors: Anchors, answers: Sequence[Floats], questions: Sequence[tuple[int, int]]
) -> Floats:
    """Probabilities of right answers if the model were one of the calibrated population.

    The prior is normal: under a t prior, the effects of whole benchmarks would absorb unusual
    answers.
    """
    pool = replace(anchors.pool, degrees=math.inf)
    usual = posterior(pool, answers).mean[None, :]
    chance = [probabilities(part, usual)[:, 0] for part in pool.parts]
    return np.array([chance[b][k] for b, k in questions])


def prediction_sd(anchors: Anchors, benchmark: int, predicted: Prediction) -> float:
    """Return the standard deviation of a prediction's error.

    The parts are ability, the answers not seen, and the family's misfit, which shrinks with the
    share of the items that was asked.
    """
    scale = anchors.benchmarks[benchmark]
    left = 1 - predicted.asked / len(scale.items)
    return float(np.sqrt(
        anchors.ability_inflation * predicted.ability_variance + predicted.answer_variance
        + (scale.misfit_sd * left) ** 2
    ))  # fmt: skip


def prediction_interval(
    anchors: Anchors, benchmark: int, predicted: Prediction, level: float
) -> tuple[float, float]:
    """Return the interval of a full score, computed on the logit scale so that it stays in (0,
    1)."""
    quantile = float(stats.t.ppf((1 + level) / 2, DEGREES))
    size = len(anchors.benchmarks[benchmark].items)
    share = min(max(predicted.accuracy, 0.5 / size), 1 - 0.5 / size)
    half = quantile * prediction_sd(anchors, benchmark, predicted) / (share * (1 - share))
    low, high = special.expit(special.logit(share) + np.array([-half, half]))
    return min(float(low), predicted.accuracy), max(float(high), predicted.accuracy)


def _prediction_rows(
    anchors: Anchors, who: str, predicted: Sequence[Prediction], level: float
) -> list[dict[str, Any]]:
    rows = []
    for b, (name, one) in enumerate(zip(anchors.names, predicted, strict=True)):
        low, high = prediction_interval(anchors, b, one, level)
        rows.append({
            "model": who, "benchmark": name, "accuracy": one.accuracy, "ci_lower": low,
            "ci_upper": high, "asked": one.asked,
        })  # fmt: skip
    return rows


def _directions(anchors: Anchors) -> _Directions:
    """Reported abilities: what moves each full score, in SD of the calibrated models."""
    pool, count = anchors.pool, len(anchors.benchmarks)
    size = len(anchors.mean)
    per_benchmark = size // count
    weights, slopes, center = np.zeros((count + 1, size)), np.zeros(count), np.zeros(count + 1)
    calibrated = _calibrated_abilities(anchors)
    reported = np.empty((len(calibrated), count))
    for b, part in enumerate(pool.parts):
        block = slice(per_benchmark * b, per_benchmark * b + per_benchmark)
        middle = np.zeros(len(pool.mean))
        middle[block] = np.nanmean(calibrated[:, block], axis=0)
        weights[b, block] = full_score_slopes(part, middle)[block]
        raw = calibrated[:, block] @ weights[b, block]
        slopes[b] = np.nanstd(raw)
        weights[b] /= slopes[b]
        center[b] = np.nanmean(raw) / slopes[b]
        reported[:, b] = raw / slopes[b]
    total = reported[~np.isnan(reported).any(axis=1)].sum(1)
    weights[count] = weights[:count].sum(0) / total.std()
    center[count] = total.mean() / total.std()
    return _Directions(weights, center, slopes)


def _calibrated_abilities(anchors: Anchors) -> Floats:
    columns = [f"{effect}:{b.name}" for b in anchors.benchmarks for effect in b.effect_names]
    return anchors.calibrated_models[columns].to_numpy(np.float64)


def _ability_rows(
    anchors: Anchors, directions: _Directions, who: str, belief: EffectPosterior,
    predicted: Sequence[Prediction], level: float,
) -> list[dict[str, Any]]:  # fmt: skip
    count = directions.weights.shape[1]
    theta = directions.weights @ belief.mean[:count] - directions.center
    variance = anchors.ability_inflation * einsum(
        "bk,kl,bl->b", directions.weights, belief.covariance[:count, :count], directions.weights
    )
    misfit = np.array([
        b.misfit_sd * (1 - one.asked / len(b.items)) / slope
        for b, one, slope in zip(anchors.benchmarks, predicted, directions.slopes, strict=True)
    ])  # fmt: skip
    share = directions.weights[-1] @ np.linalg.pinv(directions.weights[:-1])
    variance[:-1] += misfit**2
    variance[-1] += float(((share * misfit) ** 2).sum())
    se = np.sqrt(variance)
    quantile = float(stats.norm.ppf((1 + level) / 2))
    counts = [one.asked for one in predicted]
    return [
        {"model": who, "dimension": name, "theta": float(value), "se": float(error),
         "ci_lower": float(value - quantile * error), "ci_upper": float(value + quantile * error),
         "items": count}
        for name, value, error, count in zip(
            (*anchors.names, GENERAL), theta, se, (*counts, sum(counts)), strict=True
        )
    ]  # fmt: skip


def _question_rows(
    anchors: Anchors, who: str, row: Sequence[Floats], questions: Sequence[tuple[int, int]],
    belief: EffectPosterior,
) -> list[dict[str, Any]]:  # fmt: skip
    pool = anchors.pool
    chance = [probabilities(part, belief.mean[None, :])[:, 0] for part in pool.parts]
    return [
        {"model": who, "order": position + 1, "benchmark": anchors.names[b],
         "item": anchors.benchmarks[b].items[k], "answer": int(row[b][k]),
         "probability": float(chance[b][k])}
        for position, (b, k) in enumerate(questions)
    ]  # fmt: skip


def with_prediction_errors(
    anchors: Anchors, misfit: Mapping[str, float], inflation: float, about: Mapping[str, Any]
) -> Anchors:
    """Return the scale with prediction errors estimated by leaving families out."""
    return replace(
        anchors,
        benchmarks=tuple(
            replace(b, misfit_sd=float(misfit[b.name])) for b in anchors.benchmarks
        ),
        ability_inflation=inflation, about={**anchors.about, **about},
    )  # fmt: skip
