"""Choice of the next design cell: a function of the settings and of the answers in their order.

Up to `window` questions are in flight, few at first (`irt.adaptive.in_flight`): step k is chosen
from the answers to the first steps, as many as leave no more than this number, and the other steps
count as pending even if they have been answered. So the sequence does not depend on the order in
which replies arrive, and equal answers give equal sequences to the last digit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.irt.adaptive import (
    AbilityPosterior,
    Candidates,
    Progress,
    StopRule,
    choose,
    in_flight,
)
from gfactor.psychometrics.irt.adaptive.precision import SOON, PrecisionForecast, curve_information
from gfactor.psychometrics.irt.adaptive.selection import Criterion
from gfactor.psychometrics.irt.likelihood.curves import Floats


@dataclass(frozen=True, eq=False)
class SequenceDesign:
    """Settings that, together with the answers, determine a sequence.

    Parameters
    ----------
    candidates : Candidates
        The design cells, with curves integrated over clones at the nodes of the priors.
    priors : mapping of ability to AbilityPosterior
        Distribution of every ability before the first answer.
    rule : StopRule
        Rule for when an ability is measured well enough; its `max_items` and `max_cost` hold for
        all abilities together.
    window : int
        Largest number of questions in flight.
    criterion : str
        Criterion of choice, as in `gfactor.psychometrics.irt.adaptive.choose`.
    among : int
        Number of best cells among which each cell is drawn.
    ahead : int
        Number of questions that a family may have above its share of its ability's questions
        (`choose`). The value 1 saves an eighth of the questions if families differ in information
        (docs/evidence/benchmarks.md).
    standardized : bool
        True if the rule's errors and its cut are in standard deviations of the priors (each ability
        in its own), False if they are in logits.
    least : mapping of ability to int
        Answers to an ability before its rule can end it, if not the rule's `min_items`.
    """

    candidates: Candidates
    priors: Mapping[str, AbilityPosterior]
    rule: StopRule
    window: int = 8
    criterion: Criterion = "mepv"
    among: int = 1
    ahead: int = 1
    standardized: bool = False
    least: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def logs(self) -> Floats:
        """Log probability of a wrong and a right answer at the nodes, (C, 2, Q)."""
        p = np.clip(self.candidates.probabilities, 1e-12, 1 - 1e-12)
        return np.log(np.stack([1 - p, p], axis=1))

    @cached_property
    def forecasts(self) -> dict[str, tuple[NDArray[np.int_], Floats, list[str]]]:
        """Forecasts by ability, from its cells, the information of an answer to each, and their
        testlets."""
        cells, ahead = self.candidates, {}
        for name, prior in self.priors.items():
            rows = np.flatnonzero(np.asarray(cells.abilities) == name)
            groups = [str(cells.groups[k]) for k in rows.tolist()]
            shared = cells.testlets_of(rows.tolist()) or groups
            ahead[name] = rows, curve_information(cells.probabilities[rows], prior.nodes), shared
        return ahead

    def learned(self, posterior: AbilityPosterior, cell: int, right: bool) -> AbilityPosterior:
        """Return the posterior of a cell's ability after one more answer to an item of the cell."""
        testlet = (self.candidates.testlets_of([cell]) or [None])[0]
        return posterior.updated(self.logs[cell, int(right)], testlet)

    @cached_property
    def targets(self) -> dict[str, float]:
        """Return equal target shares for the families of an ability."""
        return dict.fromkeys(map(str, self.candidates.groups), 1.0)

    @cached_property
    def rules(self) -> dict[str, StopRule]:
        """Return the rule of every single ability, without the limits on all abilities together."""
        alone = replace(self.rule, max_items=None, max_cost=None)
        least = {name: self.least.get(name, alone.min_items) for name in self.priors}
        return {name: replace(alone, min_items=n) for name, n in least.items()}


@dataclass
class SequenceStep:
    """A question of the sequence.

    Parameters
    ----------
    number : int
        Number of the question, from 0.
    cell : int
        Number of the candidate.
    theta, se : float
        Estimate and standard error of the cell's ability when the cell was chosen.
    score : float or None
        1 right, 0 wrong; None if there is no answer yet, or no informative one.
    twins : tuple of float or None
        The scores of the item in other forms, which are not used for the ability.
    cost : float
        Cost of the answers to the question and its twins.
    settled : bool
        True if the step waits for no more answers.
    """

    number: int
    cell: int
    theta: float
    se: float
    score: float | None = None
    twins: tuple[float | None, ...] = ()
    cost: float = 0.0
    settled: bool = False


@dataclass
class _SequenceState:
    """State after the first answers: posteriors, standard errors, answers by cell, and costs."""

    posteriors: dict[str, AbilityPosterior]
    errors: dict[str, list[float]] = field(default_factory=dict)
    answered: Counter[int] = field(default_factory=Counter)
    cost: float = 0.0
    steps: int = 0


class CellSequence:
    """The steps of an adaptive test so far, and the choice of the next cell.

    Parameters
    ----------
    design : SequenceDesign
    key : sequence of int
        Key of the draws among best cells, with the number of the step: the same key and answers
        give the same sequence.
    """

    def __init__(self, design: SequenceDesign, key: Sequence[int] = ()) -> None:
        self.design, self._key = design, tuple(key)
        self.steps: list[SequenceStep] = []
        self._open = np.ones(len(design.candidates.names), bool)
        self._state = _SequenceState(dict(design.priors))

    @property
    def waiting(self) -> list[SequenceStep]:
        """Steps whose answers have not arrived yet."""
        return [step for step in self.steps if not step.settled]

    @property
    def ready(self) -> bool:
        """Return True if all answers on which the next step depends have arrived."""
        return all(step.settled for step in self.steps[self._state.steps : self._needed()])

    def _needed(self) -> int:
        """Return the number of first answers on which the choice of the next step depends."""
        number, window = len(self.steps), self.design.window
        answers = max(0, number - window + 1)
        while number - answers + 1 > in_flight(answers, window):
            answers += 1
        return answers

    def close(self, cell: int) -> None:
        """Never choose this cell again, because it has no more items."""
        self._open[cell] = False

    def numbers(self) -> Counter[int]:
        """Return the number of items that were chosen of every cell."""
        return Counter(step.cell for step in self.steps)

    def next(self) -> SequenceStep | None:
        """Return the next step, which the caller appends to `steps`.

        None if no step can be chosen. While steps are `waiting`, their answers may open an ability
        again; if none is waiting, the test has ended.
        """
        step = self._next_after(self._needed())
        if step is None and not self.waiting:
            return self._next_after(len(self.steps))
        return step

    def _next_after(self, answers: int) -> SequenceStep | None:
        """The next step from the first answers, all others pending."""
        state = self._advance(answers)
        pending = self.steps[state.steps :]
        if self._over(state, pending):
            return None
        cells, abilities = self.design.candidates, self.design.candidates.abilities
        counts = Counter(str(cells.groups[step.cell]) for step in self.steps)
        turns = Counter(str(abilities[step.cell]) for step in self.steps)
        left = {str(abilities[k]) for k in np.flatnonzero(self._open).tolist()}
        still = {
            name: posterior
            for name, posterior in state.posteriors.items()
            if name in left and self._reason(state, name) is None
        }
        if not still:
            return None
        # Abilities take turns: an ability that is at the end of its cells, with an error that no
        # answer lowers any more, must neither take the questions of the others nor get none.
        turn = min(still, key=lambda name: turns[name])
        cell = choose(
            cells, {turn: still[turn]}, pending=[step.cell for step in pending], counts=counts,
            targets=self.design.targets, criterion=self.design.criterion, allowed=self._open,
            among=self.design.among, ahead=self.design.ahead,
            rng=np.random.default_rng([*self._key, len(self.steps)])
            if self.design.among > 1 else None,
        )  # fmt: skip
        now = state.posteriors[str(abilities[cell])]
        return SequenceStep(len(self.steps), cell, now.theta, now.se)

    def outcome(self) -> tuple[dict[str, AbilityPosterior], dict[str, str]]:
        """Return the posteriors from all answers so far, and the reason why the questions on each
        ability ended."""
        state = _SequenceState(dict(self.design.priors))
        for step in self.steps:
            self._learn(state, step)
        over = self._over(state, [])
        return state.posteriors, {
            name: self._reason(state, name) or over or "" for name in state.posteriors
        }

    def _advance(self, steps: int) -> _SequenceState:
        while self._state.steps < steps:
            self._learn(self._state, self.steps[self._state.steps])
        return self._state

    def _learn(self, state: _SequenceState, step: SequenceStep) -> None:
        ability = str(self.design.candidates.abilities[step.cell])
        state.steps += 1
        state.cost += step.cost
        if step.score is None:
            return
        now = self.design.learned(state.posteriors[ability], step.cell, bool(step.score))
        state.posteriors[ability] = now
        state.errors.setdefault(ability, []).append(now.se)
        state.answered[step.cell] += 1

    def _reason(self, estimates: _SequenceState, ability: str) -> str | None:
        now, rule = estimates.posteriors[ability], self.design.rules[ability]
        rows, information, shared = self.design.forecasts[ability]
        counts = [estimates.answered[int(k)] for k in rows]
        middle, unit = self._unit(ability)
        errors = [error / unit for error in estimates.errors.get(ability, ())]
        state = Progress((now.theta - middle) / unit, now.se / unit, sum(counts), errors=errors)
        if rule.se is not None and state.se > rule.se:
            ahead = PrecisionForecast(information, shared, self._open[rows])
            state = replace(state, reachable=ahead.error(now, counts, self._left(estimates)) / unit,
                            soon=ahead.error(now, counts, SOON) / unit)  # fmt: skip
        return rule.reason(state)

    def _unit(self, ability: str) -> tuple[float, float]:
        """Origin and unit of the scale to which the rule refers."""
        prior = self.design.priors[ability]
        return (prior.mean, prior.variance**0.5) if self.design.standardized else (0.0, 1.0)

    def _left(self, state: _SequenceState) -> float:
        """Number of answers that the budget of all abilities still allows."""
        rule, left = self.design.rule, math.inf
        if rule.max_items is not None:
            left = rule.max_items - state.steps
        if rule.max_cost is not None and state.cost:
            left = min(left, (rule.max_cost - state.cost) * state.steps / state.cost)
        return max(0.0, left)

    def _over(self, state: _SequenceState, pending: Sequence[SequenceStep]) -> str | None:
        """Return the limit at which all abilities end, "items" or "cost"; None if none is
        reached."""
        rule = self.design.rule
        if rule.max_items is not None and len(self.steps) >= rule.max_items:
            return "items"
        if rule.max_cost is not None:
            each = state.cost / state.steps if state.steps else 0.0
            if state.cost + each * (len(pending) + 1) > rule.max_cost:
                return "cost"
        return None
