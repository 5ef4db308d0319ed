"""The repaired route: gfactor's own proper models of the human data, scores on the human metric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.replications.m3gia.battery import INDICATORS, POINTS, Counts
from gfactor.replications.m3gia.factor_models import (
    CHOSEN,
    MODELS,
    FittedModel,
    fit_best,
    fit_model,
    score_weights,
)
from gfactor.replications.m3gia.findings import FAR, human_findings
from gfactor.replications.m3gia.human import HumanSample
from gfactor.replications.m3gia.human_fit import SPLITS, fit_table, hold_out
from gfactor.replications.m3gia.published import published_parameters
from gfactor.replications.m3gia.resampling import CountDraws, binomial_draws
from gfactor.replications.m3gia.result import Gia
from gfactor.replications.m3gia.route_published import ablation, agreement, circular

_RESTARTS = 10


@dataclass(frozen=True)
class GiaScale:
    """GIA on the human metric: gia = (counts - mean) @ weights.

    Parameters
    ----------
    mean: human mean counts. weights: of one right answer, in human standard deviations of GIA.
    model: the fitted model behind them.
    """

    mean: NDArray[np.float64]
    weights: NDArray[np.float64]
    model: FittedModel

    def gia(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return GIA in human standard deviations; the human mean is 0."""
        return (counts - self.mean) @ self.weights

    def normalized(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weighted counts in per cent of those of the human mean."""
        return 100 * (counts @ self.weights) / (self.mean @ self.weights)


def human_scale(persons: NDArray[np.float64], start: NDArray[np.float64] | None = None) -> GiaScale:
    """Return the scale that is defined by a sample of persons (n x 18, in points).

    The second-order model is fitted to standardised counts; GIA is the regression score of its
    general factor, divided by its standard deviation among the persons. Raises ParameterError if
    a question type does not vary or the covariance matrix is singular.
    """
    mean, sd = persons.mean(axis=0), persons.std(axis=0)
    flat = [name for name, s in zip(INDICATORS, sd, strict=True) if s == 0]
    if flat:
        raise ParameterError(f"all persons have the same count of {flat[0]}; no model can use it")
    z = (persons - mean) / sd
    model = fit_model(CHOSEN, z.T @ z / len(z), len(z), start)
    weights = model.weights()
    spread = float((z @ weights).std())
    return GiaScale(mean, weights / sd / spread, model)


def repaired_gia(
    counts: Counts,
    human: HumanSample,
    language: str,
    resampled: CountDraws | None = None,
    sizes: pd.Series | None = None,
    *,
    n_bootstrap: int = 1000,
    splits: int = SPLITS,
    seed: int = 0,
) -> Gia:
    """Return scores on the human metric, with intervals over persons, items and occasions.

    Every resample draws persons with replacement, fits the model again, and scores one resample of
    the models' counts with it. Resamples in which no proper solution is found are counted and left
    out. `splits` is the number of divisions of the persons for hold-out validation. Raises
    ParameterError if the model cannot be fitted to the human data.
    """
    x = human.values
    scale = human_scale(x)
    if not scale.model.proper:
        raise ParameterError(
            f"no proper second-order solution for the {language} human data "
            f"({scale.model.status}); look at the data with gfactor audit"
        )
    items = resampled or binomial_draws(counts.table, n_bootstrap, seed)
    scales, failed = _scales(x, scale, min(n_bootstrap, len(items.draws)), seed)
    gia = np.array([s.gia(items.draws[b]) for b, s in enumerate(scales)])
    ratio = np.array([s.normalized(items.draws[b]) for b, s in enumerate(scales)])
    people = scale.gia(x)
    scores = _score_table(counts, scale, gia, ratio, people, x.std(axis=0, ddof=1))
    total, best = agreement(counts, scale.weights, seed)
    z = (x - scale.mean) / x.std(axis=0)
    cov = z.T @ z / len(z)
    fitted = {
        name: fit_best(name, cov, human.n, _RESTARTS if "bifactor" in name else 0, seed)
        for name in MODELS
    }
    fits = fit_table(fitted, cov, human.n)
    prediction = hold_out(x, splits, seed)
    fits = fits.merge(prediction.models, on="model")
    lowest = float(human.slack @ scale.weights)
    facts: dict[str, float | str] = {
        "n": human.n,
        "human_p025": float(np.quantile(people, 0.025)),
        "determinacy": scale.model.determinacy,
        "general_share": _general_share(scale.model),
        "failed_resamples": failed,
        "gia_more_if_humans_lowest": lowest,
        "published_score_of_human_mean": _published_human(scale.mean, language),
        "held_out_r": prediction.r,
        "held_out_r_random": prediction.r_random,
        "held_out_r_other_half": prediction.r_other,
        "held_out_r_other_half_sum": prediction.r_sum,
        "held_out_gain": prediction.gain,
        "held_out_gain_low": prediction.gain_low,
        "held_out_gain_high": prediction.gain_high,
        "held_out_splits": prediction.splits,
        "held_out_persons": prediction.left_out,
        "fit": _fit_text(fits.set_index("model").loc[CHOSEN].to_dict(), human.n),
    }
    diagnostics = [
        *human.diagnostics,
        *human_findings(scale.model, human, counts, failed, len(scales) + failed, language),
        *_better_optimum(fitted, human, language),
        *circular(total),
    ]
    weights = pd.DataFrame(
        {"question_type": INDICATORS, "weight": scale.weights, "points": POINTS,
         "human_mean": scale.mean, "human_sd": x.std(axis=0, ddof=1)}
    )  # fmt: skip
    source = f"{human.n} persons resampled, and {items.source}"
    return Gia(
        language, "repaired", scores, 100.0, source, weights, total, best,
        ablation(sizes, scores, gia), pd.DataFrame(columns=["model"]), by_severity(diagnostics),
        {"models_of_the_human_data": fits}, facts,
    )  # fmt: skip


def _scales(
    x: NDArray[np.float64], scale: GiaScale, n_bootstrap: int, seed: int
) -> tuple[list[GiaScale], int]:
    """Scales of resampled persons, started at the solution of all."""
    rng = np.random.default_rng((seed, 1))
    scales, failed = [], 0
    for _ in range(n_bootstrap):
        persons = x[rng.integers(0, len(x), len(x))]
        try:
            again = human_scale(persons, scale.model.theta)
        except ParameterError:  # a question type without variance among the persons drawn
            failed += 1
            continue
        if again.model.proper:
            scales.append(again)
        else:
            failed += 1
    if len(scales) < n_bootstrap / 2:
        raise ParameterError(
            f"only {len(scales)} of {n_bootstrap} resamples of the persons have a proper solution; "
            "the human data are too few for intervals"
        )
    return scales, failed


def _score_table(
    counts: Counts,
    scale: GiaScale,
    gia: NDArray[np.float64],
    ratio: NDArray[np.float64],
    people: NDArray[np.float64],
    sd: NDArray[np.float64],
) -> pd.DataFrame:
    """One row per model; `sd` are the persons' standard deviations (divisor n - 1) per type."""
    scores = scale.gia(counts.values)
    z = (counts.values - scale.mean) / sd
    farthest = np.abs(z).argmax(axis=1)
    distance = np.abs(z).max(axis=1)
    low, high = np.quantile(gia, [0.025, 0.975], axis=0)
    ratio_low, ratio_high = np.quantile(ratio, [0.025, 0.975], axis=0)
    return pd.DataFrame(
        {
            "model": [str(model) for model in counts.table.index],
            "gia": scores, "gia_low": low, "gia_high": high,
            "normalized": scale.normalized(counts.values),
            "normalized_low": ratio_low, "normalized_high": ratio_high,
            "quotient": 100 + 15 * scores,
            "below_humans": (people[None, :] < scores[:, None]).mean(axis=1),
            "total": counts.values.sum(axis=1) / POINTS.sum(),
            "farthest": distance,
            "farthest_on": [INDICATORS[k] for k in farthest],
            "extrapolated": distance > FAR,
        }
    )  # fmt: skip


def _general_share(model: FittedModel) -> float:
    """Omega hierarchical of the sum of standardised indicators (McDonald 1999)."""
    assert model.general is not None
    return float(model.general.sum() ** 2 / model.implied.sum())


def _fit_text(row: dict[str, float], n: int) -> str:
    return (
        f"second-order model, n {n}: chi-square {row['chi2']:.1f} (df {row['df']:.0f}), CFI "
        f"{row['cfi']:.3f}, RMSEA {row['rmsea']:.3f}, SRMR {row['srmr']:.3f}."
    )


def _published_human(mean: NDArray[np.float64], language: str) -> float:
    """Return the published weights' score of the human means; Table 2 prints its own figure."""
    published = published_parameters(language)
    weights = score_weights(published)[published.general]
    return float(mean @ weights[[published.indicators.index(name) for name in INDICATORS]])


def _better_optimum(
    fitted: dict[str, FittedModel], human: HumanSample, language: str
) -> Iterator[Diagnostic]:
    """A proper solution of the published model that fits better than the published one."""
    published = published_parameters(language)
    ours = 2 * human.n * fitted["published bifactor"].value
    theirs = published.fit.get("chisq", 0.0)
    if published.n == human.n and fitted["published bifactor"].proper and ours < theirs - 0.01:
        yield Diagnostic(
            "published_is_not_the_optimum",
            "error",
            f"A proper solution of the published model fits these persons better than the "
            f"published one: chi-square {ours:.2f} against {theirs:.2f}.",
            "The published solution is no maximum of the likelihood; do not use it.",
            (),
            {"ours": ours, "published": theirs},
        )
