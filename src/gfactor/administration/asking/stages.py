"""Asking several examinees stage by stage, in the same order for all, until a condition holds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from gfactor.administration.asking.concurrent import Progress
from gfactor.administration.asking.interrupting import completed
from gfactor.administration.asking.order import keyed_order
from gfactor.administration.asking.questions import Questions
from gfactor.administration.asking.runner import RunResult, share
from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.sharing.claims import Tell
from gfactor.administration.storing.journal import Journal
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee
from gfactor.items import ItemBank

FIRST_STAGE = 10
"""Smallest number of items between two looks; more if an examinee answers more at once."""

_GROWTH = 0.05
"""Size of the next stage as a share of the items so far, so that looks stay cheap in long runs."""

Account = Callable[[Examinee], AbstractContextManager[object]]
"""Context in which the costs of an examinee are counted while it is asked."""


@dataclass(frozen=True)
class StagedResult:
    """Result of asking in stages.

    Parameters
    ----------
    results: results of every examinee.
    enough: True if the condition held before all items were asked.
    items: number of items of the order that were asked, in this call or before.
    """

    results: tuple[RunResult, ...]
    enough: bool
    items: int


def run_in_stages(
    bank: ItemBank,
    examinees: Sequence[Examinee],
    journal: Journal,
    condition: Condition,
    occasions: int,
    enough: Callable[[], bool],
    *,
    order_seed: int = 0,
    materials: Materials | None = None,
    account: Account = lambda _: nullcontext(),
    progress: Progress | None = None,
    tell: Tell | None = None,
) -> StagedResult:
    """Have examinees answer items, in one random order, until `enough` returns True.

    A stage is a part of the order. Each examinee answers its items, as many at once as it accepts,
    and then `enough` is called. Before the current stage all have thus answered the same items.
    Answered questions are never asked again, and every reply is stored. Processes that do
    the same with one journal share each stage.

    Parameters
    ----------
    enough: called before the first stage and after each.
    order_seed: seed of the order, which depends on the items and this seed alone; it is noted in
        the journal, and another seed is refused later.
    account: keeps the account of an examinee while it is asked.
    progress: called with the number of answers that have come in, or are there already.

    Raises what `administer` raises. All examinees are closed at the end.
    """
    if occasions < 1:
        raise ParameterError(f"occasions must be 1 or more, got {occasions}")
    materials = materials or Materials()
    journal.set_order_seed(order_seed)

    async def work() -> StagedResult:
        try:
            asking = [
                _Examination(bank, one, journal, condition, occasions, materials, progress, tell)
                for one in examinees
            ]
            return await _in_stages(asking, order_seed, enough, account)
        finally:
            for one in examinees:
                await one.close()

    return completed(work())


class _Examination:
    """One examinee of the stages, and the questions that it has not yet answered."""

    def __init__(
        self,
        bank: ItemBank,
        examinee: Examinee,
        journal: Journal,
        condition: Condition,
        occasions: int,
        materials: Materials,
        progress: Progress | None,
        tell: Tell | None,
    ) -> None:
        self._questions = Questions.prepare(
            bank, examinee, journal, condition, occasions, materials
        )
        self.examinee, self.missing = examinee, self._questions.missing
        self.hashes = self._questions.hashes
        self._journal, self._progress, self._tell = journal, progress, tell
        self._occasions = occasions
        answered = len(self.hashes) * occasions - len(self.missing)
        self.result = RunResult(examinee.name, 0, 0, answered, 0.0)
        if progress and answered:
            progress(answered)

    async def stage(self, hashes: Sequence[str]) -> None:
        """Ask the missing questions of some items."""
        keys = [(h, k) for h in hashes for k in range(self._occasions) if (h, k) in self.missing]
        if not keys:
            return
        started = time.perf_counter()
        put, key = self._questions.put, self._questions.condition.key
        now = await share(keys, put, self.examinee, self._journal, key, self._progress, self._tell)
        before = self.result
        self.result = replace(
            now,
            asked=before.asked + now.asked,
            failed=before.failed + now.failed,
            known=before.known,
            seconds=before.seconds + time.perf_counter() - started,
            detail=now.detail or before.detail,
            elsewhere=before.elsewhere + now.elsewhere,
            failed_elsewhere=before.failed_elsewhere + now.failed_elsewhere,
        )
        for key in keys:
            del self.missing[key]


async def _in_stages(
    asking: Sequence[_Examination],
    order_seed: int,
    enough: Callable[[], bool],
    account: Account,
) -> StagedResult:
    order = keyed_order(asking[0].hashes, order_seed)
    waiting = {h for one in asking for h, _ in one.missing}
    done = next((k for k, h in enumerate(order) if h in waiting), len(order))
    stage = max(FIRST_STAGE, *(one.examinee.in_flight for one in asking))
    start = 0
    while start < len(order):
        # A continued run has the same stages, so that a stage that was cut off is completed first.
        end = min(start + max(stage, int(_GROWTH * start)), len(order))
        if end > done:
            if enough():
                return StagedResult(tuple(one.result for one in asking), True, max(start, done))
            for one in asking:
                with account(one.examinee):
                    await one.stage(order[start:end])
        start = end
    return StagedResult(tuple(one.result for one in asking), enough(), len(order))
