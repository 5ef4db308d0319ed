"""The published route: scores exactly as the authors' scripts give them, with diagnostics of their
parameters."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.replications.m3gia.battery import INDICATORS, POINTS, Counts
from gfactor.replications.m3gia.factor_models import score_weights
from gfactor.replications.m3gia.findings import parameter_findings
from gfactor.replications.m3gia.published import (
    ParameterSet,
    compare_table2,
    published_human,
    published_parameters,
    table2_findings,
)
from gfactor.replications.m3gia.resampling import CountDraws, binomial_draws
from gfactor.replications.m3gia.result import Gia
from gfactor.replications.m3gia.totals import TotalCorrelation, size_ablation, total_correlation
from gfactor.replications.m3gia.winner_takes_all import Winners, winners

FEW_MODELS = 4
"""Models below which nothing is correlated or ranked."""


def published_gia(
    counts: Counts,
    language: str,
    parameters: ParameterSet | None = None,
    resampled: CountDraws | None = None,
    sizes: pd.Series | None = None,
    seed: int = 0,
) -> Gia:
    """Return GIA as published: weights of the general factor's regression score times raw counts.

    Parameters
    ----------
    counts: number of right answers by model (index) and question type (columns).
    language: code of the language, which selects the parameters and the human figure.
    parameters: another parameter set of the same 18 indicators; default: the published one.
    resampled: draws of the same models' counts, for intervals; default: binomial draws.
    sizes: sizes of the models in billions of parameters, for the size ablation.
    seed: seed of the intervals, random weights and permutations.
    """
    p = parameters or published_parameters(language)
    if set(p.indicators) != set(INDICATORS):
        raise ParameterError(
            "the parameter set has other indicators than M3GIA's 18 question types: "
            f"{', '.join(sorted(set(p.indicators) ^ set(INDICATORS)))}"
        )
    order = [p.indicators.index(name) for name in INDICATORS]
    weights = score_weights(p)[p.general][order]
    offset = float(p.means[order] @ weights)
    draws = resampled or binomial_draws(counts.table, seed=seed)
    human = published_human(language)
    scores = score_table(counts, weights, offset, human, draws)
    compared = compare_table2(dict(zip(scores["model"], scores["gia"], strict=True)), p.language)
    x = counts.table.loc[:, list(p.indicators)].to_numpy(float)
    total, best = agreement(counts, weights, seed)
    diagnostics = [
        *counts.diagnostics,
        *parameter_findings(p, x),
        *table2_findings(compared, p.language),
        *circular(total),
    ]
    return Gia(
        p.language, "published", scores, human, draws.source, weight_table(weights), total, best,
        ablation(sizes, scores, draws.draws @ weights - offset), compared, by_severity(diagnostics),
    )  # fmt: skip


def score_table(
    counts: Counts,
    weights: NDArray[np.float64],
    offset: float,
    human: float,
    draws: CountDraws,
) -> pd.DataFrame:
    """Return scores (weights @ counts - offset) with percentile intervals, normalized by
    `human`."""
    gia = counts.values @ weights - offset
    low, high = np.quantile(draws.draws @ weights - offset, [0.025, 0.975], axis=0)
    share = counts.values.sum(axis=1) / POINTS.sum()
    return pd.DataFrame(
        {
            "model": [str(model) for model in counts.table.index],
            "gia": gia, "gia_low": low, "gia_high": high,
            "normalized": 100 * gia / human,
            "normalized_low": 100 * low / human,
            "normalized_high": 100 * high / human,
            "total": share,
        }
    )  # fmt: skip


def weight_table(weights: NDArray[np.float64]) -> pd.DataFrame:
    """Return the weight of one right answer by question type."""
    return pd.DataFrame({"question_type": INDICATORS, "weight": weights, "points": POINTS})


def agreement(
    counts: Counts, weights: NDArray[np.float64], seed: int
) -> tuple[TotalCorrelation | None, Winners | None]:
    """Return the correlation with the total and the winner-takes-all matrix; None if there are too
    few models."""
    if len(counts.table) < FEW_MODELS:
        return None, None
    return (
        total_correlation(counts.values, weights, seed=seed),
        winners(counts.table, seed=seed),
    )


def ablation(
    sizes: pd.Series | None, scores: pd.DataFrame, draws: NDArray[np.float64]
) -> pd.DataFrame:
    """Return the size ablation; it is empty without sizes."""
    if sizes is None:
        return pd.DataFrame(columns=["model", "size", "gia"])
    return size_ablation(sizes, scores["gia"].to_numpy(float), draws)


def circular(total: TotalCorrelation | None) -> list[Diagnostic]:
    """Return the warning that a correlation of parts with their sum is no evidence; empty without
    `total`."""
    if total is None:
        return []
    return [
        Diagnostic(
            "correlation_is_circular",
            "warning",
            f"GIA correlates {total.r:.3f} with total accuracy (n {total.n}); random positive "
            f"weights on the same counts give {total.random_median:.3f} in the median, and "
            f"{total.percentile:.0f} % of them less than GIA.",
            "Do not take it as evidence for a shared structure; a sum of parts always follows the "
            "sum.",
            (),
            {"r": total.r, "percentile": total.percentile, "median": total.random_median},
        )
    ]
