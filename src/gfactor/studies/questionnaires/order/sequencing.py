"""Sequence of a participant's questions: before the first answer, and after each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gfactor.errors import ParameterError
from gfactor.items import ItemBank, ItemRandom
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.studies.questionnaires.order.adaptive import AdaptiveBlock, answered_in
from gfactor.studies.questionnaires.order.allocation import ItemAllocation, Step, check_positions
from gfactor.studies.questionnaires.order.counterbalancing import (
    check_conditions,
    condition_of,
    page_order,
)
from gfactor.studies.questionnaires.perception.presentation import check_exposures
from gfactor.studies.questionnaires.study.branching import answered_values, is_shown, waits_for
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.page_definitions import Page
from gfactor.studies.questionnaires.study.settings import Adaptive
from gfactor.studies.web.bounded import Bounded

Rows = Sequence[Mapping[str, Any]]
"""Rows of the table of answers, by position."""

DISPLAY_KINDS = (
    "questions",
    "screen",
    "color_vision",
    "contrast",
    "instructions",
    "break",
    "feedback",
)
"""Pages that stand in a form as steps of their own."""


@dataclass(frozen=True)
class _ItemBlock:
    """A block of items, with settings of its own as a study has them.

    `page` is its place among the study's pages, None if the study has none.
    """

    page: int | None
    name: str
    study: Study
    allocation: ItemAllocation
    adaptive: AdaptiveBlock | None

    @property
    def most(self) -> int:
        """Largest number of questions of a person, including checks."""
        items = len(self.allocation) if self.adaptive is None else self.adaptive.most
        return items + self.study.checks

    def start(self, number: int) -> tuple[Step, ...]:
        if self.adaptive is not None:
            return self.after(number, ())
        return self._on_page(self.allocation.form(number))

    def after(self, number: int, answers: Rows) -> tuple[Step, ...]:
        """Return the steps after these answers to items of an adaptive block; none at its end."""
        assert self.adaptive is not None
        answered = answered_in(answers, self.adaptive)
        item = self.adaptive.next(number, answered)
        if item is None:
            return ()
        key = {"study": self.study.id, "seed": self.study.seed, "use": "checks"}
        random = ItemRandom(key, number)
        checks = check_positions(self.adaptive.most, self.study.checks, random)
        before = [step for position, step in reversed(checks) if position == len(answered)]
        return self._on_page((*before, self.allocation.step("item", item, number)))

    def _on_page(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Return the steps with their page; in a study without pages, the steps unchanged."""
        if self.page is None:
            return steps
        return tuple(step._replace(page=self.page) for step in steps)


class FormPlan:
    """The forms of a study's participants.

    Parameters
    ----------
    study, bank: the study and its item bank.
    calibrations: the calibrations that its adaptive blocks name, by file name.

    Raises ParameterError if a setting does not fit the bank.
    """

    def __init__(
        self, study: Study, bank: ItemBank, calibrations: Mapping[str, Calibration]
    ) -> None:
        self._study, self._bank = study, bank
        self._blocks: dict[int | None, _ItemBlock] = {}
        self._most: dict[int, int] = Bounded()
        if study.pages is None:
            self._blocks[None] = self._block(None, study, None, calibrations)
            return
        check_conditions(study)
        pools = _pools(study.pages, bank)
        check_exposures(study.pages, pools, bank)
        for k, page in enumerate(study.pages):
            if page.kind == "block":
                settings = block_settings(study, page)
                self._blocks[k] = self._block(k, settings, pools[k], calibrations)

    def _block(
        self, k: int | None, study: Study, pool: tuple[str, ...] | None,
        calibrations: Mapping[str, Calibration],
    ) -> _ItemBlock:  # fmt: skip
        allocation = ItemAllocation(study, self._bank, pool)
        adaptive = None
        if study.adaptive is not None:
            calibration = calibrations[study.adaptive.calibration]
            bank = self._bank if pool is None else self._bank.select(pool)
            adaptive = AdaptiveBlock(study.adaptive, calibration, bank, study.seed, study.practice)
            if not adaptive.most:
                raise ParameterError(
                    "all items that the bank and the calibration have in common are used for "
                    "practice; choose other items for practice"
                )
        name = "" if k is None or self._study.pages is None else self._study.pages[k].name
        return _ItemBlock(k, name, study, allocation, adaptive)

    @property
    def adaptive(self) -> dict[str, AdaptiveBlock]:
        """Adaptive blocks by name, which is "" if the study has no pages."""
        return {b.name: b.adaptive for b in self._blocks.values() if b.adaptive is not None}

    @cached_property
    def open(self) -> bool:
        """Return True if forms grow with the answers, and may end before `most` questions."""
        return bool(self.adaptive) or any(page.show_if for page in self._study.pages or ())

    def start(self, number: int) -> tuple[Step, ...]:
        """Return the first steps of the participant with this number (from 0).

        These steps are the whole form, or those up to the first item of an adaptive block or to a
        page that depends on an answer.
        """
        if self._study.pages is None:
            block = self._blocks[None]
            if block.adaptive is None:
                return block.start(number)
            practice = [block.allocation.step("practice", i, number) for i in self._study.practice]
            return (*practice, *block.start(number))
        return self._further(number, self.order(number), ())

    def after(self, number: int, form: Sequence[Step], answers: Rows) -> tuple[Step, ...]:
        """Return the next steps of a participant who has answered the whole form so far; empty at
        the end.
        """
        here = form[-1].page if form else None
        block = self._blocks.get(here)
        if block is not None and block.adaptive is not None:
            more = block.after(number, answers)
            if more or here is None:
                return more
        if self._study.pages is None or here is None:
            return ()
        order = self.order(number)
        return self._further(number, order[order.index(here) + 1 :], answers)

    def order(self, number: int) -> list[int]:
        """Return the pages of the participant with this number, in order."""
        return page_order(self._study, number)

    def facts(self, number: int) -> dict[str, str]:
        """Return the condition of the participant with this number, and the order of the blocks."""
        pages = self._study.pages or ()
        names = [pages[k].name for k in self.order(number) if pages[k].kind == "block"]
        return {"condition": condition_of(self._study, number), "order": ";".join(names)}

    def most(self, number: int) -> int:
        """Return the largest number of questions, without practice, that a participant is asked."""
        if number not in self._most:
            self._most[number] = self._count_most(number)
        return self._most[number]

    def _count_most(self, number: int) -> int:
        if self._study.pages is None:
            return self._blocks[None].most
        return sum(self._blocks[k].most for k in self.order(number) if k in self._blocks)

    def time_limit_s(self, step: Step) -> float:
        """Return the time limit of a question in seconds; 0 for none."""
        block = self._blocks.get(step.page)
        if step.kind == "page":
            return 0.0
        return (self._study if block is None else block.study).time_limit_s

    def _further(self, number: int, order: Sequence[int], answers: Rows) -> tuple[Step, ...]:
        """The steps of these pages, up to the first item of an adaptive block, or to the first page
        that depends on an answer to one of them."""
        assert self._study.pages is not None
        steps: list[Step] = []
        ahead: list[Page] = []
        values = answered_values(self._study.pages, answers)
        for k in order:
            page = self._study.pages[k]
            if waits_for(page, ahead):
                break  # This is decided when the steps before it are answered.
            if not is_shown(page, values):
                continue
            ahead.append(page)
            if page.kind in DISPLAY_KINDS or (page.kind == "block" and page.text):
                steps.append(Step("page", page.name or page.kind, page=k))
            if page.kind == "practice":
                first = next(iter(self._blocks.values())).allocation
                practice_steps = [first.step("practice", item, number) for item in page.items]
                steps += [step._replace(page=k) for step in practice_steps]
            if page.kind == "block":
                steps += self._blocks[k].start(number)
                if self._blocks[k].adaptive is not None:
                    break  # Later steps are asked when the answers have ended the block.
        return tuple(steps)


def adaptive_of(page: Page) -> Adaptive | None:
    """Return a block's settings of its calibration; None if it is not adaptive."""
    if not page.calibration:
        return None
    return Adaptive(page.calibration, page.digest, page.max_items, page.se, page.among)


def adaptive_blocks(study: Study) -> list[Adaptive]:
    """Return the settings of each adaptive block of a study."""
    of_pages = (adaptive_of(page) for page in study.pages or ())
    return [one for one in (study.adaptive, *of_pages) if one is not None]


def block_settings(study: Study, page: Page) -> Study:
    """Return a copy of the study with the settings of one block, as if the block were a whole
    study."""
    given = {
        name: value
        for name in ("shuffle", "shuffle_options", "time_limit_s")
        if (value := getattr(page, name)) is not None
    }
    return replace(
        study, id=f"{study.id}-{page.name}", pages=None, conditions=None, counterbalance=None,
        quotas=None, checks=page.checks,
        per_person=page.per_person, pins={**study.pins, **page.pins}, adaptive=adaptive_of(page),
        **given,
    )  # fmt: skip


def _pools(pages: Sequence[Page], bank: ItemBank) -> dict[int, tuple[str, ...]]:
    """Return the items of every block: those it names or selects by labels, or all others."""
    labels = bank.labels()
    taken: dict[str, int] = {}
    pools: dict[int, tuple[str, ...]] = {}
    for k, page in enumerate(pages):
        if page.kind not in ("block", "practice") or not (page.items or page.labels):
            continue
        pool = page.items or tuple(
            i
            for i, label_values in labels.items()
            if all(_is(label_values.get(n), v) for n, v in page.labels.items())
        )
        where = f"pages[{k + 1}]"
        if not pool:
            raise ParameterError(f"{where}.labels: no item of the bank has {dict(page.labels)!r}")
        for item in pool:
            if item not in labels:
                raise ParameterError(f"{where}.items names {item!r}, which is not in the bank")
            if item in taken:
                raise ParameterError(
                    f"{where} has the item {item!r}, as pages[{taken[item] + 1}]; a person is "
                    "asked an item once"
                )
            taken[item] = k
        pools[k] = pool
    rest = [k for k, page in enumerate(pages) if page.kind == "block" and k not in pools]
    if len(rest) > 1:
        raise ParameterError(
            f"pages[{rest[1] + 1}] names neither items nor labels, and pages[{rest[0] + 1}] has "
            "all that are left; say which items belong to it"
        )
    for k in rest:
        pools[k] = tuple(item for item in labels if item not in taken)
        if not pools[k]:
            raise ParameterError(f"pages[{k + 1}] has no items: other pages name all of the bank")
    return pools


def _is(value: Any, wanted: Any) -> bool:
    """Return True if a label has a value, or one of a list."""
    return any(value == one or str(value) == str(one) for one in _several(wanted))


def _several(wanted: Any) -> list[Any]:
    return wanted if isinstance(wanted, list) else [wanted]
