"""Asking an examinee every item of a bank, as often as wanted, and losing nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock

from gfactor.administration.condition import Condition
from gfactor.administration.journal import Journal
from gfactor.administration.materials import Materials
from gfactor.administration.registration import register_bank
from gfactor.administration.rendering import render
from gfactor.administration.response import Response
from gfactor.errors import GfactorError, ParameterError
from gfactor.examinees import Examinee, RenderedItem, Reply
from gfactor.items import ItemBank

COMMIT_SECONDS = 0.5
"""Time between two commits: what a killed run loses, beside the items in flight."""

Progress = Callable[[int], object]
"""Called with the number of answers that have come in since the last call."""

Question = tuple[RenderedItem, str, int]
"""What is asked, the item's hash, the occasion."""


@dataclass(frozen=True)
class RunResult:
    """What a call of the runner did.

    Parameters
    ----------
    examinee: canonical name.
    asked: items times occasions asked in this call; `failed` of them came to nothing.
    known: those that were not asked, because the journal had the answer or because another item
        of the bank asks exactly the same.
    seconds: wall time.
    detail: why the last failed attempt failed, "" where none did.
    """

    examinee: str
    asked: int
    failed: int
    known: int
    seconds: float
    detail: str = ""


def run(
    bank: ItemBank,
    examinee: Examinee,
    journal: Journal,
    condition: Condition | None = None,
    occasions: int = 1,
    progress: Progress | None = None,
    materials: Materials | None = None,
) -> RunResult:
    """`administer` for callers without an event loop of their own; closes the examinee."""

    async def work() -> RunResult:
        try:
            return await administer(
                bank, examinee, journal, condition, occasions, progress, materials
            )
        finally:
            await examinee.close()

    return asyncio.run(work())


async def administer(
    bank: ItemBank,
    examinee: Examinee,
    journal: Journal,
    condition: Condition | None = None,
    occasions: int = 1,
    progress: Progress | None = None,
    materials: Materials | None = None,
) -> RunResult:
    """Have an examinee answer what it has not answered yet.

    Keys (examinee, item hash, condition, occasion) that the journal holds are never asked again;
    failed attempts are. Items are read as they are needed, at most `examinee.in_flight` are being
    asked, and replies are committed every half second, and at the end however it comes.

    Parameters
    ----------
    condition: how items are put; the default condition where None.
    occasions: how often each item is to be answered in all.
    progress: called while answers come in.
    materials: what the condition needs beside the items; their fingerprints become part of it.

    Raises ParameterError for no occasion and for materials that do not fit the condition,
    JournalError where the journal fails, and whatever GfactorError the examinee raises; anything
    else it raises is a failed attempt.
    """
    if occasions < 1:
        raise ParameterError(f"occasions must be 1 or more, got {occasions}")
    materials, started = materials or Materials(), time.perf_counter()
    condition = materials.stamped(condition or Condition())
    register_bank(journal, bank, examinee.name, condition, occasions, materials)
    missing = missing_occasions(bank, journal.answered(examinee.name, condition.key), occasions)
    asking = _Asking(examinee, journal, condition.key, progress)
    await asking.ask(_questions(bank, missing, condition, materials))
    return RunResult(
        examinee.name,
        asking.asked,
        asking.failed,
        len(bank) * occasions - sum(map(len, missing.values())),
        time.perf_counter() - started,
        asking.detail,
    )


def missing_occasions(
    bank: ItemBank, answered: set[tuple[str, int]], occasions: int
) -> dict[str, list[int]]:
    """The occasions on which items (by id) are to be asked; one id where several ask the same."""
    frame = bank.frame()
    first = dict(
        zip(reversed(list(frame["content_hash"])), reversed(list(frame["id"])), strict=True)
    )
    missing = {
        item_id: [k for k in range(occasions) if (content_hash, k) not in answered]
        for content_hash, item_id in first.items()
    }
    return {item_id: missing[item_id] for item_id in frame["id"] if missing.get(item_id)}


def _questions(
    bank: ItemBank, missing: dict[str, list[int]], condition: Condition, materials: Materials
) -> Iterator[Question]:
    for item in bank.select(list(missing)):
        rendered = render(item, condition, materials)
        for occasion in missing[item.id]:
            yield rendered, item.provenance.content_hash, occasion


class _Asking:
    """One examinee being asked: its workers, and the replies that wait for the next commit."""

    def __init__(
        self, examinee: Examinee, journal: Journal, condition: str, progress: Progress | None
    ) -> None:
        self.asked = self.failed = 0
        self.detail = ""
        self._examinee = examinee
        self._journal = journal
        self._condition = condition
        self._progress = progress or (lambda _: None)
        self._waiting: list[Response] = []
        self._writing = Lock()

    async def ask(self, questions: Iterator[Question]) -> None:
        """Ask all questions; commit what came back, whatever happens."""
        try:
            async with asyncio.TaskGroup() as all_tasks:
                committer = all_tasks.create_task(self._commit_regularly())
                async with asyncio.TaskGroup() as workers:
                    for _ in range(self._examinee.in_flight):
                        workers.create_task(self._work(questions))
                committer.cancel()
        except BaseExceptionGroup as group:
            raise _first(group) from None
        finally:
            self._commit()

    async def _work(self, questions: Iterator[Question]) -> None:
        # All workers draw from one iterator, so that no more is read than is being asked.
        for rendered, item_hash, occasion in questions:
            reply = await self._reply(rendered)
            response = Response.now(
                self._examinee.name, item_hash, self._condition, occasion, reply
            )
            self._waiting.append(response)
            self.asked += 1
            if response.failed:
                self.failed += 1
                self.detail = reply.detail
            self._progress(1)

    async def _reply(self, rendered: RenderedItem) -> Reply:
        try:
            return await self._examinee(rendered)
        except GfactorError:
            raise
        except Exception as error:
            # A defect of an examinee may concern one item only; it must not cost the others.
            return Reply("", "protocol_error", detail=f"{type(error).__name__}: {error}")

    async def _commit_regularly(self) -> None:
        while True:
            await asyncio.sleep(COMMIT_SECONDS)
            await asyncio.to_thread(self._commit)

    def _commit(self) -> None:
        # Replies leave the list only when they are stored, so a commit that is cut off or fails
        # is made up for by the next.
        with self._writing:
            batch = self._waiting[:]
            if batch:
                self._journal.add(batch)
                del self._waiting[: len(batch)]


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
