"""The aim of detecting inflation of a score on public items."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from scipy import optimize, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.inflation import inflation_of
from gfactor.psychometrics.inference.inflation_forms import MIN_ITEMS
from gfactor.psychometrics.inference.inflation_tests import MIN_REFERENCES
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

REFERENCE = "reference"
_ABILITY_SD = 0.8
"""Standard deviation of simulated abilities; that of real models on one benchmark is .6 to 1."""


@dataclass(frozen=True)
class InflationAim(Aim):
    """The inflation of a public score, in percentage points, that the t test detects.

    The public and the fresh form have equally many items. The standard deviation of item
    difficulties follows from `item_share`, the share of an answer's variance that neither model nor
    item explains.

    Parameters
    ----------
    accuracy : float
        Accuracy that the examinee has on the public items without inflation.
    interaction : float
        Standard deviation, in logits, of a model's extra ability on one of the forms: about .05 for
        two forms of one benchmark, .2 for two benchmarks.
    item_share : float
        Variance of answers around model and item, over that around the model alone.
    power, alpha : float
        Power and level of the one-sided test.
    solve : {"item", "reference"}
        The number to find: items of each form, or references.

    Examples
    --------
    >>> aim = InflationAim(accuracy=0.6)
    >>> round(aim.reached({"item": 400, "reference": 20}), 1)
    8.4
    >>> aim.needed({"reference": 20}, 5.0)
    1662
    """

    name: ClassVar[str] = "inflation"
    measure: ClassVar[str] = "detectable inflation in percentage points"
    sense: ClassVar[Sense] = "at most"
    defaults: ClassVar[Counts] = {EXAMINEE: 1, REFERENCE: 20}
    accuracy: float = 0.6
    interaction: float = 0.05
    item_share: float = 0.8
    power: float = 0.8
    alpha: float = 0.05
    solve: str = "item"

    def __post_init__(self) -> None:
        checked(self.accuracy, "accuracy", 0, 1)
        checked(self.interaction, "interaction", 0, 5, open_ends=False)
        checked(self.item_share, "item_share", 0, 1)
        checked(self.power, "power", 0, 1)
        checked(self.alpha, "alpha", 0, 1)
        if self.solve not in self.facets:
            raise ParameterError(
                f"a plan for inflation finds the number of items or of references; solve is item "
                f"or reference, got {self.solve!r}"
            )

    @property
    def solves(self) -> str:
        return self.solve

    @property
    def facets(self) -> tuple[str, ...]:
        return ("item", REFERENCE)

    @property
    def given(self) -> Counts:
        return {"form": 2}

    def asked(self, counts: Counts) -> Counts:
        """Return the counts of questions: the references and the examinee answer both forms."""
        return {**counts, REFERENCE: counts[REFERENCE] + 1}

    @property
    def remarks(self) -> tuple[tuple[str, str, str], ...]:
        if not self.interaction:
            return ((
                "no_interaction", "The plan assumes that no model likes one form more than another "
                "does; real forms of two benchmarks have an interaction of about .2 logits.",
                "State interaction, or generate the fresh form with the public one's program.",
            ),)  # fmt: skip
        return ()

    def _error(self, counts: Counts) -> float:
        """Return the standard error of the examinee's difference, in logits."""
        sampled = 2 * self.item_share / (counts["item"] * self.accuracy * (1 - self.accuracy))
        one = sampled + self.interaction**2
        return math.sqrt(one * (1 + 1 / counts[REFERENCE]))

    def _power(self, counts: Counts, logits: float) -> float:
        df = counts[REFERENCE] - 1.5
        bound = stats.t.isf(self.alpha, df)
        return float(stats.nct.sf(bound, df, logits / self._error(counts)))

    def _points(self, logits: float) -> float:
        start = math.log(self.accuracy / (1 - self.accuracy))
        return 100 * (1 / (1 + math.exp(-start - logits)) - self.accuracy)

    def reached(self, counts: Counts) -> float:
        if counts[REFERENCE] < MIN_REFERENCES or counts["item"] < MIN_ITEMS:
            return math.nan
        if self._power(counts, 10.0) < self.power:
            return math.nan
        logits: Any = optimize.brentq(lambda d: self._power(counts, d) - self.power, 0.0, 10.0)
        return self._points(float(logits))

    def needed(self, counts: Counts, target: float) -> int | None:
        """Return the smallest sufficient number; raise ParameterError if no score can be inflated
        that much, or if there are fewer items or references than the test needs."""
        most = 100 * (1 - self.accuracy)
        if target >= most:
            raise ParameterError(
                f"a score of {100 * self.accuracy:.1f} % cannot be inflated by {target:g} points, "
                f"only by less than {most:.1f}; state a smaller target or a lower accuracy"
            )
        least = {REFERENCE: MIN_REFERENCES, "item": MIN_ITEMS}
        for name, number in counts.items():
            if number < least.get(name, 1):
                raise ParameterError(
                    f"a test of inflation takes at least {least[name]} {name}s, got {number}; try "
                    "more"
                )
        return super().needed(counts, target)

    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        """Simulate answers by a Rasch model with the interaction, and add inflation by turning some
        wrong answers of the examinee to public items into right ones.

        `reached` of the result is the power against the detectable inflation. In data sets in which
        all references have the same score, as near the ceiling, the test is not significant and has
        no interval.
        """
        items, references = counts["item"], counts[REFERENCE]
        gain = self.reached(counts) / 100
        leak = gain / (1 - self.accuracy)
        spread = _item_sd(self.item_share, self.accuracy)
        center = _center(self.accuracy, spread)
        names = [f"{form}{k}" for form in ("p", "f") for k in range(items)]
        covered, rejected = [], []
        for _ in range(runs):
            theta = rng.normal(0, _ABILITY_SD, (references + 1, 1))
            theta[0] = 0.0
            liked = rng.normal(0, self.interaction / math.sqrt(2), (references + 1, 2))
            easiness = center + rng.normal(0, spread, 2 * items)
            logit = theta + easiness + liked.repeat(items, axis=1)
            right = (rng.random(logit.shape) < 1 / (1 + np.exp(-logit))).astype(float)
            learned = np.flatnonzero((right[0, :items] == 0) & (rng.random(items) < leak))
            right[0, learned] = 1.0
            rows = ["examinee", *(f"r{k}" for k in range(references))]
            if any((form == form[0]).all() for form in _scores(right[1:], items)):
                rejected.append(False)
                continue
            result = inflation_of(
                pd.DataFrame(right, rows, names), examinee="examinee",
                public=names[:items], fresh=names[items:],
            )  # fmt: skip
            truth = 100 * len(learned) / items
            covered.append(result.ci_lower <= truth <= result.ci_upper)
            p = result.tests.set_index("test")["p"].to_dict()["t"]
            rejected.append(p <= self.alpha)
        coverage = proportion(np.array(covered)) if covered else (math.nan, math.nan)
        power = proportion(np.array(rejected))
        return Simulated("t", *coverage, *power, runs)


def _scores(right: Floats, items: int) -> tuple[Floats, Floats]:
    """Return the numbers of right answers to the public and to the fresh form."""
    return right[:, :items].sum(axis=1), right[:, items:].sum(axis=1)


def _moments(center: float, spread: float) -> tuple[float, float]:
    """Return the mean of success over items, and the mean variance of an answer to an item."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(61)
    p = 1 / (1 + np.exp(-(center + spread * nodes)))
    weights = weights / weights.sum()
    return float(weights @ p), float(weights @ (p * (1 - p)))


def _center(accuracy: float, spread: float) -> float:
    root: Any = optimize.brentq(lambda c: _moments(c, spread)[0] - accuracy, -60, 60)
    return float(root)


def _item_sd(share: float, accuracy: float) -> float:
    """Return the standard deviation of easiness that gives the share at this accuracy."""
    around_model = accuracy * (1 - accuracy)

    def missing(spread: float) -> float:
        return _moments(_center(accuracy, spread), spread)[1] / around_model - share

    root: Any = optimize.brentq(missing, 0.0, 10.0) if missing(10.0) < 0 else 10.0
    return float(root)
