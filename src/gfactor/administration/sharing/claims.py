"""Sharing a run between processes: each claims in the journal the questions that it will ask.

A claim is a lease. Its owner renews it by a heartbeat and ends it when the reply is stored; if the
owner was killed or cut off, the claim expires by the database's clock, and others take over. They
do so at once if the owner was on this machine and has certainly ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from pathlib import Path
from threading import Event, Lock, Thread

from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.outages import Outage
from gfactor.administration.storing.rows import Key
from gfactor.errors import JournalError
from gfactor.examinees import RenderedItem

LEASE_SECONDS = 60.0
"""Time after which a silent process loses what it has claimed."""

_BEATS = 4
"""Number of times that a lease is renewed while it lasts."""

_SECONDS_AHEAD = 1.0
"""Amount of work that is claimed at once, in seconds: little enough that no process has much left
at the end, and enough that claiming takes a small share of the time.
"""

_MOST_AT_ONCE = 500

_LEFT = 10
"""The next questions are claimed when one in so many of the last ones is left, so that nobody waits
for a claim. Fewer questions than that are not claimed ahead: each takes long."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
"""Shortest and longest time between looks at other processes' claims, when nothing else is to be
done."""

_SILENT_S = 3.0
"""Seconds of waiting for other processes before it is reported."""

DrawnItem = tuple[RenderedItem, str, int]
"""Question, the item's hash, and the occasion."""

Put = Callable[[Sequence[Key]], Iterator[DrawnItem]]
"""Function that makes the questions of keys when they are needed."""

Tell = Callable[[str], object]
"""Called with a sentence while a run waits for other processes."""


def new_owner() -> str:
    """Return a unique name for this process, which contains its machine."""
    return f"{socket.gethostname()}|{_boot_id()}|{os.getpid()}|{secrets.token_hex(6)}"


def is_gone(owner: str) -> bool:
    """Return True if the process of an owner has certainly ended; False if in doubt."""
    host, boot, number, _ = owner.split("|")
    if os.name != "posix" or (host, boot) != (socket.gethostname(), _boot_id()):
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    # A process that has ended is still listed until its parent has read its exit code.
    with contextlib.suppress(OSError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return False


def process_name(owner: str) -> str:
    """Return the number and the machine of an owner's process, for messages."""
    host, _, number, _ = owner.split("|")
    return f"process {number} on {host}"


@cache
def _boot_id() -> str:
    """Return a text that distinguishes this machine's process numbers from those of other machines.

    Two containers may have the same name, and each its own numbering.
    """
    parts = []
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
    with contextlib.suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return " ".join(parts)


class Claims:
    """Questions that one process may ask in a shared run; use it in an `async with` block.

    `draw` returns the next question, and claims further ones if none is left; it returns None when
    all keys have been answered, by this process or another. Leaving the block ends all claims.

    Parameters
    ----------
    todo: the keys that had no answer at the start, in the order in which they are to be asked.
    put: function that makes their questions.
    in_flight: number of questions that are asked at once.
    tell: called with a sentence while waiting for other processes.
    progress: called with the number of keys that others have answered since the last call.

    Attributes
    ----------
    total: number of keys at the start.
    outage: waits for the journal while it is out of reach.
    elsewhere, failed_elsewhere: numbers of keys that other processes answered meanwhile, or
    attempted without success.
    held_up: True if, at the last check, other processes had claimed all remaining keys.
    when_held_up: function that is called whenever a check finds this.
    """

    def __init__(
        self,
        journal: Journal,
        examinee: str,
        condition: str,
        todo: Sequence[Key],
        put: Put,
        in_flight: int,
        tell: Tell | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self.owner = new_owner()
        self.elsewhere = self.failed_elsewhere = 0
        self.held_up = False
        self.when_held_up: Callable[[], object] = lambda: None
        self.condition = condition
        self._journal = journal
        self._whose = examinee, condition
        self._todo = dict.fromkeys(todo)
        self.total = len(self._todo)
        self._put = put
        self._ready: Iterator[DrawnItem] = iter(())
        self._granted: set[Key] = set()
        self._done: set[Key] = set()
        self._in_flight = in_flight
        self._tell = tell or (lambda _: None)
        self.outage = Outage(self._tell)
        self._progress = progress or (lambda _: None)
        self._failures = 0
        self._batch, self._batch_at = 0, 0.0
        self._others: Mapping[Key, str] = {}
        self._renewed = _clocks()
        self._claiming = asyncio.Lock()
        self._claimed: asyncio.Event | None = None
        """Set when the claiming that is under way has ended."""
        self._ahead: asyncio.Task[None] | None = None
        self._using, self._stop = Lock(), Event()
        self._heart = Thread(target=self._beat, daemon=True, name="gfactor heartbeat")

    async def __aenter__(self) -> Claims:
        if self._todo:
            self._failures = await asyncio.to_thread(self._journal.last_failure)
            self._heart.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stop.set()
        if self._ahead is not None:
            self._ahead.cancel()
            await asyncio.wait({self._ahead})
        if self._heart.ident is None:
            return
        self._heart.join()
        # A canceled claim may still run in its thread.
        with self._using, contextlib.suppress(JournalError):
            self._journal.release([self.owner])

    def at_hand(self) -> DrawnItem | None:
        """Return the next question if it can be had without waiting, else None.

        It is what `draw` would return, in less time.
        """
        if self._in_doubt():
            return None
        for question in self._ready:
            if self._may_ask(question[1:]):
                return question
        return None

    async def draw(self) -> DrawnItem | None:
        """Return the next question, None if there is none left in the whole run."""
        while True:
            question = next(self._ready, None)
            if question is None:
                if not await self._more():
                    return None
                continue
            if self._in_doubt():
                await self._make_sure()
            if self._may_ask(question[1:]):
                return question

    def _may_ask(self, key: Key) -> bool:
        """Return True if this process still holds a key, which is asked now."""
        if key not in self._granted:
            return False
        self._granted.remove(key)
        if len(self._granted) == self._batch // _LEFT > 0 and self._todo and self._claimed is None:
            self._claimed = asyncio.Event()
            self._ahead = asyncio.create_task(self._claim_ahead(self._claimed))
        return True

    async def _more(self) -> bool:
        """Claim questions, or wait for another task that does; False if there are none left."""
        if self._claimed is not None:
            # An event wakes all who wait at once; a lock would wake one after the other.
            await self._claimed.wait()
            return True
        claimed = self._claimed = asyncio.Event()
        try:
            async with self._claiming:
                if not self._todo:
                    return False
                await self._claim()
                return True
        finally:
            self._claimed = None
            claimed.set()

    async def _claim_ahead(self, claimed: asyncio.Event) -> None:
        """Claim free questions while others are left; after a failure, `draw` claims them."""
        try:
            async with self._claiming:
                with contextlib.suppress(JournalError):
                    self._take(*await asyncio.to_thread(self._claim_some))
        finally:
            self._claimed = None
            claimed.set()

    def _take(self, granted: Sequence[Key], n_settled: int) -> None:
        """Have questions asked that were claimed, after those that are left."""
        if n_settled:
            self._progress(n_settled)
        if granted:
            self._granted.update(granted)
            self._ready = chain(self._ready, self._put(granted))
        if granted or not self._granted:
            self._batch, self._batch_at = len(self._granted), time.monotonic()

    def add(self, keys: Iterable[Key]) -> None:
        """Add keys, to be asked after those that are left."""
        with self._using:
            self._todo.update(dict.fromkeys(keys))
        if self._todo and self._heart.ident is None:
            self._heart.start()

    def done(self, keys: Iterable[Key]) -> None:
        """Record that keys were stored; their claims end when the next questions are claimed."""
        self._done.update(keys)

    async def _claim(self) -> None:
        """Claim free questions; while other processes have claimed the rest, report and wait."""
        pause, since, reported = _FIRST_PAUSE, time.monotonic(), ""
        while self._todo:
            in_vain = self.failed_elsewhere
            granted, n_settled = await self.outage.outlast(self._claim_some)
            self._take(granted, n_settled)
            self.held_up = not granted and bool(self._todo)
            if granted:
                return
            self.when_held_up()
            waiting = self._waiting()
            if waiting and waiting != reported and time.monotonic() - since > _SILENT_S:
                reported = waiting
                self._tell(waiting)
            # Keys that others attempted without success are found a few at a time, without a pause.
            if self._todo and self.failed_elsewhere == in_vain:
                await asyncio.sleep(pause)
                pause = min(_LONGEST_PAUSE, pause * 1.5)

    def _claim_some(self) -> tuple[list[Key], int]:
        """Return keys that are now this process's, at most a second's work, and the number of keys
        that others have settled."""
        with self._using:
            if self._stop.is_set():
                return [], 0
            self._look()
            before = len(self._todo)
            free = (key for key in self._todo if key not in self._others)
            wanted, done = list(islice(free, self._size())), list(self._done)
            if not wanted and not done:
                self._leave_out(self._answered())
                return [], before - len(self._todo)
            granted, answered, failed = self._journal.claim(
                self.owner, LEASE_SECONDS, *self._whose, wanted, done=done,
                failed_after=self._failures,
            )  # fmt: skip
            self._done.difference_update(done)
            self.failed_elsewhere += len(failed)
            if len(granted) < len(wanted) / 2:
                # Other processes are fast, so all keys that they have answered are left out.
                answered |= self._answered()
            self._leave_out(answered)
            for key in granted | failed:
                del self._todo[key]
            n_settled = before - len(self._todo) - len(granted)
            return [key for key in wanted if key in granted], n_settled

    def _answered(self) -> set[Key]:
        """Return the open questions of this process that have been answered meanwhile."""
        return {key for key in self._journal.answered(*self._whose) if key in self._todo}

    def _leave_out(self, answered: set[Key]) -> None:
        """Leave out questions that others have answered."""
        self.elsewhere += len(answered)
        for key in answered:
            del self._todo[key]

    def _look(self) -> None:
        """Look up the claims of other processes; release those of processes that have ended."""
        others = self._journal.claims(*self._whose, but=self.owner)
        gone = {name for name in {name for name, _ in others.values()} if is_gone(name)}
        self._others = {
            key: name for key, (name, left) in others.items() if left > 0 and name not in gone
        }
        if len(self._others) < len(others):
            self._journal.release(gone)

    def _size(self) -> int:
        """Return the number of questions to claim: as many as were asked in the last second."""
        if not self._batch:
            return max(1, self._in_flight)
        seconds = max(time.monotonic() - self._batch_at, 1e-3)
        rate = (self._batch - len(self._granted)) / seconds
        wanted = min(int(rate * _SECONDS_AHEAD), 4 * self._batch, _MOST_AT_ONCE)
        return max(wanted, self._in_flight, 1)

    def _waiting(self) -> str:
        """Return a sentence about the processes that have claimed the remaining questions."""
        left = [self._others[key] for key in self._todo if key in self._others]
        if not left:
            return ""
        names = [f"{process_name(name)} ({many:,})" for name, many in sorted(Counter(left).items())]
        return (
            f"{self._whose[0]}: waiting for {len(left):,} answers that other processes are getting:"
            f" {', '.join(names)}; what a process that is gone has claimed is taken over "
            f"{LEASE_SECONDS:g} s after its last sign of life"
        )

    def _in_doubt(self) -> bool:
        """Return True if the lease may have expired because this process was stopped or asleep."""
        # One clock runs on while the machine sleeps, the other is never adjusted.
        wall, steady = self._renewed
        half = LEASE_SECONDS / 2
        return time.time() - wall > half or time.monotonic() - steady > half

    async def _make_sure(self) -> None:
        """Renew the claims; keys that others have claimed meanwhile are left to them."""
        async with self._claiming:
            if self._in_doubt():
                began = _clocks()
                renewed = await self.outage.outlast(self._renew)
                lost = self._granted - renewed
                self._granted -= lost
                self._todo.update(dict.fromkeys(sorted(lost)))
                # Set only now, so that a worker that draws a question meanwhile checks its lease,
                # too.
                self._renewed = began

    def _renew(self) -> set[Key]:
        return self._journal.renew(self.owner, LEASE_SECONDS)

    def _beat(self) -> None:
        # A separate thread, because an examinee that computes may block the event loop for long.
        while not self._stop.wait(LEASE_SECONDS / _BEATS):
            began, doubt = _clocks(), self._in_doubt()
            with contextlib.suppress(JournalError):
                self._renew()
                if not doubt:
                    # Otherwise some claims may be lost, which is checked before the next question.
                    self._renewed = began


def _clocks() -> tuple[float, float]:
    return time.time(), time.monotonic()
