"""CVPAT: test of whether a path model predicts new cases better than a benchmark or another model.

References
----------
Liengaard, B. D. et al. (2021). Prediction: coveted, yet forsaken? Introducing a cross-validated
    predictive ability test in partial least squares path modeling. Decision Sciences 52, 362-392.
Sharma, P. N., Liengaard, B. D., Hair, J. F., Sarstedt, M., Ringle, C. M. (2022). Predictive model
    assessment and selection in composite-based modeling using PLS-SEM: extensions and guidelines
    for using CVPAT. European Journal of Marketing 57, 1662-1677.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import printed
from gfactor.parameters import Level
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.pls.predict import PLSPrediction
from gfactor.results import Result

AVERAGES, REGRESSION, RIVAL = "indicator averages", "linear model", "other model"
ALL = "all"

_UNLIKE = 4.0
"""Ratio of two indicators' mean squared errors from which on one dominates the loss."""


@dataclass(frozen=True, repr=False)
class PLSPredictiveAbility(Result):
    """Losses of prediction out of sample, compared case by case.

    Parameters
    ----------
    table : DataFrame
        One row per benchmark (`against`) and explained construct, "all" for all of them: the mean
        squared error of its indicators (`loss`), that of the benchmark (`loss_against`), their
        `difference` (below 0 if the model predicts better) with `se`, `t`, two-sided `p`,
        `p_better` (one-sided, that the model predicts better) and interval, and the `verdict`.
    n, folds, repeats : int
        Cases, folds and repetitions of the prediction.
    level : float
        Confidence level of the intervals.
    """

    table: pd.DataFrame
    n: int
    folds: int
    repeats: int
    level: float
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        """Return the number of folds and cases."""
        times = f", {self.repeats} repeats" if self.repeats > 1 else ""
        return f"CVPAT, {self.folds} folds{times}, n = {self.n}: losses out of sample"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {name: getattr(self, name) for name in ("n", "folds", "repeats", "level")}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"losses": self.table}

    def _lines(self) -> list[str]:
        return [self.title, printed(self.table, 4, index=False)]


def cvpat(
    prediction: PLSPrediction,
    other: PLSPrediction | None = None,
    *,
    level: Level = 0.95,
) -> PLSPredictiveAbility:
    """Test whether a path model predicts better than a benchmark, or than another model (CVPAT).

    The loss of a case is the mean squared error of its indicators of explained constructs. The test
    is a paired t test of the losses of two predictions.

    Parameters
    ----------
    prediction : PLSPrediction
        Result of `predict_pls`.
    other : PLSPrediction, optional
        Prediction of the same cases by another model, with the same folds, repeats and seed. By
        default the benchmarks are the averages of the indicators and the linear model.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    PLSPredictiveAbility
        `table`, `diagnostics`, `summary()`.

    Raises
    ------
    ParameterError
        If the two predictions have different cases or folds, or share no indicator.

    References
    ----------
    Liengaard, B. D. et al. (2021). Prediction: coveted, yet forsaken? Introducing a cross-validated
    predictive ability test in partial least squares path modeling. Decision Sciences 52, 362-392.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import cvpat, fit_pls, predict_pls
    >>> random = np.random.default_rng(1)
    >>> a = random.normal(size=200)
    >>> data = pd.DataFrame({f"x{k}": a + random.normal(size=200) for k in range(4)})
    >>> found = cvpat(predict_pls(fit_pls("A =~ x0 + x1; B =~ x2 + x3; B ~ A", data)))
    >>> found.table.loc[0, "verdict"]
    'better'
    """
    squared = prediction.squared["pls"]
    owners = pd.Series(prediction.table["construct"])
    if other is None:
        against = {AVERAGES: prediction.squared["mean"], REGRESSION: prediction.squared["lm"]}
    else:
        _check_same(prediction, other)
        shared = [name for name in squared.columns if name in other.squared["pls"].columns]
        if not shared:
            raise ParameterError("the two models explain no indicator in common.")
        squared, owners = squared.reindex(columns=shared), owners.reindex(shared)
        against = {RIVAL: other.squared["pls"]}
    rows = [
        _row(
            name,
            construct,
            squared.reindex(columns=chosen),
            benchmark.reindex(columns=chosen),
            level,
        )
        for name, benchmark in against.items()
        for construct, chosen in _parts(owners)
    ]
    return PLSPredictiveAbility(
        pd.DataFrame(rows),
        prediction.n,
        prediction.folds,
        prediction.repeats,
        level,
        tuple(_checks(squared, prediction, other)),
    )


def _parts(owners: pd.Series) -> Iterator[tuple[str, list[str]]]:
    """All indicators, then those of each construct if there are several."""
    yield ALL, list(owners.index)
    constructs = list(dict.fromkeys(owners))
    if len(constructs) > 1:
        for construct in constructs:
            yield str(construct), list(owners.index[owners == construct])


def _row(
    against: str, construct: str, squared: pd.DataFrame, other: pd.DataFrame, level: float
) -> dict[str, Any]:
    losses, benchmark = squared.to_numpy().mean(axis=1), other.to_numpy().mean(axis=1)
    away = losses - benchmark
    n = len(away)
    difference, se = float(away.mean()), float(away.std(ddof=1) / np.sqrt(n))
    t = difference / se if se > 0 else float("nan")
    width = stats.t.ppf((1 + level) / 2, n - 1) * se
    lower, upper = difference - width, difference + width
    decided = "better" if upper < 0 else "worse" if lower > 0 else "not decided"
    return {
        "against": against,
        "construct": construct,
        "loss": float(losses.mean()),
        "loss_against": float(benchmark.mean()),
        "difference": difference,
        "se": se,
        "t": t,
        "p": float(2 * stats.t.sf(abs(t), n - 1)),
        "p_better": float(stats.t.cdf(t, n - 1)),
        "ci_lower": lower,
        "ci_upper": upper,
        "verdict": "-" if np.isnan(difference) else decided,
    }


def _check_same(one: PLSPrediction, other: PLSPrediction) -> None:
    names = ("n", "folds", "repeats", "seed", "technique")
    for name in names:
        first, second = getattr(one, name), getattr(other, name)
        if first != second:
            raise ParameterError(
                f"the predictions differ in {name} ({first!r}, {second!r}); predict with the same "
                "cases and settings."
            )
    if not one.errors.index.equals(other.errors.index):
        raise ParameterError("the predictions are of different cases; fit both models to the same.")


def _checks(
    squared: pd.DataFrame, prediction: PLSPrediction, other: PLSPrediction | None
) -> Iterator[Diagnostic]:
    sizes = squared.mean()
    if sizes.max() > _UNLIKE * sizes.min():
        large, small = str(sizes.idxmax()), str(sizes.idxmin())
        yield Diagnostic(
            "indicators_on_other_scales",
            "warning",
            f"The squared errors of {large} are {sizes.max() / sizes.min():.1f} times those of "
            f"{small}, so that it decides most of the loss.",
            "Standardize the indicators before the models are fitted.",
            (large, small),
        )
    if other is not None:
        left = [
            name
            for one in (prediction, other)
            for name in one.squared["pls"].columns
            if name not in squared.columns
        ]
        if left:
            yield Diagnostic(
                "indicators_not_shared",
                "note",
                f"Only one of the models explains {', '.join(left)}; these are left out.",
                "Compare models that explain the same constructs.",
                tuple(left),
            )
