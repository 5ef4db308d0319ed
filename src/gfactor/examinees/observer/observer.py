"""Observers: classical computer vision that answers from pixels and the task's name alone.

`observe` alone answers pictures. Other facts about an item (its id, texts, benchmark; a rendered
item has no target, size or scene) never get there: the examinee passes on the task's name (that of
its family, if the solver belongs to the family) and the encoded images, and the worker decodes them
and calls `observe`. An item without images is read (`read`) from its texts alone, and the
perception holds and considers as much of a text as of a picture.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from typing import Protocol

import cv2
from joblib.externals.loky import ProcessPoolExecutor

from gfactor.computing import executor, workers
from gfactor.examinees.base import RenderedItem, Reply
from gfactor.examinees.observer.perception import IdealPerception, Perception
from gfactor.examinees.observer.solvers import READERS, SOLVERS
from gfactor.imaging import Pixels
from gfactor.items import Image
from gfactor.listing import first_few

CANNOT_TELL = "I cannot tell from these pictures."
"""The reply if a domain has no solver or its solver fails; it conforms to no output format."""

_NAMED = 5
"""Largest number of tasks that a note names; for more it gives the number."""

_QUEUED_PER_WORKER = 4
"""Number of items in flight per worker process: enough that no worker waits for images."""


class PerceptionMaker(Protocol):
    """Function that makes the perception for one item; it is sent to worker processes."""

    def __call__(self, domain: str, pictures: tuple[Pixels, ...], text: str = "") -> Perception: ...


def ideal_perception(domain: str, pictures: tuple[Pixels, ...], text: str = "") -> Perception:
    """Return the maker of perfect perceptions."""
    return IdealPerception()


def observe(domain: str, pictures: tuple[Pixels, ...], perception: Perception) -> str:
    """Return the reply of `perception` to `pictures` (height x width x 3, RGB) as a question of
    `domain`.

    Without a solver for the domain, or if the solver fails on the perceived picture, the reply is
    `CANNOT_TELL`, which scoring counts as a format error.
    """
    if domain not in SOLVERS:
        return CANNOT_TELL
    seen = tuple(perception.see(picture) for picture in pictures)
    try:
        return SOLVERS[domain](seen, perception)
    except Exception:
        # Solvers are written for clear pictures; on degraded ones they may find no grid, no
        # circle, two legends. Any error that they raise means that nothing could be recognized.
        return CANNOT_TELL


def read(domain: str, text: str, perception: Perception) -> str:
    """Return the reply of `perception` to a text twin as a question of `domain`.

    Without a reader for the domain, or if the text is not a twin, the reply is `CANNOT_TELL`.
    """
    if domain not in READERS:
        return CANNOT_TELL
    try:
        return READERS[domain](text.split("\n"), perception)
    except (ValueError, LookupError):
        return CANNOT_TELL


def look(
    domain: str, encoded: tuple[bytes, ...], perceptions: PerceptionMaker, text: str = ""
) -> tuple[str, float]:
    """Decode the images, make a perception and observe; return the reply and its time in seconds.

    `text` is the text of an item without images, which is read.
    """
    started = time.perf_counter()
    pictures = tuple(Image(data, "").decode() for data in encoded)
    perception = perceptions(domain, pictures, text)
    reply = read(domain, text, perception) if text else observe(domain, pictures, perception)
    return reply, time.perf_counter() - started


class Observer:
    """An examinee that looks at pictures; it works in `jobs` processes (in a thread if jobs is 1).

    Parameters
    ----------
    name: canonical specification.
    perceptions: makes the perception for each item; must be picklable if `jobs` is above 1.
    jobs: worker processes. With more than one, solvers are found in each worker by import and
        entry point; one that is registered only in the calling script is not seen there.
    """

    deterministic = True

    def __init__(
        self, name: str, perceptions: PerceptionMaker = ideal_perception, jobs: int = 1
    ) -> None:
        self.name = name
        self._cluster = executor()
        count = workers(jobs) if self._cluster else jobs
        self.in_flight = _QUEUED_PER_WORKER * count if count > 1 or self._cluster else 2
        self._perceptions = perceptions
        self._jobs = jobs
        self._pool: Executor | None = None
        self._unsolved: set[str] = set()

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a note for the caller that names the families and tasks it could not solve."""
        if not self._unsolved:
            return ()
        names = sorted(self._unsolved)
        return (
            f"observers cannot solve {first_few(names, _NAMED)}: every reply there is "
            f"{CANNOT_TELL!r}, which says nothing about the items",
        )

    async def __call__(self, item: RenderedItem) -> Reply:
        """The reply to one item; `latency_s` is the time spent looking, not waiting."""
        if self._pool is None:
            self._pool = self._cluster or worker_pool(self._jobs)
        encoded = tuple(image.data for image in item.images)
        loop = asyncio.get_running_loop()
        words = "" if encoded else "\n".join(part for part in item.content if isinstance(part, str))
        solvable = READERS if words else SOLVERS
        task = item.family if item.task not in solvable and item.family in solvable else item.task
        if task not in solvable:
            self._unsolved.add(item.family or item.task)
        reply, seconds = await loop.run_in_executor(
            self._pool, look, task, encoded, self._perceptions, words
        )
        return Reply(reply, latency_s=seconds)

    async def close(self) -> None:
        """End the thread; worker processes stay for the next observer until they are idle for some
        time."""
        if self._pool is not None and self._jobs == 1 and self._cluster is None:
            self._pool.shutdown()
        self._pool = None


IDLE_SECONDS = 60
"""Time that idle worker processes wait for the next observer; starting one takes seconds."""


def worker_pool(jobs: int) -> Executor:
    """Return an executor with `jobs` workers: one thread if `jobs` is 1, else shared
    processes."""
    if jobs == 1:
        return ThreadPoolExecutor(1, "observer", initializer=_use_one_core)
    pool = _processes(jobs)
    if pool._flags.broken or pool._flags.shutdown:
        _processes.cache_clear()
        pool = _processes(jobs)
    return pool


@cache
def _processes(jobs: int) -> ProcessPoolExecutor:
    # Not loky's shared executor, because joblib.Parallel uses that one too and fails if it was made
    # with other settings, for example if a bank is built after observers have answered.
    return ProcessPoolExecutor(max_workers=jobs, timeout=IDLE_SECONDS, initializer=_prepare)


def _use_one_core() -> None:
    # OpenCV's own threads would compete with other workers for the cores.
    cv2.setNumThreads(1)


def _prepare() -> None:
    _use_one_core()
    # Ctrl-C reaches the whole process group; only the process that keeps the journal acts on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when its parent has ended: a killed run cannot stop its workers itself."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
