"""Fit of the models to the human data, in the sample and on persons left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import einsum, inv, solve
from gfactor.replications.m3gia.battery import TYPES
from gfactor.replications.m3gia.factor_models import CHOSEN, MODELS, FittedModel, fit_model
from gfactor.replications.m3gia.totals import total_correlation

SPLITS = 20
"""Random divisions of the persons; the spread over them is part of the result."""

LEFT_OUT = 0.25
"""Share of persons left out, as in the paper (20 of 80)."""


def fit_table(fitted: dict[str, FittedModel], cov: NDArray[np.float64], n: int) -> pd.DataFrame:
    """Return one row per model: chi-square (n F), df, p, CFI, TLI, RMSEA, SRMR (no means), AIC and
    BIC (from the log-likelihood without the saturated means), free parameters, and the variances
    fixed at zero, which make df and p approximate."""
    k = len(cov)
    sd = np.sqrt(cov.diagonal())
    sign, logdet = np.linalg.slogdet(cov)
    base = n * (np.log(np.diag(cov)).sum() - logdet)
    base_df = k * (k - 1) // 2
    rows = []
    for name, model in fitted.items():
        chi, df = 2 * n * model.value, k * (k + 1) // 2 - model.free
        away, base_away = max(chi - df, 0.0), max(base - base_df, chi - df, 1e-12)
        residual = (cov - model.implied) / np.outer(sd, sd)
        lower = residual[np.tril_indices(k)]
        log_likelihood = -n / 2 * (logdet + k + 2 * model.value + k * np.log(2 * np.pi))
        rows.append(
            {
                "model": name, "chi2": chi, "df": df, "p": float(stats.chi2.sf(chi, df)),
                "cfi": 1 - away / base_away,
                "tli": 1 - (chi / df - 1) / (base / base_df - 1),
                "rmsea": float(np.sqrt(away / (df * n))),
                "srmr": float(np.sqrt((lower**2).mean())),
                "aic": 2 * model.free - 2 * log_likelihood,
                "bic": np.log(n) * model.free - 2 * log_likelihood,
                "parameters": model.free, "proper": model.proper,
                "at_bound": ", ".join(model.boundary),
            }
        )  # fmt: skip
    assert sign > 0
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class HeldOut:
    """Results for persons left out.

    Parameters
    ----------
    models: per model the mean log-likelihood per person left out (`loglik`), its difference to the
        chosen model (`difference`, mean over splits) with the middle 95 % of the splits.
    r, r_random: correlation of GIA with the total among persons left out, and the median of that
        under random positive weights; both circular.
    r_other, r_sum: correlation of GIA from one half of the question types with the total of the
        other half, and of the plain sum of the same half: not circular.
    gain: the difference of these two, with the middle 95 % of the divisions.
    splits, left_out: divisions, persons left out in each. failed: fits that did not converge.
    """

    models: pd.DataFrame
    r: float
    r_random: float
    r_other: float
    r_sum: float
    gain: float
    gain_low: float
    gain_high: float
    splits: int
    left_out: int
    failed: int


def hold_out(x: NDArray[np.float64], splits: int = SPLITS, seed: int = 0) -> HeldOut:
    """Fit the models to three quarters of the persons and judge them on the others.

    The rows of `x` are persons, in points.
    """
    n = len(x)
    out = max(5, round(n * LEFT_OUT))
    rng = np.random.default_rng(seed)
    likelihoods: list[list[float]] = []
    numbers: list[list[float]] = []
    failed = 0
    for _ in range(splits):
        order = rng.permutation(n)
        train, test = x[order[out:]], x[order[:out]]
        mean, sd = train.mean(axis=0), train.std(axis=0)
        sd = np.where(sd > 0, sd, 1.0)
        z, unseen = (train - mean) / sd, (test - mean) / sd
        cov = z.T @ z / len(z)
        try:
            fitted = {name: fit_model(name, cov, len(z)) for name in MODELS}
        except ParameterError:  # too few different persons for 18 indicators
            failed += len(MODELS)
            continue
        failed += sum(not m.proper for m in fitted.values())
        likelihoods.append([_loglik(m, unseen) for m in fitted.values()])
        numbers.append(_validity(fitted[CHOSEN], test, unseen, sd))
    if not likelihoods:
        raise ParameterError(
            f"no division of {n} persons leaves enough for a model of 18 indicators; collect more"
        )
    table = np.array(likelihoods)
    away = table - table[:, [list(MODELS).index(CHOSEN)]]
    low, high = np.nanquantile(away, [0.025, 0.975], axis=0)
    models = pd.DataFrame(
        {
            "model": list(MODELS), "loglik": np.nanmean(table, axis=0),
            "difference": np.nanmean(away, axis=0), "difference_low": low, "difference_high": high,
        }
    )  # fmt: skip
    validity = np.array(numbers)
    validity = validity[np.isfinite(validity).all(axis=1)]
    if not len(validity):
        raise ParameterError(f"no division of {n} persons has a proper {CHOSEN} solution")
    r, r_random, r_other, r_sum = map(float, validity.mean(axis=0))
    gains = np.quantile(validity[:, 2] - validity[:, 3], [0.025, 0.975])
    return HeldOut(
        models, r, r_random, r_other, r_sum, r_other - r_sum, float(gains[0]), float(gains[1]),
        splits, out, failed,
    )  # fmt: skip


def _loglik(model: FittedModel, z: NDArray[np.float64]) -> float:
    """Mean log-likelihood per row; NaN for a model that failed."""
    if not model.proper:
        return float("nan")
    _, logdet = np.linalg.slogdet(model.implied)
    distance = einsum("ij,ij->i", z @ inv(model.implied), z)
    return float(-0.5 * (len(model.implied) * np.log(2 * np.pi) + logdet + distance.mean()))


def _validity(
    model: FittedModel,
    test: NDArray[np.float64],
    z: NDArray[np.float64],
    sd: NDArray[np.float64],
) -> list[float]:
    """Correlations with the total of all types, and with that of the other half of them."""
    if not model.proper or np.ptp(test.sum(axis=1)) == 0:
        return [float("nan")] * 4
    correlation = total_correlation(test, model.weights() / sd, draws=500)
    halves = _halves()
    across, plain = [], []
    for half, other in (halves, halves[::-1]):
        assert model.general is not None
        weights = solve(model.implied[np.ix_(half, half)], model.general[half])
        total = test[:, other].sum(axis=1)
        across.append(_r(z[:, half] @ weights, total))
        plain.append(_r(test[:, half].sum(axis=1), total))
    return [correlation.r, correlation.random_median, float(np.mean(across)), float(np.mean(plain))]


def _halves() -> tuple[list[int], list[int]]:
    """Question types in two halves, each with types of every broad factor."""
    types = list(TYPES.values())
    order = sorted(range(len(types)), key=lambda i: (types[i].broad[-1], i))
    return order[::2], order[1::2]


def _r(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])
