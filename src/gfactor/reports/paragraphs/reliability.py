"""Sentences on reliability: of a sum or mean of indicators, and of a fitted model."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
import pandas as pd

from gfactor.numbers_in_text import fixed, share
from gfactor.psychometrics.classical.consistency.scores import Reliability
from gfactor.psychometrics.sem.model_reliability import ModelReliability
from gfactor.reports.paragraphs.wording import (
    MOST_LISTED,
    limits_of,
    listed,
    range_of,
    software,
)
from gfactor.results import number_of

LEFT_OUT = ("incomplete_examinees", "constant_indicators")
"""Diagnostics whose sentences, among the limits, name what was left out."""


class Coefficients(Protocol):
    """The result of `gfactor.consistency`, as far as sentences need it."""

    @property
    def coefficients(self) -> pd.DataFrame: ...
    @property
    def indicators(self) -> pd.DataFrame: ...
    @property
    def sem(self) -> float: ...
    @property
    def sd(self) -> float: ...
    @property
    def n(self) -> int: ...
    @property
    def k(self) -> int: ...
    @property
    def level(self) -> float: ...
    @property
    def diagnostics(self) -> tuple[Any, ...]: ...


def sentences_on_reliability(result: Reliability) -> Iterable[str]:
    yield _sample(result, "mean")
    yield _complete(result.diagnostics)
    yield f"{_alpha(result.alpha, result.low, result.high, result.level)}."
    yield _halves(result.split_half, result.split_low, result.split_high)
    yield _error(result.alpha, result.sem, result.sd, "mean")
    yield _indicators(result.indicators, result.level)


def sentences_on_consistency(result: Coefficients) -> Iterable[str]:
    rows = result.coefficients.to_dict("index")
    yield _sample(result, "sum")
    yield _complete(result.diagnostics)
    omega, alpha = rows["omega"], rows["alpha"]
    if math.isfinite(omega["estimate"]):
        yield (
            f"Omega of a model of one factor (MLR) was {share(omega['estimate'], 2)}, "
            f"{_share_limits(omega['ci_lower'], omega['ci_upper'], result.level)} (delta method)."
        )
    yield from (one.sentence for one in result.diagnostics if one.code == "no_omega")
    yield f"{_alpha(alpha['estimate'], alpha['ci_lower'], alpha['ci_upper'], result.level)}."
    if math.isfinite(rows["glb"]["estimate"]):
        yield (
            f"The greatest lower bound was {share(rows['glb']['estimate'], 2)}, without an "
            "interval; samples overestimate it."
        )
    halves = rows["split_half"]
    yield _halves(halves["estimate"], halves["ci_lower"], halves["ci_upper"])
    yield _error(alpha["estimate"], result.sem, result.sd, "sum")
    yield _indicators(result.indicators, result.level)


def sentences_on_model_reliability(result: ModelReliability) -> Iterable[str]:
    yield (
        "Reliability was computed from the estimates of a structural equation model of "
        f"{number_of(result.n, 'case')} with {software()}; paragraph() of the fit has its "
        "estimator, missing values and fit."
    )
    rows: list[dict[Any, Any]] = result.indices.to_dict("records")
    if len(rows) <= MOST_LISTED:
        parts = [
            f"{row['index']} of {_name(row)} {share(row['est'], 2)}, "
            f"{_share_limits(row['low'], row['high'], result.level)}"
            for row in rows
        ]
        yield f"Indices (intervals by the delta method): {'; '.join(parts)}."
        return
    for index, of_index in result.indices.groupby("index", sort=False):
        yield f"{index} was {range_of(of_index['est'])}; the table of indices has the intervals."


def _name(row: dict[Any, Any]) -> str:
    return f"{row['latent']} ({row['group']})" if row["group"] else str(row["latent"])


def _sample(result: Reliability | Coefficients, score: str) -> str:
    return (
        f"The reliability of the {score} of {number_of(result.k, 'indicator')} was estimated from "
        f"{number_of(result.n, 'examinee')} with complete answers, with {software()}."
    )


def _complete(diagnostics: Iterable[Any]) -> str:
    left = any(one.code in LEFT_OUT for one in diagnostics)
    return "" if left else "No values were missing, and no indicator was left out."


def _alpha(alpha: float, low: float, high: float, level: float) -> str:
    if not math.isfinite(alpha):
        return "Cronbach's alpha is not defined, as the sums do not vary"
    return f"Cronbach's alpha was {share(alpha, 2)}, {_share_limits(low, high, level)} (Feldt)"


def _share_limits(low: float, high: float, level: float) -> str:
    return limits_of(low, high, level, lambda end: share(end, 2))


def _halves(mean: float, low: float, high: float) -> str:
    if not math.isfinite(mean):
        return "Split halves are not defined, as a half does not vary."
    return (
        f"Random split halves correlate at {share(mean, 2)} on average (Spearman-Brown; middle "
        f"95% of the splits {share(low, 2)} to {share(high, 2)}, which is no confidence interval)."
    )


def _error(alpha: float, sem: float, sd: float, score: str) -> str:
    if not math.isfinite(alpha):
        return ""
    by = "alpha" if alpha >= 0 else "an alpha of 0"
    return (
        f"The {score} has a standard deviation of {fixed(sd)} and, by {by}, a standard error of "
        f"measurement of {fixed(sem)}."
    )


def _indicators(table: pd.DataFrame, level: float) -> str:
    text = f"Correlations of indicators with the rest were {range_of(table['rest_correlation'])}"
    if "rest_lower" in table and len(table) <= MOST_LISTED // 2:
        rows = table.to_dict("index")
        parts = [
            f"{name} {_share_limits(row['rest_lower'], row['rest_upper'], level)}"
            for name, row in rows.items()
        ]
        text += f" ({listed(parts)})"
    if np.isfinite(table["alpha_without"].to_numpy(float)).any():
        text += f"; alpha without one of them would be {range_of(table['alpha_without'])}"
    return f"{text}."
