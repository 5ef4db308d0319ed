"""What a participant is asked: before the first answer, and after each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.errors import ParameterError
from gfactor.items import ItemBank, ItemRandom
from gfactor.psychometrics.irt.calibration import Calibration
from gfactor.studies.questionnaires.adaptive import AdaptiveBlock, answered_in
from gfactor.studies.questionnaires.allocation import ItemAllocation, Step, check_positions
from gfactor.studies.questionnaires.definition import Study


class FormPlan:
    """The forms of a study's participants.

    Parameters
    ----------
    study, bank: the study's.
    calibrations: by file name, those that its adaptive blocks name.

    Raises ParameterError where a setting does not fit the bank.
    """

    def __init__(
        self, study: Study, bank: ItemBank, calibrations: Mapping[str, Calibration]
    ) -> None:
        self._study = study
        self._allocation = ItemAllocation(study, bank)
        self.block: AdaptiveBlock | None = None
        if study.adaptive is not None:
            known = calibrations[study.adaptive.calibration]
            self.block = AdaptiveBlock(study.adaptive, known, bank, study.seed, study.practice)
            if not self.block.most:
                raise ParameterError(
                    "the calibration knows no items of the bank but those for practice; name "
                    "others for practice"
                )

    def start(self, number: int) -> tuple[Step, ...]:
        """What the participant of this number (from 0) is asked before anything is known of them:
        the whole form, or up to the first item that is chosen by the answers."""
        if self.block is None:
            return self._allocation.form(number)
        practice = [self._allocation.step("practice", i, number) for i in self._study.practice]
        return (*practice, *self.after(number, ()))

    def after(self, number: int, answers: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
        """What is asked next of somebody who has answered all that they were asked; nothing where
        that was the end.

        Parameters
        ----------
        answers: rows of that table, by position.
        """
        if self.block is None:
            return ()
        answered = answered_in(answers, self.block)
        item = self.block.next(number, answered)
        if item is None:
            return ()
        checks = self._checks(number, len(answered))
        return (*checks, self._allocation.step("item", item, number))

    def most(self, form: Sequence[Step]) -> int:
        """How many questions that are not for practice somebody with this form is asked at most."""
        if self.block is None:
            return sum(step.kind != "practice" for step in form)
        return self.block.most + self._study.checks

    @property
    def open(self) -> bool:
        """Whether forms may end before `most` questions."""
        return self.block is not None

    def _checks(self, number: int, items: int) -> list[Step]:
        """The check questions that come after so many items."""
        assert self.block is not None
        key = {"study": self._study.id, "seed": self._study.seed, "use": "checks"}
        random = ItemRandom(key, number)
        checks = check_positions(self.block.most, self._study.checks, random)
        return [check for position, check in reversed(checks) if position == items]
