"""Psychometric functions: the size at which accuracy falls, for many data sets at once.

A data set is the counts of right answers by size of one examinee (or a pooled group) in one domain.
`fit_curves` estimates threshold, slope and lapse rate of each, with intervals and a test of fit. A
flag states in words why a number must not be trusted.

References
----------
Wichmann, F. A., Hill, N. J. (2001). The psychometric function: I. Fitting, sampling, and goodness
    of fit. Perception & Psychophysics 63, 1293-1313; II. Bootstrap-based confidence intervals and
    sampling. 63, 1314-1329.
Armitage, P. (1955). Tests for linear trends in proportions and frequencies. Biometrics 11, 375-386.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.psychophysics.curves import (
    LAPSE_MAX,
    CurveData,
    Floats,
    accuracy_at,
    best_points,
    deviance,
    maximize,
    natural,
    profile_intervals,
)
from gfactor.results import Result

__all__ = ["CurveFits", "accuracy_at", "fit_curves"]

FEW_ITEMS = 10
"""Smallest number of answers for a curve."""
FEW_SIZES = 4
"""Smallest number of sizes, because a curve has three parameters."""
FEW_FOR_SLOPE = 60
"""With fewer answers, the prior mostly determines the slope, and its interval is too narrow."""
FEW_PEOPLE = 10
"""With fewer people, intervals from resampling are too narrow."""
MISFIT = 0.05
"""Bootstrap p-value of the deviance below which a curve is flagged."""
_PARAMETERS = ("threshold", "slope", "lapse")


@dataclass(frozen=True, repr=False)
class CurveFits(Result):
    """Fitted curves.

    `table` has one row per data set, in the order given:

    n, sizes: number of answers, and number of sizes with an answer.
    guess: the chance level, which is fixed; its mean over the answers if it changes with size.
    threshold, slope, lapse: estimates, each with `_low` and `_high` at `level`. Intervals are from
        the profile likelihood; for groups, from percentiles of `draws` resamples of their people.
    censored: "beyond" or "below" if the threshold lies outside the given sizes. Threshold and
        interval are then set to the outermost size, and the slope is unknown (NaN).
    deviance, p_fit: misfit and its parametric bootstrap p-value.
    flag: description of problems; "" if there are none.
    """

    table: pd.DataFrame
    level: float
    draws: int
    seed: int

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Diagnostics, one per flagged curve."""
        remedy = "Read its accuracies by size, not its threshold and slope."
        return tuple(
            Diagnostic(
                "curve_flagged", "warning", f"Data set {name}: {flag}.", remedy, (str(name),)
            )
            for name, flag in self.table["flag"].astype(str).items()
            if str(flag)
        )

    @property
    def title(self) -> str:
        fitted = np.count_nonzero(self.table["threshold"].notna())
        flagged = np.count_nonzero(self.table["flag"] != "")
        return f"{len(self.table)} data sets, {fitted} fitted, {flagged} flagged"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"level": self.level, "draws": self.draws, "seed": self.seed}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"curves": self.table}

    def _lines(self) -> list[str]:
        return [self.title]


def fit_curves(
    right: ArrayLike,
    asked: ArrayLike,
    sizes: Sequence[float] | Floats,
    guess: ArrayLike = 0.0,
    *,
    n_bootstrap: int = 200,
    level: float = 0.95,
    seed: int = 0,
) -> CurveFits:
    """Fit a psychometric function to each data set by (weakly penalized) maximum likelihood.

    Parameters
    ----------
    right, asked : array_like
        Numbers of right answers and of answers, data sets x sizes; or data sets x people x sizes
        for pooled groups. A group's interval then comes from resampling its people, whose answers
        are not independent (as pooled binomial counts would assume).
    sizes : sequence of float
        Sizes at which items were asked, at least two, in ascending order.
    guess : array_like
        Chance level, in [0, 1 - LAPSE_MAX): one number, one per data set, or data sets x sizes if
        chance changes with size.
    n_bootstrap : int
        Number of bootstrap data sets, for `p_fit` and for the intervals of groups.
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the bootstrap.

    Returns
    -------
    CurveFits
        Estimates with profile likelihood intervals (groups: bootstrap percentiles, each bootstrap
        data set fitted as the data are), misfit and flags.

    Raises
    ------
    ParameterError
        If shapes or values do not fit.

    Notes
    -----
    Coverage of the 95 % intervals was measured by `benchmarks/psychometric_functions.py` in 405
    conditions of 150 data sets; the table is in docs/evidence/procedures.md. Averaged over
    thresholds and slopes, with ten answers at each of 10 or 20 sizes, the intervals contained the
    threshold in 92 to 96 % and the slope in 92 to 97 %; with five answers in 92 to 96 and 93 to 97
    %; with one answer at each of 20 sizes in 91 to 95 and 95 to 97 %, the slope only because of its
    prior, hence its flag. In the worst single condition they contained the slope in 85 % with ten
    answers per size (chance 1/2, no lapses), and in 83 % with five or one.

    Examples
    --------
    >>> from gfactor.psychometrics import fit_curves
    >>> right = [[10, 10, 9, 8, 5, 3, 1, 0, 0, 0]]
    >>> row = fit_curves(right, [[10] * 10], range(1, 11)).table.iloc[0]
    >>> bool(4.5 < row["threshold_low"] < row["threshold"] < row["threshold_high"] < 6.0)
    True
    """
    k, n, at, chance = _checked(right, asked, sizes, guess)
    pooled = CurveData(at, k.sum(axis=1), n.sum(axis=1), chance)
    rows = [
        {"n": int(n_asked.sum()), "sizes": int((n_asked > 0).sum()), "guess": _overall(g, n_asked)}
        for g, n_asked in zip(chance, pooled.asked, strict=True)
    ]
    able = [r["n"] >= FEW_ITEMS and r["sizes"] >= FEW_SIZES for r in rows]
    for row in (row for row, enough in zip(rows, able, strict=True) if not enough):
        row |= {"censored": "", "flag": "too few items"}
    chosen = np.flatnonzero(able)
    if chosen.size:
        rngs = [np.random.default_rng([seed, int(i)]) for i in chosen]
        fits = _fit(pooled.take(chosen), k[chosen], n[chosen], rngs, n_bootstrap, level)
        for number, fit in zip(chosen, fits, strict=True):
            row = rows[number] | fit
            people = k.shape[1]
            few = ["interval from few people"] if 1 < people < FEW_PEOPLE else []
            rows[number] = row | _verdict(row, at, pooled.right[number], pooled.asked[number], few)
    return CurveFits(pd.DataFrame(rows, columns=_columns()), level, n_bootstrap, seed)


def _overall(guess: Floats, answered: Floats) -> float:
    """Chance over all answers of a data set."""
    return float(guess @ answered / answered.sum()) if answered.sum() else float(guess.mean())


def _fit(
    data: CurveData,
    right: Floats,
    answered: Floats,
    rngs: Sequence[np.random.Generator],
    n_bootstrap: int,
    level: float,
) -> list[dict[str, float]]:
    """Estimates, intervals and misfit of every data set; `right` and `answered` are by person."""
    points, gains = best_points(data)
    worse = _simulated_deviances(data, points, rngs, n_bootstrap)
    observed = deviance(data.right, data.asked, data.log_likelihood(points))
    if right.shape[1] > 1:
        low, high = _resampled_people(data, right, answered, points, rngs, n_bootstrap, level)
    else:
        ends = profile_intervals(data, points, gains, level)
        low, high = natural(ends[0]), natural(ends[1])
    estimates = natural(points)
    rows: list[dict[str, float]] = []
    for i, value in enumerate(estimates):
        row: dict[str, float] = {}
        for j, name in enumerate(_PARAMETERS):
            row |= {name: float(value[j]), f"{name}_low": float(min(low[i, j], value[j]))}
            row[f"{name}_high"] = float(max(high[i, j], value[j]))
        row["deviance"] = float(observed[i])
        row["p_fit"] = float((1 + (worse[i] >= observed[i] - 1e-6).sum()) / (1 + n_bootstrap))
        rows.append(row)
    return rows


def _simulated_deviances(
    data: CurveData, points: Floats, rngs: Sequence[np.random.Generator], n_bootstrap: int
) -> Floats:
    """Deviances of data simulated from the fitted curves, each fitted anew: data sets x draws."""
    threshold, slope, lapse = natural(points).T[:, :, None]
    expected = accuracy_at(data.sizes, threshold, slope, lapse, data.guess)
    simulated = np.concatenate(
        [
            rng.binomial(answered.astype(int), np.clip(p, 0, 1), (n_bootstrap, answered.size))
            for rng, answered, p in zip(rngs, data.asked, expected, strict=True)
        ]
    ).astype(float)
    rows = np.repeat(np.arange(len(data)), n_bootstrap)
    drawn = CurveData(data.sizes, simulated, data.asked[rows], data.guess[rows])
    fitted, _ = maximize(drawn, points[rows])
    deviances = deviance(drawn.right, drawn.asked, drawn.log_likelihood(fitted))
    return deviances.reshape(len(data), n_bootstrap)


def _resampled_people(
    data: CurveData,
    right: Floats,
    answered: Floats,
    points: Floats,
    rngs: Sequence[np.random.Generator],
    n_bootstrap: int,
    level: float,
) -> tuple[Floats, Floats]:
    """Return percentiles of the estimates of groups over bootstrap samples of their people."""
    people, tail = right.shape[1], (1 - level) / 2
    low, high = np.empty((len(data), 3)), np.empty((len(data), 3))
    for i, rng in enumerate(rngs):
        times = rng.multinomial(people, np.full(people, 1 / people), n_bootstrap)
        guess = np.broadcast_to(data.guess[i], (n_bootstrap, data.sizes.size))
        drawn = CurveData(data.sizes, times @ right[i], times @ answered[i], guess)
        fits = natural(maximize(drawn, np.repeat(points[i : i + 1], n_bootstrap, axis=0))[0])
        low[i], high[i] = np.quantile(fits, [tail, 1 - tail], axis=0)
    return low, high


def _verdict(
    row: dict[str, Any], sizes: Floats, right: Floats, answered: Floats, flagged: Sequence[str]
) -> dict[str, Any]:
    """Move a threshold outside the given sizes to the outermost size, and flag doubtful numbers.

    `flagged` are the flags of earlier checks.
    """
    first, last = float(sizes[0]), float(sizes[-1])
    threshold, flags = row["threshold"], [*flagged]
    if not _falls(sizes, right, answered):
        flags.append("flat curve")
        halfway = (1 + row["guess"]) / 2
        threshold = np.inf if right.sum() / answered.sum() >= halfway else -np.inf
    censored = "beyond" if threshold > last else "below" if threshold < first else ""
    changed: dict[str, Any] = {"censored": censored, "threshold": np.clip(threshold, first, last)}
    ends = np.clip([row["threshold_low"], row["threshold_high"]], first, last)
    changed["threshold_low"] = min(ends[0], changed["threshold"])
    changed["threshold_high"] = max(ends[1], changed["threshold"])
    if censored:
        flags.append(f"threshold {censored} the sizes given")
        changed |= {"slope": np.nan, "slope_low": np.nan, "slope_high": np.nan}
    elif row["n"] < FEW_FOR_SLOPE:
        flags.append("few answers: slope leans on its prior")
    if row["p_fit"] < MISFIT:
        flags.append("poor fit")
    return changed | {"flag": "; ".join(flags)}


def _falls(sizes: Floats, right: Floats, answered: Floats) -> bool:
    """Return True if accuracy falls with size (Cochran and Armitage's one-sided test at 5 %)."""
    total = answered.sum()
    p = right.sum() / total
    centered = sizes - (answered @ sizes) / total
    variance = p * (1 - p) * (answered @ centered**2)
    return bool(variance > 0 and (right @ centered) / np.sqrt(variance) < special.ndtri(0.05))


def _columns() -> list[str]:
    parts = [f"{name}{end}" for name in _PARAMETERS for end in ("", "_low", "_high")]
    return ["n", "sizes", "guess", *parts, "censored", "deviance", "p_fit", "flag"]


def _checked(
    right: ArrayLike, answered: ArrayLike, sizes: Sequence[float] | Floats, guess: ArrayLike
) -> tuple[Floats, Floats, Floats, Floats]:
    """Counts as data sets x people x sizes, sizes, and guess rates as data sets x sizes."""
    k, n, at = np.asarray(right, float), np.asarray(answered, float), np.asarray(sizes, float)
    if k.shape != n.shape or k.ndim not in (2, 3) or k.shape[-1] != at.size:
        raise ParameterError(
            f"counts must be data sets x sizes (or data sets x people x sizes) with {at.size} "
            f"sizes, got {k.shape} and {n.shape}"
        )
    if at.size < 2 or np.any(np.diff(at) <= 0):
        raise ParameterError("sizes must be at least two, in ascending order")
    if np.any((k < 0) | (k > n)):
        raise ParameterError("a count of right answers must lie between 0 and the number asked")
    chance = np.asarray(guess, float)
    if chance.shape not in ((), (len(k),), (len(k), at.size)):
        raise ParameterError(
            f"guess must be one number, one per data set ({len(k)}) or data sets x sizes "
            f"({len(k)} x {at.size}), got {chance.shape}"
        )
    chance = np.broadcast_to(chance[:, None] if chance.ndim == 1 else chance, (len(k), at.size))
    if not np.all((chance >= 0) & (chance < 1 - LAPSE_MAX)):
        raise ParameterError(
            f"a guess rate must be at least 0 and below {1 - LAPSE_MAX:g}, got {chance.tolist()}"
        )
    return (k[:, None, :], n[:, None, :], at, chance) if k.ndim == 2 else (k, n, at, chance)
