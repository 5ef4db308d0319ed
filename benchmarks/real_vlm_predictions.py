"""Tables of the evidence on real models: predicted full scores of families not calibrated.

`real_vlm_study.py` calls `sections`. Every model is predicted from curves and a population without
its family, by questions chosen in several ways, and compared with simple ways of predicting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.irt.anchors.calibrating import AnchorCalibration
from gfactor.psychometrics.irt.anchors.placement import place_models, with_prediction_errors
from gfactor.psychometrics.irt.anchors.unseen_families import (
    cross_fitted_inside,
    prediction_errors,
)
from gfactor.psychometrics.irt.anchors.validation import (
    FOLDS,
    LEVELS,
    accuracy_table,
    family_folds,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats

TITLES = {"mmt_bench_val": "MMT-Bench", "mmmu_dev_val": "MMMU", "ai2d_test": "AI2D"}
_REPLICATES = 2000
_KMEANS_ROUNDS = 25
_QUARTERS = ("lowest quarter", "second", "third", "highest quarter")


def sections(calibration: AnchorCalibration, trials: pd.DataFrame) -> list[str]:
    """Return the sections of the page about predictions."""
    families = calibration.families
    labels: Any = families.to_dict()
    trials = trials.assign(
        family=trials["model"].map(labels),
        inside=cross_fitted_inside(calibration.anchors, trials, families),
    )
    return [
        _errors(calibration, trials), _coverage(trials), _levels(trials),
        _beyond(calibration, trials),
    ]  # fmt: skip


def markdown(rows: Sequence[Sequence[object]], head: Sequence[str]) -> str:
    """Return a table."""
    lines = [" | ".join(map(str, row)) for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(f"| {line} |" for line in lines)


def _errors(calibration: AnchorCalibration, trials: pd.DataFrame) -> str:
    table = accuracy_table(trials).set_index(["benchmark", "design", "select", "n"])
    sampled = trials.assign(error=100 * (trials["sample"] - trials["true"]).abs())
    layered = sampled[(sampled["select"] == "stratified") & (sampled["design"] == "one")]
    by_layer: Any = layered.groupby(["benchmark", "n"])["error"].mean()
    anchored = anchor_point_errors(calibration)
    rows = []
    for name, title in TITLES.items():
        for n in LEVELS:
            one = {s: table.loc[(name, "one", s, n)] for s in
                   ("random", "stratified", "fixed", "adaptive")}  # fmt: skip
            simple = one["random"]["random_mae"]
            cells = [by_layer[(name, n)], *anchored[(name, n)], *(v["mae"] for v in one.values())]
            rows.append(
                [title, n, f"{simple:.1f}", *(f"{v:.1f} ({v / simple:.2f})" for v in cells)]
            )
        every = {s: table.loc[(name, "all", s, 100)] for s in
                 ("random", "stratified", "fixed", "adaptive")}  # fmt: skip
        simple = every["random"]["random_mae"]
        cells = ["", "", "", *(_ratio(v["mae"], simple) for v in every.values())]
        rows.append([title, "100 in all", f"{simple:.1f}", *cells])
    head = (
        "benchmark", "questions", "accuracy, random", "accuracy, stratified", "anchor points",
        "anchor points and curves", "model, random", "model, stratified", "model, fixed form",
        "model, adaptive",
    )  # fmt: skip
    return f"""## Error of the predicted full score

Mean absolute error in points; in parentheses, divided by that of the accuracy on as many random
questions. {trials["model"].nunique()} models of {trials["family"].nunique()} families, each
predicted without its family.

{markdown(rows, head)}

- *Accuracy, random*: the accuracy on random questions is the prediction (expected error, exact).
- *Accuracy, stratified*: one question from each layer of difficulty.
- *Anchor points*: k-means of the items' answers; the item nearest to each center, weighted by the
  size of its cluster. *And curves*: mixed with the prediction of a plain two-parameter model from
  the same answers, in the share that is best for the calibrated models. Both after
  [tinyBenchmarks](https://arxiv.org/abs/2402.14992), in our own code.
- *Model*: gfactor's prediction from random questions, stratified ones, one fixed form (questions
  chosen before any answer, the same for all models), and questions chosen adaptively."""


def _ratio(error: float, simple: float) -> str:
    return f"{error:.1f} ({error / simple:.2f})"


def anchor_point_errors(
    calibration: AnchorCalibration,
) -> dict[tuple[str, int], tuple[float, float]]:
    """Return by benchmark and number of anchor points the errors in points of both predictors."""
    fold_of = family_folds(calibration.families.tolist(), FOLDS)
    errors: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for b, benchmark in enumerate(calibration.anchors.benchmarks):
        answers = calibration.answers.filter(like=f"{benchmark.name}:").to_numpy(np.float64)
        for fold in range(FOLDS):
            train = (fold_of != fold) & calibration.fitted[b]
            test = (fold_of == fold) & np.isfinite(answers).all(1)
            scale = calibration.without(fold_of == fold).benchmarks[b].curves
            for n in LEVELS:
                rng = np.random.default_rng([fold, n])
                chosen, weight = anchor_points(answers[train].T, n, rng)
                plain = _PlainModel(scale.slopes[:, 0], scale.intercepts)
                share = _best_share(plain, answers[train], chosen, weight)
                truth = answers[test].mean(1)
                weighted = answers[np.ix_(test, chosen)] @ weight
                curves = plain.predict(answers[test], chosen)
                both = share * weighted + (1 - share) * curves
                errors.setdefault((benchmark.name, n), []).extend(
                    zip(np.abs(weighted - truth), np.abs(both - truth), strict=True)
                )
    return {
        key: (100 * float(np.mean([e[0] for e in v])), 100 * float(np.mean([e[1] for e in v])))
        for key, v in errors.items()
    }


def anchor_points(
    points: Floats, count: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], Floats]:
    """Return the rows nearest to the centers of k-means, and the shares of their clusters."""
    squares = (points**2).sum(1)
    centers = points[rng.permutation(len(points))[:count]]
    nearest = np.zeros(len(points), dtype=np.int64)
    distance = np.zeros((len(points), count))
    for _ in range(_KMEANS_ROUNDS):
        distance = squares[:, None] - 2 * points @ centers.T + (centers**2).sum(1)
        nearest = distance.argmin(1)
        members = np.eye(count)[nearest]
        size = members.sum(0)
        means = members.T @ points / np.maximum(size, 1)[:, None]
        centers = np.where(size[:, None] > 0, means, centers)
    size = np.bincount(nearest, minlength=count)
    kept = np.flatnonzero(size)
    chosen = distance[:, kept].argmin(0)
    return chosen, size[kept] / size.sum()


@dataclass(frozen=True)
class _PlainModel:
    """A two-parameter model with one ability, N(0, 1)."""

    slopes: Floats
    intercepts: Floats

    def predict(self, answers: Floats, asked: NDArray[np.int64]) -> Floats:
        """Share of right answers: those asked, and expected ones for the rest."""
        a, d = self.slopes[asked], self.intercepts[asked]
        theta = np.zeros(len(answers))
        for _ in range(30):
            p = 1 / (1 + np.exp(-(np.outer(theta, a) + d)))
            gradient = (answers[:, asked] - p) @ a - theta
            theta = theta + np.clip(gradient / ((p * (1 - p)) @ a**2 + 1), -1, 1)
        whole = 1 / (1 + np.exp(-(np.outer(theta, self.slopes) + self.intercepts)))
        whole[:, asked] = answers[:, asked]
        return whole.mean(1)


def _best_share(
    plain: _PlainModel, answers: Floats, chosen: NDArray[np.int64], weight: Floats
) -> float:
    weighted, curves = answers[:, chosen] @ weight, plain.predict(answers, chosen)
    shares = np.linspace(0, 1, 21)
    truth = answers.mean(1)
    errors = [np.abs(s * weighted + (1 - s) * curves - truth).mean() for s in shares]
    return float(shares[int(np.argmin(errors))])


def _coverage(trials: pd.DataFrame) -> str:
    rows = []
    for select in ("adaptive", "fixed", "random", "stratified"):
        part = trials.loc[trials["select"] == select]
        cells = [part.loc[(part["design"] == "one") & (part["n"] == n)] for n in LEVELS]
        everything = part.loc[part["design"] == "all"]
        rows.append([select, *(_share(cell) for cell in (*cells, everything, part))])
    rows.append(["all", *[""] * 5, _share(trials)])
    head = ("questions", *(f"{n} of one" for n in LEVELS), "100 in all", "together")
    return f"""## Coverage of the 95 % prediction intervals

Percent of intervals that hold the true full score, over models and benchmarks; in brackets the 95 %
Monte Carlo interval (families drawn with replacement, {_REPLICATES:,} times). The width for each
family comes from the errors of other families.

{markdown(rows, head)}"""


def _share(part: pd.DataFrame) -> str:
    by_family = part.groupby("family")["inside"].agg(["sum", "count"]).to_numpy(np.float64)
    drawn = np.random.default_rng(1).integers(len(by_family), size=(_REPLICATES, len(by_family)))
    sums = by_family[drawn].sum(1)
    low, high = np.percentile(100 * sums[:, 0] / sums[:, 1], [2.5, 97.5])
    return f"{100 * part['inside'].mean():.1f} [{low:.1f}, {high:.1f}]"


def _levels(trials: pd.DataFrame) -> str:
    rows = []
    for name, title in TITLES.items():
        part = trials[(trials["benchmark"] == name) & (trials["design"] == "one")]
        scores = part.groupby("model")["true"].first()
        cuts = np.quantile(scores, [0.25, 0.5, 0.75])
        for k, quarter in enumerate(_QUARTERS):
            cells = []
            for select, n in (("adaptive", 25), ("adaptive", 100), ("random", 100), ("fixed", 100)):
                here = part[(part["select"] == select) & (part["n"] == n)]
                here = here[np.searchsorted(cuts, here["true"]) == k]
                error = 100 * np.asarray(here["predicted"] - here["true"], dtype=np.float64)
                cells.append(f"{error.mean():+.1f} ({np.abs(error).mean():.1f})")
            low, high = np.r_[scores.min(), cuts][k], np.r_[cuts, scores.max()][k]
            rows.append([title, f"{quarter} ({100 * low:.0f} to {100 * high:.0f} %)", *cells])
    head = (
        "benchmark",
        "true score",
        "25 adaptive",
        "100 adaptive",
        "100 random",
        "100 fixed form",
    )
    return f"""## Bias by ability

Mean error in points (predicted less true) by quarter of the true score; in parentheses the mean
absolute error. Predictions are drawn toward the population, so that a positive bias of weak models
and a negative one of strong models is expected.

{markdown(rows, head)}"""


def _beyond(calibration: AnchorCalibration, trials: pd.DataFrame) -> str:
    """Calibrate on the weaker families, and place the strongest models."""
    families, anchors = calibration.families, calibration.anchors
    score = anchors.models[[f"accuracy:{name}" for name in anchors.names]]
    strength = score.rank(pct=True).mean(axis=1)
    best = strength.groupby(families).transform("max").to_numpy()
    of_each = best[~families.duplicated().to_numpy()]
    strong = np.unique(families[best > np.quantile(of_each, 2 / 3)])
    left_out = families.isin(strong).to_numpy()
    weak = with_prediction_errors(
        calibration.without(left_out), *prediction_errors(trials, families), {}
    )
    answers = calibration.answers.loc[left_out]
    rows = []
    for name, title in TITLES.items():
        column = f"accuracy:{name}"
        top = weak.models[column].max()
        part = answers.filter(like=f"{name}:")
        part = part[part.notna().all(axis=1)]
        truth = part.mean(axis=1)
        alone = weak.restricted([weak.names.index(name)])
        for n in (25, 100):
            placed = place_models(alone, part, items=n, select="adaptive")
            one = placed.predictions.set_index("model")
            named = {d.where[0] for d in placed.diagnostics if d.code == "beyond_range"}
            error = 100 * (one["accuracy"] - truth)
            inside = (one["ci_lower"] <= truth) & (truth <= one["ci_upper"])
            beyond = truth > top
            rows.append([
                title, n, f"{100 * top:.1f}", int(beyond.sum()),
                f"{error[beyond].mean():+.1f} ({error[beyond].abs().mean():.1f})",
                f"{int(inside[beyond].sum())} of {int(beyond.sum())}",
                f"{sum(who in named for who in truth.index[beyond])} of {int(beyond.sum())}",
                f"{error[~beyond].mean():+.1f} ({error[~beyond].abs().mean():.1f})",
                f"{int(inside[~beyond].sum())} of {int((~beyond).sum())}",
                f"{sum(who in named for who in truth.index[~beyond])} of {int((~beyond).sum())}",
            ])  # fmt: skip
    head = (
        "benchmark", "questions", "best calibrated score", "models above it", "bias (error)",
        "in the interval", "named", "bias (error) of the others", "in the interval", "named",
    )  # fmt: skip
    return f"""## Models beyond the calibrated range

The {len(strong)} strongest of {families.nunique()} families (any model in the top third by mean
rank) were left out, which leaves {int((~left_out).sum())} models to calibrate on, and their
{int(left_out.sum())} models were placed by adaptive questions. *Named*: the diagnostic
`beyond_range` says that the prediction or the end of its interval is beyond the calibrated range.

{markdown(rows, head)}"""
