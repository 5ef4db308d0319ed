"""Asking many questions at once; a worker stores each reply before its next question."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from gfactor.administration.asking.interrupting import first_error
from gfactor.administration.asking.rounds import converse, converses
from gfactor.administration.sharing.claims import Claims, DrawnItem
from gfactor.administration.sharing.spilling import Spilled, spill
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.outages import Outage
from gfactor.administration.storing.response import Response
from gfactor.errors import GfactorError, JournalError
from gfactor.examinees import Examinee, RenderedItem, Reply
from gfactor.examinees.http.limits import RunStoppedError

_INSTANT_SECONDS = 0.001
"""Time of a reply below which it is cheap to repeat: the worker goes on before it is stored."""

_QUICK_SECONDS = 0.005
"""Duration below which transactions run in place, because handing them to a thread takes longer."""

FINISHING_SECONDS = 120.0
"""Longest time that a stopped run waits for pending answers."""

_SILENT_SECONDS = 1.0
"""Seconds after which a stopped run reports that it waits."""

_BUFFERED = 1000
"""Largest number of replies that wait for a transaction."""

Progress = Callable[[int], object]
"""Called with the number of answers that have come in since the last call."""

OnStored = Callable[[Sequence[Response]], object]
"""Called with responses when they are stored."""

_Drawn = tuple[Claims, DrawnItem]


class Asking:
    """The asking of one examinee: its workers, and the replies that wait for the next transaction.

    A worker asks its next question when its last reply is stored. A killed process therefore loses
    only the questions in flight (and replies that were computed in an instant).

    Parameters
    ----------
    until_failure: True to ask nothing more after a failed attempt.
    on_stored: called with responses when they are stored, also those to earlier turns.
    """

    def __init__(
        self,
        examinee: Examinee,
        journal: Journal,
        progress: Progress | None = None,
        *,
        until_failure: bool = False,
        on_stored: OnStored | None = None,
    ) -> None:
        self.asked = self.failed = 0
        self.detail = ""
        self._examinee = examinee
        self._journal = journal
        self._progress = progress or (lambda _: None)
        self._on_stored = on_stored
        self._examinee_stored = getattr(examinee, "stored", None)
        self._until_failure = until_failure
        self._claims: Mapping[str, Claims] = {}
        self._waiting: list[Response] = []
        self._askers: list[asyncio.Future[None]] = []  # They go on when what waits is stored.
        self._storing = False
        self._unstored = asyncio.Event()  # Replies wait for a thread, or for another attempt.
        self._trouble: Exception | None = None  # Why they could not be stored at once.
        self._writing = Lock()
        self._quick = True
        self._outage = Outage()
        self._stopping = False
        self._drawing: set[asyncio.Task[Any]] = set()
        """Tasks that wait for a question and have asked none."""
        self._in_flight, self._loop = 0, asyncio.get_running_loop()
        self._away: JournalError | None = None
        """Error for which the journal was given up; later replies go to spill files."""
        self._spilled: dict[Path, int] = {}

    async def ask(self, first: Claims, *more: Claims) -> None:
        """Ask all questions that can be claimed, and store every reply that arrives, even after an
        error.

        Questions of several claims, each under a condition of its own, are asked in turn. When the
        task is canceled (Ctrl-C), nothing new is asked, and pending answers are awaited and stored,
        for at most `FINISHING_SECONDS`; a second interrupt ends the waiting.
        """
        self._outage = first.outage
        work = asyncio.create_task(self._ask_all(first, *more))
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            await self._finish(work)
            raise

    async def _finish(self, work: asyncio.Task[None]) -> None:
        self._stop()
        try:
            await asyncio.wait({work}, timeout=_SILENT_SECONDS)
            if not work.done() and self._in_flight:
                self._outage.tell(
                    f"{self._examinee.name}: stopping when {self._in_flight:,} answers that are on "
                    "their way are stored; press Ctrl-C again to stop at once"
                )
            await asyncio.wait({work}, timeout=FINISHING_SECONDS)
        finally:
            work.cancel()
            await asyncio.wait({work})
        if not work.cancelled() and isinstance(work.exception(), JournalError):
            self._outage.tell(f"{work.exception()}")

    def _stop(self) -> None:
        """Stop asking new questions; replies to questions in flight are still stored."""
        self._stopping = True
        for task in tuple(self._drawing):
            task.cancel()
        finish = getattr(self._examinee, "finish", None)
        if finish is not None:
            finish()

    def _give_up(self, error: JournalError) -> None:
        """Ask nothing new, because the journal is out of reach; store replies in spill files."""
        if self._away is None:
            self._away = error
            task = asyncio.current_task()
            self._drawing.discard(task)  # pyright: ignore[reportArgumentType]
            self._stop()

    def _spill(self, replies: Sequence[Spilled]) -> None:
        if replies:
            path = spill(self._journal, replies)
            self._spilled[path] = len(replies)

    def _sentence(self) -> JournalError:
        """The error of a journal that was given up, with the place where the replies were
        stored."""
        assert self._away is not None
        if not self._spilled:
            return self._away
        many = sum(self._spilled.values())
        files = " and ".join(repr(str(path)) for path in self._spilled)
        return JournalError(
            f"{str(self._away).rstrip('. ')}; {many:,} replies that it could not take are kept in "
            f"{files}, and the next command that writes to this journal takes them in"
        )

    async def _ask_all(self, first: Claims, *more: Claims) -> None:
        claims = (first, *more)
        self._claims = {one.condition: one for one in claims}
        ready: asyncio.Queue[_Drawn | None] = asyncio.Queue(maxsize=1)
        try:
            async with asyncio.TaskGroup() as all_tasks:
                committer = all_tasks.create_task(self._commit_batches())
                async with asyncio.TaskGroup() as workers:
                    if more:
                        self._drawing.add(workers.create_task(self._mix(claims, ready)))
                    draw = ready.get if more else partial(_draw, first)
                    at_hand = (lambda: None) if more else partial(_at_hand, first)
                    for _ in range(self._examinee.in_flight):
                        workers.create_task(self._work(at_hand, draw))
                committer.cancel()
        except BaseExceptionGroup as group:
            raise first_error(group) from None
        finally:
            self._commit_last()
        if self._away is not None:
            raise self._sentence() from self._away.__cause__

    def _commit_last(self) -> None:
        """Store the waiting replies, in the journal or in a spill file."""
        try:
            if self._away is None:
                self._commit(len(self._waiting))
        except JournalError as error:
            self._away = error
        if self._away is not None:
            self._spill_waiting(len(self._waiting))

    async def _mix(self, claims: Sequence[Claims], ready: asyncio.Queue[_Drawn | None]) -> None:
        """Mix the questions of all claims so that each claim has the same share at any time. Claims
        may have different sizes if cells of a grid are left out. Claims that wait for other
        processes do not delay the others.
        """
        counts, moved = dict.fromkeys(claims, 0), asyncio.Event()

        def move() -> None:
            nonlocal moved
            moved.set()
            moved = asyncio.Event()

        async def feed(one: Claims) -> None:
            one.when_held_up = move
            while (drawn := await self._drawn(partial(_draw, one))) is not None:
                while any(
                    n * one.total < counts[one] * other.total and not other.held_up
                    for other, n in counts.items()
                ):
                    await moved.wait()
                counts[one] += 1
                move()
                await ready.put(drawn)
            del counts[one]
            move()

        async with asyncio.TaskGroup() as feeding:
            for one in claims:
                feeding.create_task(feed(one))
        for _ in range(self._examinee.in_flight):
            await ready.put(None)

    async def _work(
        self, at_hand: Callable[[], _Drawn | None], draw: Callable[[], Awaitable[_Drawn | None]]
    ) -> None:
        # All workers draw from the same claims, so that no more questions are read than are being
        # asked.
        task = asyncio.current_task()
        assert task is not None
        while not (self._stopping or (self._until_failure and self.failed)):
            drawn = at_hand()
            if drawn is None:
                self._drawing.add(task)
                drawn = await self._drawn(draw)
                self._drawing.discard(task)
            if drawn is None:
                break
            claims, (rendered, item_hash, occasion) = drawn
            start = time.perf_counter()
            key = item_hash, claims.condition, occasion
            self._in_flight += 1
            stopped: RunStoppedError | None = None
            try:
                reply = await self._reply(rendered, *key)
            except RunStoppedError as error:
                # The attempt that ends the run is stored like those before it, so that all counts
                # of failed attempts agree.
                if (reply := error.reply) is None:
                    raise
                stopped = error
            finally:
                self._in_flight -= 1
            if reply is None:
                continue
            response = Response.now(self._examinee.name, *key, reply)
            self.asked += 1
            if response.failed:
                self.failed += 1
                self.detail = reply.detail
            instant = stopped is not None or time.perf_counter() - start < _INSTANT_SECONDS
            await self._keep(response, instant=instant)
            self._progress(1)
            if stopped is not None:
                raise stopped

    async def _drawn(self, draw: Callable[[], Awaitable[_Drawn | None]]) -> _Drawn | None:
        """The next question; None if there is none, or the journal is out of reach."""
        try:
            return await draw()
        except JournalError as error:
            self._give_up(error)
            return None

    async def _reply(
        self, rendered: RenderedItem, item_hash: str, condition: str, occasion: int
    ) -> Reply | None:
        """The reply; None if another process has taken the conversation over."""
        if occasion and getattr(self._examinee, "draws", False):
            rendered = replace(rendered, occasion=occasion)
        try:
            if converses(self._examinee, rendered):
                return await self._converse(rendered, item_hash, condition, occasion)
            return await self._examinee(rendered)
        except GfactorError:
            raise
        except Exception as error:
            # A defect of an examinee may concern one item only; it must not cost the others.
            return Reply("", "protocol_error", detail=f"{type(error).__name__}: {error}")

    async def _converse(
        self, rendered: RenderedItem, item_hash: str, condition: str, occasion: int
    ) -> Reply | None:
        key = self._examinee.name, item_hash, condition, occasion

        async def keep(turn: int, reply: Reply) -> bool:
            response = Response.now(*key, reply)
            try:
                if self._away is not None:
                    raise self._away
                store = partial(self._journal.add_turn, response, turn)
                goes_on = await self._outage.outlast(store)
            except JournalError as error:
                self._give_up(error)
                self._spill([Spilled(response, turn)])
                return False
            self._tell_stored([response])
            return goes_on

        try:
            replies = await self._outage.outlast(partial(self._journal.said, *key))
        except JournalError as error:
            self._give_up(error)
            return None
        return await converse(self._examinee, rendered, replies, keep)

    async def _keep(self, response: Response, *, instant: bool) -> None:
        self._waiting.append(response)
        if not self._storing:
            # Replies that are there are stored together, later ones by the next transaction. A
            # wait for others, 2 ms say, spares no processor time (benchmarks/throughput.py).
            self._storing = True
            self._loop.call_soon(self._store_at_once)
        if not instant or len(self._waiting) >= _BUFFERED:
            stored = self._loop.create_future()
            self._askers.append(stored)
            await stored

    def _store_at_once(self) -> None:
        """Store what waits in the event loop, or leave it to `_commit_batches`."""
        if not self._quick or self._away is not None:
            self._unstored.set()
            return
        start = time.perf_counter()
        try:
            self._commit(len(self._waiting))
        except Exception as error:
            self._trouble = error
            self._unstored.set()
            return
        self._quick = time.perf_counter() - start < _QUICK_SECONDS
        self._storing = False
        self._let_go_on(len(self._askers))

    def _let_go_on(self, many: int) -> None:
        for stored in self._askers[:many]:
            if not stored.done():
                stored.set_result(None)
        del self._askers[:many]

    async def _commit_batches(self) -> None:
        # A journal that others are writing to, or that is far away, is waited for in a thread, so
        # that nobody who is being asked meanwhile is kept waiting.
        while True:
            await self._unstored.wait()
            self._unstored.clear()
            trouble, self._trouble = self._trouble, None
            if trouble is not None and not isinstance(trouble, JournalError):
                raise trouble
            size, askers = len(self._waiting), len(self._askers)
            if self._away is None:
                start = time.perf_counter()
                try:
                    if trouble is not None:
                        await self._outage.wait(trouble)
                    await self._outage.outlast(partial(self._commit, size))
                except JournalError as error:
                    self._give_up(error)
                self._quick = time.perf_counter() - start < _QUICK_SECONDS
            if self._away is not None:
                self._spill_waiting(size)
            self._let_go_on(askers)
            if self._waiting:
                self._loop.call_soon(self._store_at_once)
            else:
                self._storing = False

    def _commit(self, size: int) -> None:
        # Replies leave the list only when they are stored, so that the next transaction stores
        # those of one that was cut off or failed.
        with self._writing:
            batch = self._waiting[:size]
            if batch:
                self._journal.add(batch, claimed=True)
                del self._waiting[:size]
                for response in batch:
                    key = response.item_hash, response.occasion
                    self._claims[response.condition].done([key])
                self._tell_stored(batch)

    def _spill_waiting(self, size: int) -> None:
        with self._writing:
            self._spill([Spilled(response) for response in self._waiting[:size]])
            del self._waiting[:size]

    def _tell_stored(self, batch: Sequence[Response]) -> None:
        if self._examinee_stored is not None:
            self._examinee_stored([response.reply for response in batch])
        if self._on_stored is not None:
            self._on_stored(batch)


async def _draw(claims: Claims) -> _Drawn | None:
    question = await claims.draw()
    return question and (claims, question)


def _at_hand(claims: Claims) -> _Drawn | None:
    question = claims.at_hand()
    return question and (claims, question)
