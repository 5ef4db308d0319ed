"""Aims about fitted models: alpha, thresholds of size, abilities, fit of a factor model.

References
----------
MacCallum, R. C., Browne, M. W., Sugawara, H. M. (1996). Power analysis and determination of sample
    size for covariance structure modeling. Psychological Methods 1, 130-149.
Feldt, L. S. (1965). The approximate sampling distribution of Kuder-Richardson reliability
    coefficient twenty. Psychometrika 30, 357-370.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.classical.consistency import cronbach_alpha, feldt_interval
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.inference.power import rmsea_power
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.constant_cells import constant_remark
from gfactor.psychometrics.irt.scores.calibrated_scores import score_responses
from gfactor.psychometrics.planning.aims import (
    EXAMINEE,
    Aim,
    Counts,
    Floats,
    Sense,
    Simulated,
    checked,
    proportion,
)
from gfactor.psychometrics.psychophysics.curves import LAPSE_MAX, CurveData, accuracy_at
from gfactor.psychometrics.psychophysics.fits import fit_curves

_SMALLEST_LAPSE = 1e-3


@dataclass(frozen=True)
class Alpha(Aim):
    """The width of the interval of coefficient alpha.

    Parameters
    ----------
    alpha : float
        Expected coefficient.
    items : int
        Number of indicators.

    Examples
    --------
    >>> Alpha(0.8, 20).needed({}, 0.1)
    131
    """

    name: ClassVar[str] = "alpha"
    measure: ClassVar[str] = "width of the 95 % interval"
    sense: ClassVar[Sense] = "at most"
    alpha: float = 0.8
    items: int = 20

    def __post_init__(self) -> None:
        checked(self.alpha, "alpha", 0, 1)
        if self.items < 2:
            raise ParameterError(f"coefficient alpha needs two items or more, not {self.items}")

    @property
    def solves(self) -> str:
        return EXAMINEE

    @property
    def given(self) -> Counts:
        return {"item": self.items}

    def reached(self, counts: Counts) -> float:
        if counts[EXAMINEE] < 3:
            return math.nan
        low, high = feldt_interval(self.alpha, counts[EXAMINEE], self.items)
        return high - low

    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        n, k = counts[EXAMINEE], self.items
        loading = math.sqrt(self.alpha / (k - (k - 1) * self.alpha))
        covered, widths = [], []
        for _ in range(runs):
            x = loading * rng.standard_normal((n, 1)) + (
                math.sqrt(1 - loading**2) * rng.standard_normal((n, k))
            )
            low, high = feldt_interval(cronbach_alpha(x), n, k)
            covered.append(low <= self.alpha <= high)
            widths.append(high - low)
        se = float(np.std(widths, ddof=1)) / math.sqrt(runs)
        return Simulated("Feldt", *proportion(np.array(covered)), float(np.mean(widths)), se, runs)


@dataclass(frozen=True)
class Threshold(Aim):
    """The standard error of the size at which accuracy has fallen half of its way to chance.

    Parameters
    ----------
    sizes : sequence of float
        Sizes of the stimuli, ascending; items are shared out evenly.
    threshold, slope : float
        Expected values, as named in `fit_curves`.
    guess, lapse : float
        Chance, and the share of errors that size does not explain.

    Examples
    --------
    >>> Threshold(tuple(range(1, 11)), 5.0, 1.0).needed({}, 0.25)
    220
    """

    name: ClassVar[str] = "threshold"
    measure: ClassVar[str] = "standard error of the threshold"
    sense: ClassVar[Sense] = "at most"
    sizes: tuple[float, ...] = ()
    threshold: float = 0.0
    slope: float = 1.0
    guess: float = 0.0
    lapse: float = 0.01

    def __post_init__(self) -> None:
        if len(self.sizes) < 4 or list(self.sizes) != sorted(set(self.sizes)):
            raise ParameterError("a threshold needs four ascending sizes or more")
        checked(self.threshold, "threshold", self.sizes[0], self.sizes[-1])
        checked(self.guess, "guess", 0, 1 - LAPSE_MAX, open_ends=False)
        checked(self.lapse, "lapse", 0, LAPSE_MAX, open_ends=False)
        if not self.slope > 0:
            raise ParameterError(f"slope must be above 0, not {self.slope:g}")

    @property
    def step(self) -> int:
        return len(self.sizes)

    def reached(self, counts: Counts) -> float:
        at = np.array([self.sizes], float)
        trials = np.full(at.shape, counts["item"] / len(self.sizes))
        p = accuracy_at(at, self.threshold, self.slope, self.lapse, self.guess)
        data = CurveData(at[0], p * trials, trials, np.full(at.shape, self.guess))
        share = min(max(self.lapse, _SMALLEST_LAPSE), LAPSE_MAX - _SMALLEST_LAPSE) / LAPSE_MAX
        point = np.array([[self.threshold, math.log(self.slope), special.logit(share)]])
        information = data.evaluate(point)[2][0]
        return float(np.sqrt(inv(information)[0, 0]))

    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        k, each = len(self.sizes), counts["item"] // len(self.sizes)
        trials = np.full((runs, k), each)
        p = accuracy_at(self.sizes, self.threshold, self.slope, self.lapse, self.guess)
        right = rng.binomial(trials, p)
        table = fit_curves(right, trials, self.sizes, self.guess, n_bootstrap=1).table
        low, high = (table[name].to_numpy(float) for name in ("threshold_low", "threshold_high"))
        covered = (low <= self.threshold) & (self.threshold <= high)
        spread = float(np.nanstd(table["threshold"].to_numpy(float), ddof=1))
        return Simulated(
            "profile likelihood", *proportion(covered), spread, spread / math.sqrt(2 * runs), runs
        )


@dataclass(frozen=True)
class Ability(Aim):
    """The standard error of an ability on the scale of a calibration.

    Parameters
    ----------
    calibration : Calibration
        Calibration of items or of design cells.
    theta : sequence of float
        Abilities; the largest error among them counts.
    select : {"random", "best"}
        Items drawn at random from the bank, or those with the most information at these abilities.

    Examples
    --------
    >>> from gfactor.psychometrics.irt.scales.calibration import Entry
    >>> items = tuple(Entry(f"i{k}", "2pl", (0, 1), (1.0, 0.0)) for k in range(100))
    >>> bank = Calibration("item", "2PL", items, (), np.zeros((0, 0)))
    >>> Ability(bank, (0.0,)).needed({}, 0.25)
    64
    """

    name: ClassVar[str] = "ability"
    measure: ClassVar[str] = "standard error of ability"
    sense: ClassVar[Sense] = "at most"
    calibration: Calibration
    theta: tuple[float, ...] = (-1.0, 0.0, 1.0)
    select: Literal["random", "best"] = "random"

    @cached_property
    def _information(self) -> Floats:
        information = self.calibration.information(np.array(self.theta))
        return information[np.argsort(-information.sum(axis=1), kind="stable")]

    def _at(self, counts: Counts) -> Floats:
        n, info = counts["item"], self._information
        if self.select == "random":
            return n * info.mean(axis=0)
        if n > len(info) and self.calibration.by == "item":
            return np.full(len(self.theta), np.nan)
        whole, rest = divmod(n, len(info))
        return whole * info.sum(axis=0) + info[:rest].sum(axis=0)

    @property
    def remarks(self) -> tuple[tuple[str, str, str], ...]:
        remarks = () if self.select == "best" else (
            ("random_items", "The items are taken as drawn at random from the calibrated bank.",
             "Choose them by information (select best), or adaptively, and fewer are enough."),
        )  # fmt: skip
        return remarks + constant_remark(self.calibration.by, self.calibration.left_out)

    def reached(self, counts: Counts) -> float:
        at = self._at(counts)
        return float(1 / np.sqrt(at.min())) if np.isfinite(at).all() else math.nan

    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        c, n = self.calibration, counts["item"]
        names = [entry.name for entry in c.entries]
        order = np.argsort(-c.information(np.array(self.theta)).sum(axis=1), kind="stable")
        if self.select == "best":
            chosen = [names[order[k % len(names)]] for k in range(n)]
        else:
            again = n > len(names)
            chosen = [names[k] for k in rng.choice(len(names), n, replace=again)]
        worst = self.theta[int(np.argmin(self._at(counts)))]
        theta = rng.normal(c.mean, math.sqrt(c.variance), runs)
        truth = np.concatenate([theta, np.full(runs, worst)])
        columns = {}
        for k, name in enumerate(chosen):
            p = np.exp(c.curves(name, truth).value)
            category = (rng.random(truth.size) > np.cumsum(p, axis=0)[:-1]).sum(axis=0)
            columns[f"{k}"] = np.asarray(c.entries[c.position[name]].scores)[category]
        entries = {f"{k}": name for k, name in enumerate(chosen)}
        scores = score_responses(c, pd.DataFrame(columns), entries).table
        low, high = scores["low"].to_numpy()[:runs], scores["high"].to_numpy()[:runs]
        # The posterior mean is shrunk to the population's; its spread without shrinkage is the
        # error.
        reliability = 1 - scores["se_measurement"].to_numpy()[runs:] ** 2 / c.variance
        spread = float(scores["theta"].to_numpy()[runs:].std(ddof=1) / reliability.mean())
        error = spread / math.sqrt(2 * runs)
        coverage = proportion((low <= theta) & (theta <= high))
        return Simulated("posterior of the calibrated population", *coverage, spread, error, runs)


@dataclass(frozen=True)
class FitAim(Aim):
    """The power of a test of fit by RMSEA.

    Parameters
    ----------
    df : float
        Degrees of freedom of the model.
    null, alternative : float
        RMSEA under both hypotheses: (.05, .08) tests close fit.
    alpha : float
        Level.

    Examples
    --------
    >>> FitAim(100).needed({}, 0.8)
    132
    """

    name: ClassVar[str] = "cfa"
    measure: ClassVar[str] = "power of the test of fit"
    sense: ClassVar[Sense] = "at least"
    df: float = 0.0
    null: float = 0.05
    alternative: float = 0.08
    alpha: float = 0.05

    def __post_init__(self) -> None:
        rmsea_power(self.df, 100, null=self.null, alternative=self.alternative, alpha=self.alpha)

    @property
    def solves(self) -> str:
        return EXAMINEE

    def reached(self, counts: Counts) -> float:
        return rmsea_power(
            self.df, counts[EXAMINEE], null=self.null, alternative=self.alternative,
            alpha=self.alpha,
        )  # fmt: skip

    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        """Return chi-squares of the alternative, and the 90 % interval of RMSEA from each."""
        n = counts[EXAMINEE]
        null, other = ((n - 1) * self.df * value**2 for value in (self.null, self.alternative))
        drawn = rng.noncentral_chisquare(self.df, other, runs) if other else rng.chisquare(
            self.df, runs)  # fmt: skip
        below = special.chndtr(drawn, self.df, null) if null else special.chdtr(self.df, drawn)
        at = special.chndtr(drawn, self.df, other) if other else special.chdtr(self.df, drawn)
        rejected = below >= 1 - self.alpha if other > null else below <= self.alpha
        coverage = proportion((at >= 0.05) & (at <= 0.95))
        return Simulated("RMSEA, 90 %", *coverage, *proportion(rejected), runs)
