"""Asking many questions at once, and storing every reply before its asker goes on."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from threading import Lock

from gfactor.administration.claims import Claims
from gfactor.administration.journal import Journal
from gfactor.administration.response import Response
from gfactor.administration.rounds import converse, converses
from gfactor.administration.rows import Key
from gfactor.errors import GfactorError
from gfactor.examinees import Examinee, RenderedItem, Reply

COMMIT_SECONDS = 0.002
"""How long a reply waits at most for others, to be stored with them in one transaction."""

_INSTANT_SECONDS = 0.001
"""A reply that took less is cheap to repeat: its asker goes on before it is stored."""

_QUICK_SECONDS = 0.005
"""While transactions take less, they are made in place; handing them to a thread takes longer."""

_HELD = 1000
"""The most replies that wait for a transaction."""

Progress = Callable[[int], object]
"""Called with the number of answers that have come in since the last call."""


class Asking:
    """One examinee being asked: its workers, and the replies that wait for the next transaction.

    A worker asks on when its last reply is stored, so that a killed process loses what was in
    flight and no more (and replies that were computed in an instant).

    Parameters
    ----------
    condition: the key under which replies are kept.
    until_failure: whether nothing more is asked after a failed attempt.
    """

    def __init__(
        self,
        examinee: Examinee,
        journal: Journal,
        condition: str,
        progress: Progress | None = None,
        *,
        until_failure: bool = False,
    ) -> None:
        self.asked = self.failed = 0
        self.detail = ""
        self._examinee = examinee
        self._journal = journal
        self._condition = condition
        self._progress = progress or (lambda _: None)
        self._until_failure = until_failure
        self._stored_keys: Callable[[Iterable[Key]], object] = lambda _: None
        self._worth_a_commit = max(1, examinee.in_flight // 2)
        self._waiting: list[Response] = []
        self._stored = asyncio.Event()
        self._some, self._enough = asyncio.Event(), asyncio.Event()
        self._writing = Lock()
        self._quick = True

    async def ask(self, claims: Claims) -> None:
        """Ask all that can be claimed; store what came back, whatever happens."""
        self._stored_keys = claims.done
        try:
            async with asyncio.TaskGroup() as all_tasks:
                committer = all_tasks.create_task(self._commit_batches())
                async with asyncio.TaskGroup() as workers:
                    for _ in range(self._examinee.in_flight):
                        workers.create_task(self._work(claims))
                committer.cancel()
        except BaseExceptionGroup as group:
            raise _first(group) from None
        finally:
            self._commit(len(self._waiting))

    async def _work(self, claims: Claims) -> None:
        # All workers draw from the same claims, so that no more is read than is being asked.
        while not (self._until_failure and self.failed):
            question = await claims.draw()
            if question is None:
                break
            rendered, item_hash, occasion = question
            start = time.perf_counter()
            reply = await self._reply(rendered, item_hash, occasion)
            if reply is None:
                continue
            response = Response.now(
                self._examinee.name, item_hash, self._condition, occasion, reply
            )
            self.asked += 1
            if response.failed:
                self.failed += 1
                self.detail = reply.detail
            await self._keep(response, instant=time.perf_counter() - start < _INSTANT_SECONDS)
            self._progress(1)

    async def _reply(self, rendered: RenderedItem, item_hash: str, occasion: int) -> Reply | None:
        """The reply; None where another process has taken the conversation over."""
        if occasion and getattr(self._examinee, "draws", False):
            rendered = replace(rendered, occasion=occasion)
        try:
            if converses(self._examinee, rendered):
                return await self._converse(rendered, item_hash, occasion)
            return await self._examinee(rendered)
        except GfactorError:
            raise
        except Exception as error:
            # A defect of an examinee may concern one item only; it must not cost the others.
            return Reply("", "protocol_error", detail=f"{type(error).__name__}: {error}")

    async def _converse(
        self, rendered: RenderedItem, item_hash: str, occasion: int
    ) -> Reply | None:
        who, how = self._examinee.name, self._condition

        async def keep(turn: int, reply: Reply) -> bool:
            response = Response.now(who, item_hash, how, occasion, reply)
            return await asyncio.to_thread(self._journal.add_turn, response, turn)

        said = await asyncio.to_thread(self._journal.said, who, item_hash, how, occasion)
        return await converse(self._examinee, rendered, said, keep)

    async def _keep(self, response: Response, *, instant: bool) -> None:
        self._waiting.append(response)
        self._some.set()
        if len(self._waiting) >= self._worth_a_commit:
            self._enough.set()
        if not instant or len(self._waiting) >= _HELD:
            await self._stored.wait()

    async def _commit_batches(self) -> None:
        while True:
            await self._some.wait()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(COMMIT_SECONDS):
                    await self._enough.wait()
            # Replies that come in from here on wait for the next transaction.
            size, stored = len(self._waiting), self._stored
            self._stored = asyncio.Event()
            self._some.clear()
            self._enough.clear()
            await self._store(size)
            stored.set()

    async def _store(self, size: int) -> None:
        # A journal that others are writing to, or that is far away, is waited for in a thread, so
        # that nobody who is being asked meanwhile is kept waiting.
        start = time.perf_counter()
        if self._quick:
            self._commit(size)
        else:
            await asyncio.to_thread(self._commit, size)
        self._quick = time.perf_counter() - start < _QUICK_SECONDS

    def _commit(self, size: int) -> None:
        # Replies leave the list only when they are stored, so a transaction that is cut off or
        # fails is made up for by the next.
        with self._writing:
            batch = self._waiting[:size]
            if batch:
                self._journal.add(batch, claimed=True)
                del self._waiting[:size]
                self._stored_keys((r.item_hash, r.occasion) for r in batch)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
