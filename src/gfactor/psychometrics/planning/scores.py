"""Aims about scores: standard error, detectable difference, dependability.

All use variance components. A mean over n items, o occasions and so on has the error variance
sum of component / (product of the counts of its facets); more items do not reduce the effects
without the sampled facet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd
from scipy import optimize, special

from gfactor.errors import ParameterError
from gfactor.psychometrics.generalizability.study import gtheory
from gfactor.psychometrics.inference.intervals import cluster_t_counts, wilson
from gfactor.psychometrics.inference.paired import mcnemar_exact, tango
from gfactor.psychometrics.inference.power import design_effect, mcnemar_n, mcnemar_power
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
from gfactor.psychometrics.planning.components import Components, nesting, shared_remarks

_LARGEST_VARIANCE = 0.25
"""Largest variance of scores from 0 to 1."""


def _of_shares(sd: float | None, largest: float, components: Components | None) -> bool:
    """Return True if scores may be shares of 1, judged by their spread.

    Parameters
    ----------
    sd: standard deviation, or None for an accuracy or a share of items.
    largest: largest standard deviation that shares can have.
    components: variance components in the place of both.
    """
    if components is not None:
        return sum(components.variances.values()) <= _LARGEST_VARIANCE
    return sd is None or sd <= largest


class _OverUnits(Aim):
    """An aim over units that variance components name, or over items, alone or in clusters."""

    components: Components | None
    cluster_size: int

    @property
    def solves(self) -> str:
        return "item" if self.components is None else self.components.sampled

    @property
    def facets(self) -> tuple[str, ...]:
        return ("item",) if self.components is None else self.components.facets

    @property
    def step(self) -> int:
        return self.cluster_size


@dataclass(frozen=True)
class StandardError(_OverUnits):
    """The standard error of one examinee's score.

    Parameters
    ----------
    components : Components, optional
        Variance components; the absolute error is used, because other items could have been drawn.
    accuracy : float, optional
        Accuracy instead of components: right or wrong on independent items, or on items in
        clusters.
    sd : float, optional
        Standard deviation of the items' scores within fixed domains, instead of components (times
        the square root of the design effect of units); for a score that generalizes to items of the
        same domains.
    domains : int
        Number of fixed domains, with `sd`.
    cluster_size, icc : float
        Items per cluster, and the intraclass correlation of scores; with `accuracy`.

    Examples
    --------
    >>> StandardError(accuracy=0.7).needed({}, 0.02)
    525
    """

    name: ClassVar[str] = "se"
    measure: ClassVar[str] = "standard error"
    sense: ClassVar[Sense] = "at most"
    defaults: ClassVar[Counts] = {EXAMINEE: 1}
    components: Components | None = None
    accuracy: float | None = None
    sd: float | None = None
    domains: int = 1
    cluster_size: int = 1
    icc: float = 0.0

    def __post_init__(self) -> None:
        given = (self.components, self.accuracy, self.sd)
        if sum(one is not None for one in given) != 1:
            raise ParameterError("a standard error needs variance components, accuracy, or sd")
        if self.sd is not None and not self.sd >= 0:
            raise ParameterError(f"sd is 0 or more, got {self.sd:g}")
        if self.accuracy is not None:
            checked(self.accuracy, "accuracy", 0, 1)
        design_effect(self.cluster_size, self.icc)

    @property
    def of_shares(self) -> bool:
        return _of_shares(self.sd, 0.5, self.components)

    @property
    def remarks(self) -> tuple[tuple[str, str, str], ...]:
        return () if self.components is None else shared_remarks(self.components, relative=False)

    def half_width(self, counts: Counts) -> float | None:
        units = counts[self.solves] // self.cluster_size
        df = units - self.domains
        return _t_half(self.reached(counts), df) if df > 0 else math.nan

    def reached(self, counts: Counts) -> float:
        if self.components is not None:
            return math.sqrt(self.components.errors(counts)[2])
        if self.sd is not None:
            return self.sd / math.sqrt(counts["item"])
        p = float(self.accuracy or 0.0)
        inflated = design_effect(self.cluster_size, self.icc)
        return math.sqrt(p * (1 - p) * inflated / counts["item"])

    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        n = counts[self.solves]
        if self.components is not None:
            unit, shared = self.components.split(counts, relative=False)
            means, low, high = _t_intervals(unit, shared, 0.0, n, runs, rng)
            truth, interval = 0.0, f"t over {self.solves}"
        elif self.sd is not None:
            df = max(1, n - self.domains)
            means, low, high = _t_intervals(self.sd**2, 0.0, 0.0, n, runs, rng, df=df)
            truth, interval = 0.0, "t over items within domains"
        elif self.cluster_size > 1:
            truth, groups = float(self.accuracy or 0.0), n // self.cluster_size
            chances: Floats = np.full((runs, groups), truth)
            if self.icc > 0:
                spread = 1 / self.icc - 1
                chances = rng.beta(truth * spread, (1 - truth) * spread, (runs, groups))
            right = rng.binomial(self.cluster_size, chances).astype(float)
            low, high = cluster_t_counts(right, np.full(right.shape, float(self.cluster_size)))
            means, interval = right.mean(axis=1) / self.cluster_size, "t over clusters"
        else:
            truth = float(self.accuracy or 0.0)
            k = rng.binomial(n, truth, runs)
            (low, high), means, interval = wilson(k, n), k / n, "Wilson"
        spread = float(means.std(ddof=1))
        coverage = proportion((low <= truth) & (truth <= high))
        return Simulated(interval, *coverage, spread, spread / math.sqrt(2 * (runs - 1)), runs)


def discordant_share(first: float, second: float, correlation: float) -> float:
    """Return the share of items that exactly one of two examinees solves.

    Parameters
    ----------
    first, second : float
        Their accuracies.
    correlation : float
        Correlation of their right and wrong answers over items (phi coefficient). A correlation of
        0 needs more items than any larger one.

    Returns
    -------
    float
        p (1 - q) + q (1 - p) - 2 r sqrt(p (1 - p) q (1 - q)).

    Raises
    ------
    ParameterError
        If the accuracies do not leave room for the correlation.

    Examples
    --------
    >>> round(discordant_share(0.75, 0.7, 0.4), 3)
    0.241
    """
    checked(first, "accuracy_first", 0, 1)
    checked(second, "accuracy_second", 0, 1)
    spread = math.sqrt(first * (1 - first) * second * (1 - second))
    low = (max(0.0, first + second - 1) - first * second) / spread
    high = (min(first, second) - first * second) / spread
    if not low <= correlation <= high:
        raise ParameterError(
            f"correlation lies between {low:.3f} and {high:.3f} with accuracies of {first:g} and "
            f"{second:g}, got {correlation:g}"
        )
    return first + second - 2 * (first * second + correlation * spread)


@dataclass(frozen=True)
class DifferenceAim(_OverUnits):
    """The difference between two examinees on the same items that a test detects.

    Parameters
    ----------
    power, alpha : float
        Power and significance level of the two-sided test.
    delta : float, optional
        The true difference whose power the simulation finds; by default what the design detects.
    discordant : float, optional
        Share of items that exactly one of both solves: McNemar's exact test on independent items.
    sd_difference : float, optional
        Standard deviation of the differences by item (within fixed domains, if the claim is about
        items of the same domains): the paired t test, over clusters if there are any.
    domains : int
        Number of fixed domains, with `sd_difference`.
    components : Components, optional
        Variance components, instead of a standard deviation of differences: twice the variance of
        the interactions with the object is used.
    cluster_size, icc : float
        Items per cluster, and the intraclass correlation of the differences.

    Examples
    --------
    >>> DifferenceAim(sd_difference=0.5).needed({}, 0.05)
    787
    >>> DifferenceAim(discordant=0.3).needed({}, 0.1)
    249
    """

    name: ClassVar[str] = "difference"
    measure: ClassVar[str] = "detectable difference"
    sense: ClassVar[Sense] = "at most"
    defaults: ClassVar[Counts] = {EXAMINEE: 2}
    power: float = 0.8
    alpha: float = 0.05
    delta: float | None = None
    discordant: float | None = None
    sd_difference: float | None = None
    components: Components | None = None
    cluster_size: int = 1
    icc: float = 0.0
    domains: int = 1

    def __post_init__(self) -> None:
        given = (self.discordant, self.sd_difference, self.components)
        if sum(one is not None for one in given) != 1:
            raise ParameterError(
                "a difference needs one of discordant, sd_difference and variance components"
            )
        checked(self.power, "power", 0, 1)
        checked(self.alpha, "alpha", 0, 1)
        design_effect(self.cluster_size, self.icc)
        if self.discordant is not None:
            checked(self.discordant, "discordant", 0, 1)
            if self.cluster_size > 1:
                raise ParameterError(
                    "items in clusters are compared by a t test; instead of discordant give "
                    "sd_difference, the square root of discordant minus the squared difference"
                )
        elif self.sd_difference is not None and not self.sd_difference > 0:
            raise ParameterError(f"sd_difference must be above 0, not {self.sd_difference:g}")

    @property
    def of_shares(self) -> bool:
        return _of_shares(self.sd_difference, 1.0, self.components)

    @property
    def remarks(self) -> tuple[tuple[str, str, str], ...]:
        return () if self.components is None else shared_remarks(self.components, relative=True)

    def _unit(self, counts: Counts) -> tuple[float, float, int]:
        """Variance of the difference for one unit, variance that all units share, and number of
        units."""
        if self.components is not None:
            unit, shared = self.components.split(counts, relative=True)
            return 2 * unit, 2 * shared, counts[self.solves]
        inflated = design_effect(self.cluster_size, self.icc) / self.cluster_size
        return float(self.sd_difference or 0.0) ** 2 * inflated, 0.0, (
            counts["item"] // self.cluster_size
        )  # fmt: skip

    def half_width(self, counts: Counts) -> float | None:
        if self.discordant is not None:
            return float(special.ndtri(0.975)) * math.sqrt(self.discordant / counts["item"])
        unit, shared, units = self._unit(counts)
        df = units - self.domains
        return _t_half(math.sqrt(unit / units + shared), df) if df > 0 else math.nan

    def power_at(self, counts: Counts, delta: float) -> float:
        """Return the power of the default test of `compare` against a true difference."""
        if self.discordant is not None:
            if abs(delta) > self.discordant:
                return math.nan
            p10, p01 = (self.discordant + delta) / 2, (self.discordant - delta) / 2
            return mcnemar_power(counts["item"], p10, p01, alpha=self.alpha)
        unit, _, units = self._unit(counts)
        if units <= self.domains:
            return 0.0
        return t_power(delta / math.sqrt(unit / units), units - self.domains, self.alpha)

    def reached(self, counts: Counts) -> float:
        most = self.discordant if self.discordant is not None else math.inf
        if self.discordant is None:
            unit, _, units = self._unit(counts)
            if units <= self.domains:
                return math.nan
            if not unit:
                return 0.0
            se = math.sqrt(unit / units)
            needed: Any = optimize.brentq(
                lambda ratio: t_power(ratio, units - self.domains, self.alpha) - self.power,
                1e-9,
                1e4,
            )
            return float(needed) * se
        if self.power_at(counts, most) < self.power:
            return math.nan
        difference: Any = optimize.brentq(
            lambda d: self.power_at(counts, d) - self.power, 1e-9, most, xtol=1e-6
        )
        return float(difference)

    def needed(self, counts: Counts, target: float) -> int | None:
        if self.discordant is not None:
            if abs(target) > self.discordant:
                raise ParameterError(
                    f"a difference of {target:g} needs a share of discordant items of at least "
                    f"that; discordant is {self.discordant:g}"
                )
            p10, p01 = (self.discordant + target) / 2, (self.discordant - target) / 2
            return mcnemar_n(p10, p01, power=self.power, alpha=self.alpha)
        return super().needed(counts, target)

    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        delta = self.delta or self.reached(counts)
        if self.discordant is not None:
            n = counts["item"]
            p10, p01 = (self.discordant + delta) / 2, (self.discordant - delta) / 2
            drawn = rng.multinomial(n, [p10, p01, max(0.0, 1 - p10 - p01)], runs)
            ends = np.array([_exact(int(b), int(c), n) for b, c, _ in drawn])
            covered = proportion((ends[:, 0] <= delta) & (delta <= ends[:, 1]))
            power = proportion(ends[:, 2] <= self.alpha)
            return Simulated("Tango", *covered, *power, runs)
        unit, shared, units = self._unit(counts)
        _, low, high = _t_intervals(
            unit, shared, delta, units, runs, rng, 1 - self.alpha, df=units - self.domains
        )
        covered, power = (low <= delta) & (delta <= high), (low > 0) | (high < 0)
        over = "clusters" if self.cluster_size > 1 else self.solves
        over += " within domains" if self.domains > 1 else ""
        return Simulated(f"t over {over}", *proportion(covered), *proportion(power), runs)


@dataclass(frozen=True)
class DependabilityAim(Aim):
    """Dependability of scores: Phi (of the scores) or E rho2 (of their order).

    Parameters
    ----------
    components : Components
        Variance components, with the variance of the object.
    kind : {"phi", "e_rho2"}
        E rho2 of examinees x items is coefficient alpha.

    Examples
    --------
    >>> known = Components({"examinee": 0.02, "item": 0.05, "examinee x item": 0.1})
    >>> DependabilityAim(known).needed({"item": 2}, 0.8)
    30
    """

    name: ClassVar[str] = "phi"
    measure: ClassVar[str] = "coefficient"
    sense: ClassVar[Sense] = "at least"
    defaults: ClassVar[Counts] = {EXAMINEE: 10}
    components: Components = field(kw_only=False)
    kind: Literal["phi", "e_rho2"] = "phi"

    def __post_init__(self) -> None:
        values = dict(zip(self.components.effects, self.components.values, strict=True))
        if frozenset({self.components.object}) not in values:
            raise ParameterError(
                f"{self.kind} needs the variance of {self.components.object!r}, and there are "
                f"{', '.join(self.components.variances)}: call the object of measurement "
                f"{self.components.object!r} in the effects (gfactor analyze generalizability "
                '--json says in its file what the object is: "object")'
            )
        if values.get(frozenset({self.components.object}), 0.0) <= 0:
            raise ParameterError(
                f"{self.kind} needs a variance of {self.components.object!r} above 0, and its "
                "estimate is 0: the means of its levels differ no more than by chance; take a "
                "pilot in which they differ, or state variance components"
            )

    @property
    def solves(self) -> str:
        return self.components.sampled

    @property
    def facets(self) -> tuple[str, ...]:
        return self.components.facets

    def reached(self, counts: Counts) -> float:
        universe, relative, absolute = self.components.errors(counts)
        return universe / (universe + (absolute if self.kind == "phi" else relative))

    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        """Simulate the coefficient from errors around true universe scores, and the coverage of its
        interval.

        In every run new examinees and new conditions of all random facets are drawn.
        """
        c = self.components
        names = (c.object, *c.facets)
        sizes = tuple(counts[name] for name in names)
        truth, inside, squares, universes = self.reached(counts), [], [], []
        for run in range(runs):
            scores, universe = np.zeros(sizes), np.zeros((sizes[0], *[1] * len(c.facets)))
            for effect, value in zip(c.effects, c.values, strict=True):
                shape = tuple(
                    s if name in effect else 1 for name, s in zip(names, sizes, strict=True)
                )
                part = rng.normal(0, math.sqrt(value), shape)
                scores = scores + part
                if c.object in effect and effect - {c.object} <= set(c.fixed):
                    inner = tuple(range(1, part.ndim))
                    universe = universe + part.mean(axis=inner, keepdims=True)
            error = (scores.mean(axis=tuple(range(1, scores.ndim)))) - universe.ravel()
            if self.kind == "e_rho2":
                squares.append(float(error.var(ddof=1)))
            else:
                squares.append(float((error**2).mean()))
            universes.append(float(universe.var(ddof=1)))
            low, high = self._interval(scores, counts, run)
            inside.append(low <= truth <= high)
        wanted, error = c.errors(counts)[0], np.array(squares)
        reached = wanted / (wanted + error.mean())
        slope = wanted / (wanted + error.mean()) ** 2
        se = slope * float(error.std(ddof=1)) / math.sqrt(runs)
        covered = proportion(np.array(inside)) if counts[c.object] > 1 else (math.nan, math.nan)
        return Simulated("generalized", *covered, float(reached), se, runs)

    def _interval(self, scores: Floats, counts: Counts, seed: int) -> tuple[float, float]:
        """The interval of a G-study of the scores, over the facets with several conditions."""
        c = self.components
        at = np.indices(scores.shape).reshape(scores.ndim, -1)
        columns = {name: at[k] for k, name in enumerate((c.object, *c.facets))}
        drawn = [name for name in c.facets if counts[name] > 1]
        nested = {i: o for i, o in nesting(c).items() if i in drawn and o in drawn}
        for inner, outer in nested.items():
            columns[inner] = columns[inner] + columns[outer] * counts[inner]
        if not drawn or counts[c.object] < 2:
            return math.nan, math.nan
        table = pd.DataFrame({**columns, "score": scores.ravel()})
        coefficients = gtheory(
            table, object=c.object, facets=drawn, nested=nested, estimator="anova", seed=seed
        ).coefficients(fixed=[name for name in c.fixed if name in drawn])
        return coefficients[f"{self.kind}_ci_lower"], coefficients[f"{self.kind}_ci_upper"]


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(200)
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2


def t_power(noncentrality: float, df: float, alpha: float) -> float:
    """Return the power of a two-sided t test.

    It is the normal power for a known standard deviation, averaged over the distribution of its
    estimate: scipy's noncentral t distribution fails for large noncentrality and few df.
    """
    critical = float(special.stdtrit(df, 1 - alpha / 2))
    spread = np.sqrt(special.chdtri(df, _NODES) / df)
    given = special.ndtr(noncentrality - critical * spread)
    return float(_WEIGHTS @ (given + special.ndtr(-noncentrality - critical * spread)))


def _t_intervals(
    unit: float,
    shared: float,
    mean: float,
    n: int,
    runs: int,
    rng: np.random.Generator,
    level: float = 0.95,
    df: int | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Means and t intervals of `runs` samples of n units, drawn from normal distributions."""
    df = n - 1 if df is None else df
    offset = rng.normal(0, math.sqrt(shared), runs)
    means = mean + offset + rng.normal(0, math.sqrt(unit / n), runs)
    spread = np.sqrt(unit * rng.chisquare(df, runs) / df / n)
    half = float(special.stdtrit(df, 0.5 + level / 2)) * spread
    return means, means - half, means + half


def _t_half(se: float, df: int) -> float:
    """Half the width of a 95 % t interval."""
    return float(special.stdtrit(df, 0.975)) * se


@cache
def _exact(b: int, c: int, n: int) -> tuple[float, float, float]:
    return (*tango(b, c, n), mcnemar_exact(b, c))
