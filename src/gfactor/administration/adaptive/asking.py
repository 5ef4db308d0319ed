"""Administration of an adaptive sequence, whose items are made when they are needed.

Questions are processed as in every run: they are claimed in the journal, asked by the workers of
`Asking`, and stored before the next question is asked. This module decides which questions these
are.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from gfactor.administration.adaptive.sequence import CellSequence, SequenceDesign, SequenceStep
from gfactor.administration.adaptive.stored import Steps, StoredStep
from gfactor.administration.asking.concurrent import Asking, Progress
from gfactor.administration.asking.interrupting import completed
from gfactor.administration.asking.questions import check_accepted
from gfactor.administration.asking.registration import register_made
from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.presenting.rendering import render, render_plain
from gfactor.administration.sharing.claims import Claims, DrawnItem, Tell
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import Key
from gfactor.errors import JournalError
from gfactor.examinees import Examinee, Reply
from gfactor.examinees.http.limits import CapReachedError, RunStoppedError
from gfactor.examinees.image_limits import check_images
from gfactor.items import Item
from gfactor.psychometrics.irt.adaptive import AbilityPosterior

Make = Callable[[str, int], Sequence[Item]]
"""(cell, number from 0) -> an item of the cell, then the same in other forms; equal numbers give
equal items; none if the cell has no more."""

Score = Callable[[Item | Mapping[Any, Any], Reply], float | None]
"""(item, or its row of `Journal.items`; reply) -> 1 right, 0 wrong, None if it is no evidence."""

TRIES = 3
"""Number of attempts at a question before it is given up; an examinee's own retries are one
attempt."""

_IN_A_ROW = 3
"""Number of questions given up in a row that ends the run."""

_LOOK_S = 0.5
"""Seconds between looks at the journal while waiting for other processes."""

_SAME = 1e-9
"""Largest difference between a stored ability and a recomputed one, since machines round
differently."""

_NEVER = 2**31 - 1
"""A number above that of any failed attempt, so that those of other processes are repeated here."""


@dataclass(frozen=True)
class AdaptiveRun:
    """Result of an adaptive administration.

    Parameters
    ----------
    examinee : str
        Canonical name.
    key : str
        Key under which the journal stores the steps.
    steps : tuple of SequenceStep
        The sequence, with scores.
    stored : tuple of StoredStep
        The same steps in the form in which the journal stores them.
    posteriors : mapping of ability to AbilityPosterior
        Posteriors after all answers.
    stops : mapping of ability to str
        Reason why no more questions are asked on each ability: "se", "se_unreachable", "se_change",
        "cut", "items", "cost"; "" if the run was stopped, or there were no more items.
    asked, failed, known : int
        Numbers of questions asked in this call, of those that failed, and of answers that were
        stored before.
    seconds : float
        Wall time.
    stopped : str
        Reason why the run ended before the sequence did, "" if it did not.
    """

    examinee: str
    key: str
    steps: tuple[SequenceStep, ...]
    stored: tuple[StoredStep, ...]
    posteriors: Mapping[str, AbilityPosterior]
    stops: Mapping[str, str]
    asked: int
    failed: int
    known: int
    seconds: float
    stopped: str = ""


def run_adaptively(
    design: SequenceDesign,
    examinee: Examinee,
    journal: Journal,
    make: Make,
    score: Score,
    settings: Mapping[str, Any],
    condition: Condition | None = None,
    materials: Materials | None = None,
    progress: Progress | None = None,
    tell: Tell | None = None,
) -> AdaptiveRun:
    """Ask an examinee one chosen question after the other until the design's rule ends it.

    Items and steps are stored before they are asked. A call with the same settings continues: the
    stored answers give the same sequence, and answered questions are not asked again. Several
    processes may do that at once, and share the questions in flight.

    Parameters
    ----------
    design : SequenceDesign
        Cells, priors, rule, questions in flight.
    examinee : Examinee
        Examinee that is asked; closed at the end.
    journal : Journal
        Journal that stores items, steps and replies.
    make : callable
        Function that makes items of a cell.
    score : callable
        Function that judges whether a reply is right.
    settings : mapping
        Settings that determine the sequence, as values of JSON; with the examinee and the condition
        it is the key under which steps are kept.
    condition : Condition, optional
        Condition under which items are presented; the default condition if None.
    materials : Materials, optional
        Materials that the condition needs in addition to the items.
    progress : callable, optional
        Called with the number of steps that were answered since the last call.
    tell : callable, optional
        Called with a sentence while waiting for other processes.

    Returns
    -------
    AdaptiveRun
        The steps, the posteriors and the reasons why abilities were asked no more.

    Raises
    ------
    JournalError
        If the stored steps are not those that follow from the answers; ParameterError, before
        anything is stored or asked, for parameters that the model is known to refuse.
    """
    materials = materials or Materials()
    condition = materials.stamped(condition or Condition())
    check_accepted(examinee, condition)
    steps = Steps(journal, examinee.name, condition.key, settings)
    register_made(
        journal, steps.key, _examples(design, make), examinee.name, condition, materials,
        partial(render_plain, condition=condition, materials=materials),
    )  # fmt: skip
    steps.begin()
    questioning = _Questioning(design, steps, make, score, journal, condition, materials, examinee)

    async def work() -> AdaptiveRun:
        started, stopped, over = time.perf_counter(), "", ""
        asking = Asking(examinee, journal)
        try:
            async with _Questions(
                questioning, examinee, journal, condition.key, tell, progress
            ) as drawn:
                try:
                    await asking.ask(drawn)
                except RunStoppedError as error:
                    questioning.learn()
                    if not questioning.answered:
                        raise
                    spent = isinstance(error, CapReachedError)
                    stopped, over = ("", "cost") if spent else (str(error), "")
        finally:
            await examinee.close()
        posteriors, stops = questioning.sequence.outcome()
        return AdaptiveRun(
            examinee.name, steps.key, tuple(questioning.sequence.steps), tuple(questioning.stored),
            posteriors, {name: why or over for name, why in stops.items()}, asking.asked,
            asking.failed, questioning.known, time.perf_counter() - started, stopped,
        )  # fmt: skip

    return completed(work())


def _examples(design: SequenceDesign, make: Make) -> list[Item]:
    """The first item of every family, and of its twins."""
    first: dict[str, str] = {}
    cells = design.candidates
    for name, family in zip(cells.names, cells.groups, strict=True):
        first.setdefault(str(family), str(name))
    return [item for name in first.values() for item in make(name, 0)]


class _Questioning:
    """The sequence and its state in the journal, independent of the process that asks."""

    def __init__(
        self, design: SequenceDesign, steps: Steps, make: Make, score: Score, journal: Journal,
        condition: Condition, materials: Materials, examinee: Examinee,
    ) -> None:  # fmt: skip
        self.sequence = CellSequence(design)
        self.stored: list[StoredStep] = []
        self._examinee = examinee
        self._steps, self._make, self._score = steps, make, score
        self._how = condition, materials
        self._before = steps.all()
        self._items: dict[str, Item] = {}
        self._lost = 0
        names = {name for step in self._before for name in step.items}
        rows = journal.items().to_dict("records") if names else []
        self._rows = {r["content_hash"]: r for r in rows if r["content_hash"] in names}
        self._replies = steps.replies(sorted(names)) if names else {}
        self.known = len(self._replies)

    @property
    def answered(self) -> bool:
        """Return True if any question was answered."""
        return bool(self._replies)

    def choose(self) -> list[Key]:
        """Take all steps that can be chosen now; return their questions."""
        keys: list[Key] = []
        while self.sequence.ready:
            step = self.sequence.next()
            if step is None:
                break
            number = step.number
            old = self._before[number] if number < len(self._before) else None
            row = self._again(step, old) if old is not None else self._new(step)
            if row is None:
                self.sequence.close(step.cell)
                continue
            self.sequence.steps.append(step)
            self.stored.append(row)
            if row.given_up or self._replies.keys() >= set(row.items):
                self._settle(step, row)
            else:
                keys += [(name, 0) for name in row.items if name not in self._replies]
        return keys

    def _next_item(self, step: SequenceStep) -> tuple[str, int]:
        """The step's cell, and the number of its next item."""
        name = str(self.sequence.design.candidates.names[step.cell])
        return name, self.sequence.numbers()[step.cell]

    def _again(self, step: SequenceStep, old: StoredStep) -> StoredStep | None:
        """Return the stored step; None if its cell had no more items at that time.

        Raises JournalError if the sequence would now choose another item.
        """
        cell, number = self._next_item(step)
        if (old.cell, old.number) == (cell, number) and abs(old.theta - step.theta) < _SAME:
            return old
        if old.cell != cell and not self._make(cell, number):
            return None
        raise JournalError(
            f"step {step.number} of this profile was item {old.number} of {old.cell!r} and would "
            f"now be item {number} of {cell!r}: its answers were changed, or another version of "
            "gfactor chose it; keep the new profile in another journal"
        )

    def _new(self, step: SequenceStep) -> StoredStep | None:
        """Return a new step with new items; None if its cell has no more items."""
        cell, number = self._next_item(step)
        items = self._make(cell, number)
        if not items:
            return None
        hashes = tuple(item.provenance.content_hash for item in items)
        self._items |= dict(zip(hashes, items, strict=True))
        ability = str(self.sequence.design.candidates.abilities[step.cell])
        new = StoredStep(step.number, ability, cell, number, hashes, step.theta, step.se)
        stored = self._again(step, self._steps.add(new, items))
        # The same items may have been asked in another profile of this journal.
        self._replies |= self._steps.replies(hashes)
        return stored

    def put(self, keys: Sequence[Key]) -> Iterator[DrawnItem]:
        """Yield the rendered questions of the keys."""
        for name, occasion in keys:
            if name not in self._items:
                self._make_again(name)
            rendered = render(self._items[name], *self._how)
            check_images(rendered, self._examinee)
            yield rendered, name, occasion

    def _make_again(self, name: str) -> None:
        """Make the items of an earlier step that was not answered."""
        step = next(step for step in self.stored if name in step.items)
        items = self._make(step.cell, step.number)
        if tuple(item.provenance.content_hash for item in items) != step.items:
            raise JournalError(
                f"item {step.number} of {step.cell!r} is not the one that step {step.step} of this "
                "profile asked: another version of gfactor made it; keep the new profile in "
                "another journal"
            )
        self._items |= dict(zip(step.items, items, strict=True))

    def learn(self) -> None:
        """Read the new answers from the journal."""
        waiting = [(step, self.stored[step.number]) for step in self.sequence.waiting]
        missing = [n for _, row in waiting for n in row.items if n not in self._replies]
        lost: set[int] = set()
        if missing:
            self._replies |= self._steps.replies(missing)
            lost = self._steps.given_up()
        for step, row in waiting:
            if step.number in lost:
                row = self.stored[step.number] = replace(row, given_up=True)  # noqa: PLW2901
            if row.given_up or self._replies.keys() >= set(row.items):
                self._lost = 0
                self._settle(step, row)

    def failed(self, outstanding: Set[str]) -> list[Key]:
        """Return the questions that failed and must be asked again.

        Questions that failed too often are given up: the sequence goes on without them.
        `outstanding` has the names of the items that are being asked or wait to be asked.
        """
        again: list[Key] = []
        for step in self.sequence.waiting:
            row = self.stored[step.number]
            missing = [name for name in row.items if name not in self._replies]
            idle = [name for name in missing if name not in outstanding]
            failures = self._steps.failures(idle) if idle else {}
            hopeless = [name for name in idle if failures[name] >= TRIES]
            again += [(name, 0) for name in idle if name not in hopeless]
            if hopeless and len(hopeless) == len(missing):
                self._give_up(step, row)
        return again

    def _give_up(self, step: SequenceStep, row: StoredStep) -> None:
        """Give up a question: its answer is missing, not wrong.

        Raises RunStoppedError if too many questions in a row were given up.
        """
        if row.items[0] not in self._replies:
            self._steps.give_up(row.step)
        self._settle(step, row)
        self._lost += 1
        if self._lost >= _IN_A_ROW:
            raise RunStoppedError(
                f"{self._examinee.name} failed {self._lost} questions in a row, each {TRIES} "
                "times; all answers so far are stored; run the same command again"
            )

    def _settle(self, step: SequenceStep, row: StoredStep) -> None:
        replies = [(name, self._replies.get(name)) for name in row.items]
        score, *twins = (
            None if reply is None else self._score(self._items.get(name) or self._rows[name], reply)
            for name, reply in replies
        )
        # A question that was given up stays so, even if another process has answered it since.
        step.score = None if row.given_up else score
        step.twins = tuple(twins)
        step.cost = float(sum(reply.cost or 0.0 for _, reply in replies if reply is not None))
        step.settled = True


class _Questions(Claims):
    """Claims on questions that are chosen while others are being answered."""

    def __init__(
        self, questioning: _Questioning, examinee: Examinee, journal: Journal, condition: str,
        tell: Tell | None, progress: Progress | None,
    ) -> None:  # fmt: skip
        window = questioning.sequence.design.window
        super().__init__(journal, examinee.name, condition, (), questioning.put, window, tell)
        self._failures = _NEVER
        self._questioning = questioning
        self._report = progress or (lambda _: None)
        self._outstanding: set[str] = set()
        self._settled = 0
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def at_hand(self) -> None:
        """Return None: each question is chosen when it is asked for."""

    async def draw(self) -> DrawnItem | None:
        """Return the next question; None when the sequence has ended."""
        while True:
            changed = self._changed
            over = self._go_on()
            question = await super().draw()
            if question is not None:
                return question
            if over:
                self._wake()
                return None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await changed.wait()

    def done(self, keys: Iterable[Key]) -> None:
        """Note that the outcomes of keys were stored, answers and failures alike."""
        keys = list(keys)
        super().done(keys)
        self._outstanding.difference_update(name for name, _ in keys)
        self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _go_on(self) -> bool:
        """Read the new answers and choose the next questions; return True at the end."""
        # Noted before the journal is read, so that answers stored meanwhile are read the next time.
        outstanding = set(self._outstanding)
        self._questioning.learn()
        keys = [*self._questioning.failed(outstanding), *self._questioning.choose()]
        if keys:
            self._outstanding.update(name for name, _ in keys)
            self.add(keys)
            self._wake()
        sequence = self._questioning.sequence
        settled = len(sequence.steps) - len(sequence.waiting)
        if settled > self._settled:
            self._report(settled - self._settled)
            self._settled = settled
        return not keys and sequence.ready and not sequence.waiting
