"""Items for people chosen by a calibration, each from the answers so far.

The engine is that of `gfactor run --adaptive` with one question in flight. The next item is a pure
function of the study's seed, the participant's number, and the answers in their order, so that it
is the same after a reload, in a second tab and after a restart of the server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gfactor.administration.adaptive import CellSequence, SequenceDesign, SequenceStep
from gfactor.administration.adaptive.calibrated import (
    ABILITY,
    candidates_of,
    items_of_entries,
    prior_of,
)
from gfactor.errors import ParameterError
from gfactor.items import ItemBank, ItemRandom
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, StopRule
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.studies.questionnaires.study.settings import Adaptive

Answered = tuple[tuple[str, bool], ...]
"""Items that count in the order in which they were asked, and whether each was answered right."""

NODES = 241
"""Number of nodes of a posterior, as in `gfactor.psychometrics.irt.Cat`."""


@dataclass(frozen=True)
class AbilityEstimate:
    """Ability after some answers: posterior mean and standard deviation, the number of items, and
    the reason why the test ended ("se", "items", "bank"; "" if it goes on)."""

    theta: float
    se: float
    items: int
    stop: str


class AdaptiveBlock:
    """An adaptive block: calibrated items, chosen for each person by the answers.

    Parameters
    ----------
    adaptive: settings of the adaptive study.
    calibration: calibration of the bank's items, or of their cells.
    bank: bank of the study. seed: seed of the study. without: items that are not asked (those for
    practice).
    """

    def __init__(
        self,
        adaptive: Adaptive,
        calibration: Calibration,
        bank: ItemBank,
        seed: int,
        without: Collection[str] = (),
    ) -> None:
        self._cells = {
            name: usable
            for name, items in items_of_entries(bank, calibration).items()
            if (usable := [item for item in items if item not in without])
        }
        self._names = list(self._cells)
        self._cell_of = {i: k for k, ids in enumerate(self._cells.values()) for i in ids}
        self.most = min(adaptive.max_items, len(self._cell_of))
        prior = prior_of(calibration, NODES)
        if prior.se <= adaptive.se:
            raise ParameterError(
                f"se of an adaptive block is {adaptive.se:g}, and before the first answer it is "
                f"{prior.se:.3g} already; give a smaller one"
            )
        candidates = candidates_of(calibration, self._names, prior)
        rule = StopRule(se=adaptive.se, max_items=self.most)
        self._design = SequenceDesign(candidates, {ABILITY: prior}, rule, 1, among=adaptive.among)
        self._seed = seed
        self.estimate = lru_cache(maxsize=4096)(self._estimate)

    def next(self, number: int, answered: Answered) -> str | None:
        """Return the next item for the participant with this number (from 0) after these answers;
        None if the block has ended."""
        step = self._sequence(number, answered).next()
        if step is None:
            return None
        name, used = self._names[step.cell], {item for item, _ in answered}
        order = self._cells[name]
        if len(order) > 1:
            key = {"seed": self._seed, "use": "adaptive", "cell": name}
            order = ItemRandom(key, number).shuffled(order)
        return next(item for item in order if item not in used)

    def posteriors(self, answered: Answered) -> list[AbilityPosterior]:
        """Return the posterior of the ability before the first answer, and after each."""
        posteriors = [self._design.priors[ABILITY]]
        for item, right in answered:
            posteriors.append(self._design.learned(posteriors[-1], self._cell_of[item], right))
        return posteriors

    @property
    def items(self) -> Collection[str]:
        """The items that may be asked."""
        return self._cell_of.keys()

    def includes(self, row: Mapping[Any, Any]) -> bool:
        """Return True if a row of the table of answers belongs to an item of this block."""
        return row["kind"] == "item" and row["item"] in self._cell_of

    def cell(self, item: str) -> str:
        """Return the entry of the calibration that an item belongs to."""
        return self._names[self._cell_of[item]]

    def _estimate(self, answered: Answered) -> AbilityEstimate:
        posteriors, reasons = self._sequence(0, answered).outcome()
        left = len(answered) < len(self._cell_of)
        reason = reasons[ABILITY] or ("" if left else "bank")
        return AbilityEstimate(
            posteriors[ABILITY].theta, posteriors[ABILITY].se, len(answered), reason
        )

    def _sequence(self, number: int, answered: Answered) -> CellSequence:
        sequence = CellSequence(self._design, (self._seed, number))
        left = [len(ids) for ids in self._cells.values()]
        for k, (item, right) in enumerate(answered):
            cell = self._cell_of[item]
            sequence.steps.append(SequenceStep(k, cell, 0.0, 0.0, score=float(right), settled=True))
            left[cell] -= 1
            if not left[cell]:
                sequence.close(cell)
        return sequence


def answered_in(rows: Iterable[Mapping[Any, Any]], block: AdaptiveBlock) -> Answered:
    """Return the answers of a participant (rows of the table of answers, by position) to a block's
    items, without those that rulings made void."""
    return tuple(
        (row["item"], bool(row["right"]))
        for row in rows
        if block.includes(row) and not row.get("void")
    )
