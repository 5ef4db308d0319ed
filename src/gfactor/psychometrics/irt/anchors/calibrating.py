"""Calibrate the items of real benchmarks on real models."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.anchors.anchor_set import (
    AnchorBenchmark,
    Anchors,
    item_states,
)
from gfactor.psychometrics.irt.anchors.estimation import (
    JointFit,
    fit_items,
    items_given_abilities,
)
from gfactor.psychometrics.irt.anchors.placing import evidence, posterior
from gfactor.psychometrics.irt.anchors.pool import item_pool
from gfactor.psychometrics.irt.anchors.population import (
    effect_population,
    family_weights,
)
from gfactor.psychometrics.irt.anchors.testlets import TESTLET_SIZES, effect_variances
from gfactor.psychometrics.irt.likelihood.curves import Floats

FEWEST_MODELS = 30
FEWEST_ITEMS = 20
FEWEST_RIGHT = 0.15
"""Below this share of right answers, a model's replies count as unread: guessing gives more."""
MODELS = ("1pl", "2pl")
_SURE = 2.58
_ABILITY_VARIANCE = 2.25
_VARIANCE = 0.1
"""Variances of abilities and of other effects before the population is known."""


def calibrate_anchors(
    answers: pd.DataFrame,
    families: Mapping[str, str] | pd.Series,
    *,
    name: str = "anchors",
    model: str = "2pl",
    lower: Mapping[str, float] | None = None,
    dimensions: int = 1,
    about: Mapping[str, Any] | None = None,
) -> Anchors:
    """Calibrate the items of one or several benchmarks on the models that answered them.

    Parameters
    ----------
    answers : DataFrame (models x items)
        1 for right, 0 for wrong, NaN if a model was not asked. Columns are `BENCHMARK:INDEX`.
    families : mapping or Series
        Family of every model; near-copies of one model are one family.
    name : str
        Name of the scale.
    model : {"2pl", "1pl"}
        Model of the items: "2pl" lets them differ in slope (the default), "1pl" does not.
    dimensions : int
        Number of abilities on each benchmark, by default 1.
    lower : mapping, optional
        Lower asymptote by benchmark ("mmmu_dev_val") or by item ("mmmu_dev_val:17"), by default 0.
    about : mapping, optional
        Facts about the answers: `source`, `license`, `scoring`, `date`.

    Returns
    -------
    Anchors
        The scale: items, models, and the population of their effects.

    Raises
    ------
    ParameterError
        If a column names no benchmark, a model has no family, there are fewer than 30 models or
        20 items for a benchmark, or an answer is not 1, 0 or missing.
    """
    return calibrate_with_evidence(
        answers, families, name=name, model=model, dimensions=dimensions, lower=lower, about=about
    ).anchors


@dataclass(frozen=True)
class AnchorCalibration:
    """A calibration with the quantities that are needed to leave families out of it.

    Parameters
    ----------
    anchors : Anchors
    answers : DataFrame (models x items)
    families : Series
    fits : tuple of JointFit by benchmark
    fitted : tuple of array (N,) of bool
        Models that were used for the curves of each benchmark.
    precisions, pulls : array (N, D, D), (N, D)
        Information that the answers of each model give about its effects.
    """

    anchors: Anchors
    answers: pd.DataFrame
    families: pd.Series
    fits: tuple[JointFit, ...]
    fitted: tuple[NDArray[np.bool_], ...]
    precisions: Floats
    pulls: Floats

    def without(self, left_out: NDArray[np.bool_]) -> Anchors:
        """Return the scale without some models, whose abilities are not estimated again.

        Curves, states of items and the population are those of the other models.
        """
        rest = ~left_out
        labels = self.families[rest]
        benchmarks = []
        for b, benchmark in enumerate(self.anchors.benchmarks):
            columns = [f"{benchmark.name}:{item}" for item in benchmark.items]
            used = self.fitted[b] & rest
            answers = self.answers.loc[used, columns].to_numpy(np.float64)
            curves = items_given_abilities(
                answers, self.fits[b].abilities[rest[self.fitted[b]]], self.fits[b]
            )  # fmt: skip
            right, answered = np.nansum(answers, axis=0), np.isfinite(answers).sum(0).astype(float)
            benchmarks.append(replace(
                benchmark, curves=curves, right=right, asked=answered,
                status=item_states(
                    curves, self.fits[b].item_mean, self.fits[b].item_covariance, right, answered,
                    _SURE,
                ),
            ))  # fmt: skip
        population = effect_population(
            self.precisions[rest], self.pulls[rest], family_weights(labels.tolist())
        )
        return replace(
            self.anchors, benchmarks=tuple(benchmarks), mean=population.mean,
            covariance=population.covariance, models=self.anchors.models[rest],
        )  # fmt: skip


def calibrate_with_evidence(
    answers: pd.DataFrame,
    families: Mapping[str, str] | pd.Series,
    *,
    name: str = "anchors",
    model: str = "2pl",
    dimensions: int = 1,
    lower: Mapping[str, float] | None = None,
    about: Mapping[str, Any] | None = None,
) -> AnchorCalibration:
    """Calibrate as `calibrate_anchors`, and also return the quantities needed to leave families
    out."""
    if model not in MODELS:
        raise ParameterError(f"model must be one of {', '.join(MODELS)}, got {model!r}")
    labels = _checked_families(answers, families)
    groups = _by_benchmark(answers)
    benchmarks, fits, fitted = [], [], []
    for benchmark, part in groups.items():
        used = (part.mean(axis=1) >= FEWEST_RIGHT).to_numpy()
        calibrated, fit = _calibrated(
            benchmark,
            part.loc[used],
            labels[used].tolist(),
            model == "1pl",
            lower or {},
            dimensions,
        )  # fmt: skip
        benchmarks.append(calibrated)
        fits.append(fit)
        fitted.append(used)
    precisions, pulls = _evidence_of_all(benchmarks, list(groups.values()))
    population = effect_population(precisions, pulls, family_weights(labels.tolist()))
    table = pd.DataFrame({"family": labels}, index=answers.index.rename("model"))
    effects = np.split(population.effects, len(groups), axis=1)
    for benchmark, part, values in zip(benchmarks, groups.values(), effects, strict=True):
        there = part.notna().any(axis=1)
        table[f"accuracy:{benchmark.name}"] = part.mean(axis=1)
        for effect, column in zip(benchmark.effect_names, values.T, strict=True):
            table[f"{effect}:{benchmark.name}"] = np.where(there, column, np.nan)
    document = {
        **(about or {}), "model": model, "dimensions": dimensions, "lower": dict(lower or {}),
        "digest": answers_digest(answers),
    }  # fmt: skip
    anchors = Anchors(
        name, tuple(benchmarks), population.mean, population.covariance, table, about=document,
        diagnostics=by_severity(_diagnostics(benchmarks, labels, table)),
    )  # fmt: skip
    return AnchorCalibration(
        anchors, answers, labels, tuple(fits), tuple(fitted), precisions, pulls
    )  # fmt: skip


def answers_digest(answers: pd.DataFrame) -> str:
    """Return the SHA-256 of the answers with their models and items, independent of the order of
    both."""
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
        raise ParameterError(f"model {twice!r} occurs twice; keep one row of it")
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
    table: Any = answers
    parts: dict[str, pd.DataFrame] = {name: table[columns] for name, columns in names.items()}
    for name, part in parts.items():
        n = int(part.notna().to_numpy().any(axis=1).sum())
        if n < FEWEST_MODELS or part.shape[1] < FEWEST_ITEMS:
            raise ParameterError(
                f"benchmark {name!r} has {n} models and {part.shape[1]} items; a calibration needs "
                f"{FEWEST_MODELS} models and {FEWEST_ITEMS} items"
            )
    return parts


def _calibrated(
    name: str, part: pd.DataFrame, labels: Sequence[str], common_slope: bool,
    lower: Mapping[str, float], dimensions: int,
) -> tuple[AnchorBenchmark, JointFit]:  # fmt: skip
    answers = part.to_numpy(np.float64)
    floor = np.array([lower.get(str(c), lower.get(name, 0.0)) for c in part.columns])
    fit = fit_items(answers, dimensions=dimensions, common_slope=common_slope, lower=floor)
    right, answered = np.nansum(answers, axis=0), np.isfinite(answers).sum(axis=0).astype(float)
    items = tuple(str(column).partition(":")[2] for column in part.columns)
    status = item_states(fit.curves, fit.item_mean, fit.item_covariance, right, answered, _SURE)
    chance = fit.curves.probabilities(fit.abilities).T
    there = np.isfinite(answers)
    variances = effect_variances(
        np.where(there, answers - chance, 0.0),
        np.where(there, chance * (1 - chance), 0.0),
        family_weights(labels),
    )
    calibrated = AnchorBenchmark(
        name, items, fit.curves, status, right, answered, testlet_variances=variances
    )
    return calibrated, fit


def _evidence_of_all(
    benchmarks: Sequence[AnchorBenchmark], parts: Sequence[pd.DataFrame]
) -> tuple[Floats, Floats]:
    count, effects = len(parts[0]), len(benchmarks[0].effect_names)
    size = effects * len(benchmarks)
    precisions, pulls = np.zeros((count, size, size)), np.zeros((count, size))
    for b, (benchmark, part) in enumerate(zip(benchmarks, parts, strict=True)):
        block = slice(effects * b, effects * b + effects)
        precisions[:, block, block], pulls[:, block] = _evidence(
            benchmark, part.to_numpy(np.float64)
        )
    return precisions, pulls


def _evidence(benchmark: AnchorBenchmark, answers: Floats) -> tuple[Floats, Floats]:
    """Return precision (N, E, E) and pull (N, E) that each model's answers put on its effects."""
    dimensions, effects = benchmark.curves.slopes.shape[1], len(benchmark.effect_names)
    variances = np.full(effects, _VARIANCE)
    variances[:dimensions] = _ABILITY_VARIANCE
    pool = item_pool(
        [benchmark.curves], [benchmark.usable], np.zeros(effects), np.diag(variances),
        TESTLET_SIZES, [benchmark.testlet_variances],
    )  # fmt: skip
    precision, pull = np.zeros((len(answers), effects, effects)), np.zeros((len(answers), effects))
    for row, x in enumerate(answers):
        if np.isfinite(x).any():
            belief = posterior(pool, [x])
            precision[row], pull[row] = evidence(pool, belief.mean, belief.covariance)
    return precision, pull


def _diagnostics(
    benchmarks: Sequence[AnchorBenchmark], labels: pd.Series, table: pd.DataFrame
) -> list[Diagnostic]:
    diagnostics = []
    for benchmark in benchmarks:
        states = pd.Series(benchmark.status)
        for state, meaning in (
            ("negative", "better models do worse on them"),
            ("nobody", "at most 2 % of the models solve them"),
        ):
            where = [benchmark.items[k] for k in np.flatnonzero((states == state).to_numpy())]
            if where:
                diagnostics.append(Diagnostic(
                    f"{state}_items", "warning",
                    f"{len(where)} of {len(states)} items of {benchmark.name} are left out: "
                    f"{meaning}.",
                    "Check their keys; they count in predicted scores and are never asked.",
                    tuple(where), {"benchmark": benchmark.name, "items": len(where)},
                ))  # fmt: skip
        share = table[f"accuracy:{benchmark.name}"]
        unread = [str(who) for who in table.index[(share < FEWEST_RIGHT).to_numpy()]]
        if unread:
            diagnostics.append(Diagnostic(
                "unread_models", "warning",
                f"Fewer than {100 * FEWEST_RIGHT:.0f} % of the answers of {', '.join(unread)} to "
                f"{benchmark.name} are right, less than guessing gives: the replies were not read.",
                "They are left out of the curves of that benchmark; score the replies again.",
                tuple(unread), {"benchmark": benchmark.name},
            ))  # fmt: skip
    largest = labels.value_counts()
    if largest.iloc[0] > 0.15 * len(labels):
        diagnostics.append(Diagnostic(
            "large_family", "note",
            f"{int(largest.iloc[0])} of {len(labels)} models are of the family {largest.index[0]}.",
            "Each family counts by the square root of its size.",
            (str(largest.index[0]),), {"models": int(largest.iloc[0])},
        ))  # fmt: skip
    return diagnostics
