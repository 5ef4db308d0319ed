"""Accuracy of predictions for families that were not calibrated.

Each fold leaves whole families out of the calibration, and then places their models by the
questions that they would be asked. `unseen_families` includes these errors in intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.calibrating import AnchorCalibration
from gfactor.psychometrics.irt.anchors.placing import posterior, predict
from gfactor.psychometrics.irt.anchors.selecting import answers_to, ask, next_batch
from gfactor.psychometrics.irt.likelihood.curves import Floats

LEVELS = (25, 50, 100, 200)
FOLDS = 10
FIXED = "fixed"
"""One form for all models: questions chosen before any answer, for the average model."""
COMPARED = ("adaptive", FIXED, "random", "stratified")


def family_folds(families: Sequence[str], folds: int, seed: int = 0) -> Floats:
    """Return the fold of every model; the models of a family are in one fold.

    Families, the largest first, go to the fold with the fewest models; families of equal size are
    in random order.

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
    selections: Sequence[str] = COMPARED,
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
        Ways of selecting questions: those of `place_models`, and "fixed", one form for all models.
    in_all : sequence of int
        Numbers of questions of all benchmarks together.
    every : int
        Place only every n-th model of a fold; by default every model.
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
        first = 0 if every == 1 else (fold + 4) // 6  # each fold starts at another rank
        forms = fixed_forms(anchors, max(levels), max(in_all), seed) if FIXED in selections else {}
        for who, row in list(zip(test.index, anchors.rows(test), strict=True))[first::every]:
            rng = np.random.default_rng([seed, *str(who).encode()])
            for entry in _trials(anchors, row, levels, selections, in_all, rng, forms):
                rows.append({"model": who, "fold": fold, **entry})
        progress(f"fold {fold + 1} of {folds}: {len(test[first::every])} models placed")
    return pd.DataFrame(rows)


def fixed_forms(
    anchors: Anchors, of_one: int, of_all: int, seed: int
) -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """Return, by benchmarks, the questions that are most informative about full scores before any
    answer.

    Each choice accounts for the variance that is expected to remain after the earlier questions,
    for the average model. There is a form of `of_one` questions for each benchmark, and one of
    `of_all` for all together.
    """
    count = len(anchors.names)
    groups = [((b,), of_one) for b in range(count)] + [(tuple(range(count)), of_all)]
    forms = {}
    for benchmarks, most in groups:
        pool = anchors.restricted(benchmarks).pool
        nothing = [np.full(len(part), np.nan) for part in pool.parts]
        usable = [part.usable for part in pool.parts]
        forms[benchmarks] = next_batch(
            pool, nothing, usable, [1.0] * len(pool.parts), most, np.random.default_rng(seed)
        )
    return forms


def _trials(
    anchors: Anchors, row: Sequence[Floats], levels: Sequence[int], selections: Sequence[str],
    in_all: Sequence[int], rng: np.random.Generator,
    forms: Mapping[tuple[int, ...], list[tuple[int, int]]],
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
                if select == FIXED:
                    questions = forms[tuple(benchmarks)]
                elif select != "adaptive" or not questions:
                    most = max(counts) if select == "adaptive" else n
                    questions = ask(scale.pool, part, [(everything, most)], select, rng)
                answers = answers_to(part, questions[:n])
                predicted = predict(scale.pool, posterior(scale.pool, answers), answers)
                for b, one in enumerate(predicted):
                    drawn = answers[b][np.isfinite(answers[b])]
                    yield {
                        "benchmark": scale.names[b], "select": select,
                        "design": "one" if len(benchmarks) == 1 else "all", "n": n,
                        "true": float(part[b].mean()), "predicted": one.accuracy,
                        "ability_variance": one.ability_variance,
                        "answer_variance": one.answer_variance, "asked": one.asked,
                        "items": len(part[b]),
                        "sample": float(drawn.mean()) if len(drawn) else np.nan,
                    }  # fmt: skip


def accuracy_table(trials: pd.DataFrame) -> pd.DataFrame:
    """Return error and bias in points by benchmark, selection, design and number of questions.

    `random_mae` is the expected error of the accuracy on as many random items, from the
    hypergeometric distribution; if benchmarks share the questions, each gets a number in proportion
    to its items. `ratio` is the error divided by it. `coverage` is the share of intervals that hold
    the truth.
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
