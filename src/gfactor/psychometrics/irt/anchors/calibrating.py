"""Calibrate the items of real benchmarks on real models."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.anchors.anchor_set import (
    AnchorBenchmark,
    Anchors,
    item_states,
)
from gfactor.psychometrics.irt.anchors.estimation import fit_items
from gfactor.psychometrics.irt.anchors.placing import item_pool, posterior
from gfactor.psychometrics.irt.anchors.population import ability_population, family_weights
from gfactor.psychometrics.irt.anchors.testlets import TESTLET_SIZES, effect_variances
from gfactor.psychometrics.irt.curves import Floats

FEWEST_MODELS = 30
FEWEST_ITEMS = 20
MODELS = ("1pl", "2pl")
_SURE = 1.96
_FIRST_PRIOR = np.array([2.25, 0.01])
"""Variances of ability and level before the population is known."""


def calibrate_anchors(
    answers: pd.DataFrame,
    families: Mapping[str, str] | pd.Series,
    *,
    name: str = "anchors",
    model: str = "2pl",
    lower: Mapping[str, float] | None = None,
    about: Mapping[str, Any] | None = None,
) -> Anchors:
    """Calibrate the items of one or several benchmarks on the models that answered them.

    Parameters
    ----------
    answers : DataFrame (models x items)
        1 for right, 0 for wrong, NaN where a model was not asked. Columns are `BENCHMARK:INDEX`.
    families : mapping or Series
        Family of every model; near-copies of one model are one family.
    name : str
        Name of the scale.
    model : {"2pl", "1pl"}
        Whether items differ in slope, by default "2pl".
    lower : mapping, optional
        Lower asymptote by benchmark ("mmmu_dev_val") or by item ("mmmu_dev_val:17"), by default 0.
    about : mapping, optional
        What is known of the answers: `source`, `license`, `scoring`, `date`.

    Returns
    -------
    Anchors

    Raises
    ------
    ParameterError
        If a column names no benchmark, a model has no family, there are fewer than 30 models or
        20 items for a benchmark, or an answer is not 1, 0 or missing.
    """
    if model not in MODELS:
        raise ParameterError(f"model must be one of {', '.join(MODELS)}, got {model!r}")
    labels = _checked_families(answers, families)
    groups = _by_benchmark(answers)
    weights = family_weights(labels.tolist())
    benchmarks, abilities = [], np.full((len(answers), 2 * len(groups)), np.nan)
    for b, (benchmark, part) in enumerate(groups.items()):
        known = _calibrated(benchmark, part, labels, model == "1pl", lower or {})
        benchmarks.append(known)
        abilities[:, 2 * b : 2 * b + 2] = _abilities(known, part.to_numpy(np.float64))
    mean, covariance = ability_population(abilities, weights)
    table = pd.DataFrame({"family": labels}, index=answers.index.rename("model"))
    for b, (benchmark, part) in enumerate(groups.items()):
        table[f"accuracy:{benchmark}"] = part.mean(axis=1)
        table[f"ability:{benchmark}"] = abilities[:, 2 * b]
        table[f"level:{benchmark}"] = abilities[:, 2 * b + 1]
    document = {**(about or {}), "model": model, "lower": dict(lower or {}),
                "digest": answers_digest(answers)}  # fmt: skip
    return Anchors(
        name, tuple(benchmarks), mean, covariance, table, about=document,
        diagnostics=by_severity(_diagnostics(benchmarks, labels)),
    )  # fmt: skip


def answers_digest(answers: pd.DataFrame) -> str:
    """SHA-256 of the answers with their models and items, whatever the order of both."""
    ordered = answers.sort_index(axis=0).sort_index(axis=1)
    codes = np.nan_to_num(ordered.to_numpy(np.float64), nan=2.0).astype(np.int8)
    digest = hashlib.sha256("\n".join(map(str, [*ordered.index, *ordered.columns])).encode())
    digest.update(codes.tobytes())
    return digest.hexdigest()


def _checked_families(answers: pd.DataFrame, families: Mapping[str, str] | pd.Series) -> pd.Series:
    given = dict(families)
    missing = [str(who) for who in answers.index if who not in given]
    if missing:
        raise ParameterError(f"model {missing[0]!r} has no family; name one for every model")
    if answers.index.has_duplicates:
        twice = str(answers.index[answers.index.duplicated()][0])
        raise ParameterError(f"model {twice!r} is there twice; keep one row of it")
    return pd.Series([str(given[who]) for who in answers.index], index=answers.index)


def _by_benchmark(answers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The answers of each benchmark, in the order in which the columns name them."""
    names: dict[str, list[Any]] = {}
    for column in answers.columns:
        benchmark, colon, index = str(column).partition(":")
        if not (benchmark and colon and index):
            raise ParameterError(f"column {str(column)!r} is not of the form BENCHMARK:INDEX")
        names.setdefault(benchmark, []).append(column)
    values = answers.to_numpy(np.float64)
    if not np.isin(values[np.isfinite(values)], (0.0, 1.0)).all():
        raise ParameterError("answers are 1, 0 or missing; score them as right or wrong first")
    parts = {name: answers[columns] for name, columns in names.items()}
    for name, part in parts.items():
        n = int(part.notna().any(axis=1).sum())
        if n < FEWEST_MODELS or part.shape[1] < FEWEST_ITEMS:
            raise ParameterError(
                f"benchmark {name!r} has {n} models and {part.shape[1]} items; a calibration needs "
                f"{FEWEST_MODELS} models and {FEWEST_ITEMS} items"
            )
    return parts


def _calibrated(
    name: str, part: pd.DataFrame, labels: pd.Series, common_slope: bool, lower: Mapping[str, float]
) -> AnchorBenchmark:
    there = part.notna().any(axis=1)
    answers = part[there].to_numpy(np.float64)
    floor = np.array([lower.get(str(c), lower.get(name, 0.0)) for c in part.columns])
    weights = family_weights(labels[there].tolist())
    fit = fit_items(answers, common_slope=common_slope, lower=floor)
    right, asked = np.nansum(answers, axis=0), np.isfinite(answers).sum(axis=0).astype(float)
    items = tuple(str(column).partition(":")[2] for column in part.columns)
    status = item_states(fit.curves, right, asked, _SURE)
    chance = fit.curves.probabilities(fit.abilities).T
    there = np.isfinite(answers)
    variances = effect_variances(
        np.where(there, answers - chance, 0.0), np.where(there, chance * (1 - chance), 0.0), weights
    )
    return AnchorBenchmark(
        name, items, fit.curves, status, right, asked, testlet_variances=variances
    )


def _abilities(benchmark: AnchorBenchmark, answers: Floats) -> Floats:
    """Ability and level of every model (N, 2); NaN where it answered nothing."""
    pool = item_pool(
        [benchmark.curves], [benchmark.usable], np.zeros(2), np.diag(_FIRST_PRIOR),
        TESTLET_SIZES, [benchmark.testlet_variances],
    )  # fmt: skip
    found = np.full((len(answers), 2), np.nan)
    for row, x in enumerate(answers):
        if np.isfinite(x).any():
            found[row] = posterior(pool, [x]).mean[:2]
    return found


def _diagnostics(benchmarks: Sequence[AnchorBenchmark], labels: pd.Series) -> list[Diagnostic]:
    found = []
    for benchmark in benchmarks:
        states = pd.Series(benchmark.status)
        for state, meaning in (
            ("negative", "better models do worse on them"),
            ("nobody", "at most 2 % of the models solve them"),
        ):
            where = [benchmark.items[k] for k in np.flatnonzero((states == state).to_numpy())]
            if where:
                found.append(Diagnostic(
                    f"{state}_items", "warning",
                    f"{len(where)} of {len(states)} items of {benchmark.name} are left out: "
                    f"{meaning}.",
                    "Check their keys; they count in predicted scores and are never asked.",
                    tuple(where), {"benchmark": benchmark.name, "items": len(where)},
                ))  # fmt: skip
    largest = labels.value_counts()
    if largest.iloc[0] > 0.15 * len(labels):
        found.append(Diagnostic(
            "large_family", "note",
            f"{int(largest.iloc[0])} of {len(labels)} models are of the family {largest.index[0]}.",
            "Each family counts by the square root of its size.",
            (str(largest.index[0]),), {"models": int(largest.iloc[0])},
        ))  # fmt: skip
    return found
