"""The local examinee: waiting questions are answered in batches of similar length."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from typing import Protocol

from gfactor.errors import GfactorError, ParameterError
from gfactor.examinees.base import FAILED, RenderedItem, Reply
from gfactor.examinees.http.limits import Breaker
from gfactor.examinees.http.tokens import estimate_tokens

_WINDOW = 4
"""Number of batches' worth of questions in flight, from which each batch is chosen."""

_PAUSE_S = 0.02
"""Seconds without a new question after which a batch that is not full is computed."""

_EXCERPT = 300

_NO_MEMORY = ("out of memory", "can't allocate memory")
"""Messages of PyTorch about full memory, on GPUs and in main memory."""


class Engine(Protocol):
    """Interface of engines that compute replies; called in one thread, one call at a time.

    `notes` has sentences about the computation, once the model is loaded.
    """

    notes: tuple[str, ...]

    def load(self) -> None:
        """Load the model; its errors become a message of one sentence."""
        ...

    def check(self, item: RenderedItem) -> None:
        """Raise ParameterError for an item that the model can never be asked.

        It is called before the model is loaded, and once more afterwards, when more facts are
        known.
        """
        ...

    def answer(self, items: Sequence[RenderedItem]) -> list[Reply]:
        """Return replies to items that have the same parameters of generation."""
        ...

    def free(self) -> None:
        """Release unused memory after a batch that was too large."""
        ...

    def close(self) -> None:
        """Release the model."""
        ...


@dataclass(frozen=True)
class _Waiting:
    item: RenderedItem
    reply: asyncio.Future[Reply]
    number: int
    kind: Hashable
    length: int


@dataclass(frozen=True)
class _Trouble:
    """The reason why a batch failed; the exception itself would keep the memory in use."""

    detail: str
    no_memory: bool


class LocalExaminee:
    """A model that computes in this process.

    Questions that are asked at the same time wait in one queue. The question that has waited
    longest is answered together with those of the most similar length, so that little of a batch
    is padding. Only questions with the same parameters of generation and the same number of images
    share a batch. A batch that does not fit into memory is asked again in halves, and later batches
    are no larger than these. If a batch fails for another reason, its questions are asked one by
    one, so that a single bad item spoils no other.

    Parameters
    ----------
    name: canonical specification.
    engine: engine that computes the replies.
    batch: largest number of questions in one batch.
    """

    converses = True
    deterministic = True
    draws = True

    def __init__(self, name: str, engine: Engine, batch: int) -> None:
        self.name = name
        self.in_flight = _WINDOW * batch
        self._engine = engine
        self._batch = batch
        self._waiting: list[_Waiting] = []
        self._numbers = count()
        self._work: asyncio.Task[None] | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._loaded = False
        self._halved: list[str] = []
        self._breaker = Breaker()

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes on the computation, and on batches that had to be reduced."""
        return (*self._engine.notes, *self._halved)

    async def __call__(self, item: RenderedItem) -> Reply:
        """Answer as soon as the item is in a batch.

        Raises ParameterError for an item that the model can never answer (images, if it only reads
        text), and RunStoppedError if twenty items in a row failed.
        """
        start = time.perf_counter()
        self._engine.check(item)
        loop = asyncio.get_running_loop()
        kind = tuple(sorted(item.decoding.items())), len(item.images)
        waiting = _Waiting(item, loop.create_future(), next(self._numbers), kind,
                           estimate_tokens(item))  # fmt: skip
        self._waiting.append(waiting)
        if self._work is None or self._work.done():
            self._work = loop.create_task(self._answer_all())
        reply = await waiting.reply
        if reply.outcome in FAILED:
            self._breaker.failed(self.name, reply)
        else:
            self._breaker.succeeded()
        return replace(reply, latency_s=time.perf_counter() - start)

    async def close(self) -> None:
        """Wait for the batch that is being computed, and release the model."""
        if self._work is not None and not self._work.done():
            self._work.cancel()
        self._work = None
        self._waiting.clear()
        if self._thread is not None:
            thread, self._thread = self._thread, None
            await asyncio.to_thread(thread.shutdown)
        self._loaded = False
        self._engine.close()

    async def _answer_all(self) -> None:
        while self._waiting:
            await self._settle()
            batch = self._take()
            if batch:
                await self._answer(batch)

    async def _settle(self) -> None:
        """Wait while questions come in, since they arrive one after the other."""
        waiting = 0
        while waiting < len(self._waiting) < self.in_flight:
            waiting = len(self._waiting)
            await asyncio.sleep(_PAUSE_S)

    def _take(self) -> list[_Waiting]:
        """The next batch: the question that has waited longest, and those nearest in length."""
        self._waiting = [w for w in self._waiting if not w.reply.done()]
        if not self._waiting:
            return []
        oldest = min(self._waiting, key=lambda w: w.number)
        alike = [w for w in self._waiting if w.kind == oldest.kind]
        alike.sort(key=lambda w: (w.length, w.number))
        size = min(self._batch, len(alike))
        rank = alike.index(oldest)
        starts = range(max(0, rank - size + 1), min(rank, len(alike) - size) + 1)
        first = min(starts, key=lambda s: (alike[s + size - 1].length - alike[s].length, s))
        batch = alike[first : first + size]
        taken = {w.number for w in batch}
        self._waiting = [w for w in self._waiting if w.number not in taken]
        return batch

    async def _answer(self, batch: list[_Waiting]) -> None:
        """Answer a batch, whatever happens: every question in it gets a reply or an error."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "gfactor-local")
        loop = asyncio.get_running_loop()
        try:
            done = await loop.run_in_executor(self._thread, self._compute, [w.item for w in batch])
        except BaseException as error:
            # A user's mistake, or the end of the run, concerns all questions.
            for waiting in batch:
                if not waiting.reply.done():
                    cancelled = isinstance(error, asyncio.CancelledError)
                    _ = waiting.reply.cancel() if cancelled else waiting.reply.set_exception(error)
            if not isinstance(error, Exception):
                raise
            return
        if isinstance(done, list):
            for waiting, reply in zip(batch, done, strict=True):
                if not waiting.reply.done():
                    waiting.reply.set_result(reply)
        elif len(batch) == 1:
            outcome = "transport_error" if done.no_memory else "protocol_error"
            if not batch[0].reply.done():
                batch[0].reply.set_result(Reply("", outcome, "", detail=done.detail))
        else:
            size = len(batch) // 2 if done.no_memory else 1
            if done.no_memory:
                self._halve(len(batch), size)
            for start in range(0, len(batch), size):
                await self._answer(batch[start : start + size])

    def _halve(self, tried: int, size: int) -> None:
        if size < self._batch:
            self._batch = size
            self._halved.append(
                f"out of memory with {tried} items at once: at most {size} from then on"
            )

    def _load(self) -> None:
        try:
            self._engine.load()
        except GfactorError:
            raise
        except Exception as error:
            # Libraries raise errors of any kind for a missing file, device or memory.
            message = " ".join(f"{type(error).__name__}: {error}".split())
            raise ParameterError(f"{self.name} cannot be loaded: {message[:_EXCERPT]}") from error
        self._loaded = True

    def _compute(self, items: list[RenderedItem]) -> list[Reply] | _Trouble:
        """Return the replies, in the thread; raise only errors that a user can cause."""
        if not self._loaded:
            self._load()
        for item in items:
            self._engine.check(item)
        try:
            return self._engine.answer(items)
        except GfactorError:
            raise
        except Exception as error:
            message = " ".join(f"{type(error).__name__}: {error}".split())
            no_memory = isinstance(error, MemoryError) or any(w in message for w in _NO_MEMORY)
        if no_memory:
            self._engine.free()
            return _Trouble(f"out of memory with one item: {message}"[:_EXCERPT], True)
        return _Trouble(message[:_EXCERPT], False)
