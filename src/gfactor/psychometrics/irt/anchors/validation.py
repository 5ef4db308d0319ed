"""How well families that were not calibrated are predicted, and the errors this puts in intervals.

Each fold leaves whole families out of the calibration, then places their models by questions as
they would be asked. Prediction errors of all folds give two numbers: the factor by which ability's
own variance is too small, and the misfit of each benchmark, in points, that no answer of the model
shows. Both are fitted by maximum likelihood under the t distribution that intervals use, and then
widened by one factor if fewer than 95 % of the intervals hold the true score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.calibrating import AnchorCalibration
from gfactor.psychometrics.irt.anchors.placement import (
    DEGREES,
    prediction_interval,
    with_prediction_errors,
)
from gfactor.psychometrics.irt.anchors.placing import Prediction, posterior, predict
from gfactor.psychometrics.irt.anchors.population import family_weights
from gfactor.psychometrics.irt.anchors.selecting import answers_to, ask
from gfactor.psychometrics.irt.curves import Floats

COVERED = 0.95
LEVELS = (25, 50, 100, 200)
FOLDS = 10


def family_folds(families: Sequence[str], folds: int, seed: int = 0) -> Floats:
    """Return the fold of every model; the models of a family are in one fold.

    Families, the largest first, go to the fold with the fewest models; equal ones in random order.

    Examples
    --------
    >>> family_folds(["a", "a", "b", "c"], 2).tolist()
    [0, 0, 1, 1]
    """
    rng = np.random.default_rng(seed)
    sizes = pd.Series(list(families)).value_counts().sort_index()
    order = sorted(sizes.index, key=lambda name: (-sizes[name], rng.random()))
    load, fold_of = np.zeros(folds), {}
    for name in order:
        fold = int(np.argmin(load))
        fold_of[name] = fold
        load[fold] += sizes[name]
    return np.array([fold_of[name] for name in families])


def validate_anchors(
    calibration: AnchorCalibration,
    *,
    folds: int = FOLDS,
    levels: Sequence[int] = LEVELS,
    selections: Sequence[str] = ("adaptive", "random"),
    in_all: Sequence[int] = (100,),
    every: int = 1,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> pd.DataFrame:
    """Predict every model from curves and a population without its family.

    Parameters
    ----------
    calibration : AnchorCalibration
    folds : int
        Number of parts; the models of a family are in one part.
    levels : sequence of int
        Numbers of questions of one benchmark.
    selections : sequence of str
        Ways of selecting questions.
    in_all : sequence of int
        Numbers of questions of all benchmarks together.
    every : int
        Place only every so many models of a fold, by default all.
    seed : int
    progress : callable
        Called with a line after each fold.

    Returns
    -------
    DataFrame
        A row per model, benchmark, selection and design: `design` ("one" or "all"), `n` questions,
        `true` and `predicted` accuracy, `ability_variance`, `answer_variance`, `asked`, `items`,
        and `sample`, the accuracy on the questions asked.
    """
    answers = calibration.answers
    fold_of = family_folds(calibration.families.tolist(), folds, seed)
    rows: list[dict[str, Any]] = []
    for fold in range(folds):
        anchors = calibration.without(fold_of == fold)
        test = answers.loc[fold_of == fold]
        first = 0 if every == 1 else (fold + 4) // 6  # other ranks of ability in other folds
        for who, row in list(zip(test.index, anchors.rows(test), strict=True))[first::every]:
            rng = np.random.default_rng([seed, *str(who).encode()])
            for entry in _trials(anchors, row, levels, selections, in_all, rng):
                rows.append({"model": who, "fold": fold, **entry})
        progress(f"fold {fold + 1} of {folds}: {len(test[first::every])} models placed")
    return pd.DataFrame(rows)


def _trials(
    anchors: Anchors, row: Sequence[Floats], levels: Sequence[int], selections: Sequence[str],
    in_all: Sequence[int], rng: np.random.Generator,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    complete = [b for b, x in enumerate(row) if np.isfinite(x).all()]
    designs = [([b], [n for n in levels if n < len(row[b])]) for b in complete]
    if len(complete) == len(row) > 1:
        designs.append((complete, list(in_all)))
    for benchmarks, counts in designs:
        scale = anchors.restricted(benchmarks)
        part = [row[b] for b in benchmarks]
        everything = list(range(len(benchmarks)))
        for select in selections:
            questions: list[tuple[int, int]] = []
            for n in counts:
                if select != "adaptive" or not questions:
                    most = max(counts) if select == "adaptive" else n
                    questions = ask(scale.pool, part, [(everything, most)], select, rng)
                answers = answers_to(part, questions[:n])
                predicted = predict(scale.pool, posterior(scale.pool, answers), answers)
                for b, one in enumerate(predicted):
                    asked = answers[b][np.isfinite(answers[b])]
                    yield {
                        "benchmark": scale.names[b], "select": select,
                        "design": "one" if len(benchmarks) == 1 else "all", "n": n,
                        "true": float(part[b].mean()), "predicted": one.accuracy,
                        "ability_variance": one.ability_variance,
                        "answer_variance": one.answer_variance, "asked": one.asked,
                        "items": len(part[b]),
                        "sample": float(asked.mean()) if len(asked) else np.nan,
                    }  # fmt: skip


def prediction_errors(
    trials: pd.DataFrame, families: Mapping[str, str] | pd.Series
) -> tuple[dict[str, float], float]:
    """Return the misfit of each benchmark and the inflation of ability's variance.

    Parameters
    ----------
    trials : DataFrame
        Of `validate_anchors`.
    families : mapping or Series
        Each family counts by the square root of its size.
    """
    names = sorted(trials["benchmark"].unique())
    code = np.array([names.index(name) for name in trials["benchmark"]])
    models = trials["model"].drop_duplicates()
    weight = dict(
        zip(models, family_weights([str(dict(families)[w]) for w in models]), strict=True)
    )
    w = np.array([weight[model] for model in trials["model"]], np.float64)
    error = (trials["predicted"] - trials["true"]).to_numpy()
    of_ability, rest = trials["ability_variance"].to_numpy(), trials["answer_variance"].to_numpy()
    left = 1 - (trials["asked"] / trials["items"]).to_numpy()

    def deviance(x: Floats) -> float:
        sd = np.sqrt(np.exp(x[-1]) * of_ability + rest + (np.exp(x[code]) * left) ** 2)
        return -float((w * (stats.t.logpdf(error / sd, DEGREES) - np.log(sd))).sum())

    start = np.r_[np.full(len(names), np.log(0.01)), 0.0]
    best = optimize.minimize(
        deviance, start, method="Nelder-Mead",
        options={"xatol": 1e-7, "fatol": 1e-9, "maxiter": 4000, "maxfev": 4000},
    ).x  # fmt: skip
    misfit, inflation = np.exp(best[:-1]), float(np.exp(best[-1]))
    reach = float(stats.t.ppf((1 + COVERED) / 2, DEGREES))

    def share_outside(factor: float) -> float:
        sd = np.sqrt(factor**2 * (inflation * of_ability + (misfit[code] * left) ** 2) + rest)
        return float(w @ (np.abs(error) > reach * sd) / w.sum()) - (1 - COVERED)

    factor = _smallest(share_outside)
    return (
        {n: float(factor * v) for n, v in zip(names, misfit, strict=True)},
        factor**2 * inflation,
    )


def _smallest(share_outside: Callable[[float], float]) -> float:
    """The smallest factor from 1 to 3 at which enough intervals hold the truth."""
    low, high = 1.0, 3.0
    if share_outside(low) <= 0:
        return low
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if share_outside(middle) > 0 else (low, middle)
    return high


def validated(
    anchors: Anchors, trials: pd.DataFrame, families: Mapping[str, str] | pd.Series
) -> Anchors:
    """Return the scale with the prediction errors of its families left out."""
    misfit, inflation = prediction_errors(trials, families)
    wide = with_prediction_errors(anchors, misfit, inflation, {})
    table = accuracy_table(trials.assign(inside=_inside(wide, trials)))
    return with_prediction_errors(wide, misfit, inflation, {"validation": table.to_dict("records")})


def _inside(anchors: Anchors, trials: pd.DataFrame) -> list[bool]:
    """Whether the 95 % interval of each trial holds the true score."""
    result = []
    for row in trials.to_dict("records"):
        one = Prediction(
            row["predicted"], row["ability_variance"], row["answer_variance"], int(row["asked"])
        )
        low, high = prediction_interval(anchors, anchors.names.index(row["benchmark"]), one, 0.95)
        result.append(bool(low <= row["true"] <= high))
    return result


def accuracy_table(trials: pd.DataFrame) -> pd.DataFrame:
    """Return error and bias in points by benchmark, selection, design and number of questions.

    `random_mae` is the expected error of the accuracy on as many random items, from the
    hypergeometric distribution; of questions in all, a benchmark gets its share of the items.
    `ratio` is the error divided by it. `coverage` is the share of intervals that hold the truth.
    """
    rows = []
    keys = ["benchmark", "design", "select", "n"]
    table: Any = trials
    total = int(table.groupby("benchmark")["items"].first().sum())
    part: Any
    for key, part in trials.groupby(keys, sort=True):
        benchmark, design, select, n = key if isinstance(key, tuple) else (key,) * 4
        error = 100 * (part["predicted"] - part["true"])
        random = 100 * np.mean([
            _random_error(float(t), int(j), _random_count(int(str(n)), int(j), str(design), total))
            for t, j in zip(part["true"], part["items"], strict=True)
        ])  # fmt: skip
        mae = float(error.abs().mean())
        rows.append({
            "benchmark": benchmark, "design": design, "select": select, "n": int(str(n)),
            "models": len(part), "mae": mae, "bias": float(error.mean()),
            "random_mae": float(random), "ratio": mae / float(random),
            "coverage": float(part["inside"].mean()) if "inside" in part else np.nan,
        })  # fmt: skip
    return pd.DataFrame(rows)


def _random_count(n: int, size: int, design: str, total: int) -> int:
    return min(n, size) if design == "one" else max(1, round(n * size / total))


def _random_error(share: float, size: int, n: int) -> float:
    """Expected absolute error of the accuracy on n of `size` items drawn at random."""
    right = round(share * size)
    k = np.arange(n + 1)
    return float((stats.hypergeom.pmf(k, size, right, n) * np.abs(k / n - right / size)).sum())
