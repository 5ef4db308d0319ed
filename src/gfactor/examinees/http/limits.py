"""How many requests at once, how many a minute, and when to stop trying.

Clocks are passed in, so that tests need not wait.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from gfactor.errors import GfactorError

Clock = Callable[[], float]


class RunStoppedError(GfactorError):
    """The run cannot go on (server down, deadline, money spent); what was answered is kept."""


class AdaptiveLimit:
    """Requests in flight: more after each window of successes, half as many on overload.

    As TCP does it: up to the first overload every window of successes doubles the limit, from then
    on it adds one, so that the limit settles a little above what the server takes. At most one
    decrease a second, so that the many failures of one overload count once.
    """

    def __init__(self, most: int, start: int = 16, clock: Clock = time.monotonic) -> None:
        self.most = most
        self.limit = float(min(start, most))
        self._clock = clock
        self._in_flight = 0
        self._cut_at = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def acquire(self) -> None:
        """Wait for a place."""
        while self._in_flight >= int(self.limit):
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            await place
        self._in_flight += 1

    def release(self, *, overloaded: bool) -> None:
        """Give the place back, and say how it went."""
        self._in_flight -= 1
        if not overloaded:
            more = 1 / self.limit if self._cut_at > float("-inf") else 1.0
            self.limit = min(float(self.most), self.limit + more)
        elif self._clock() - self._cut_at >= 1:
            self._cut_at = self._clock()
            self.limit = max(1.0, self.limit / 2)
        free = int(self.limit) - self._in_flight
        while free > 0 and self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1


class TokenBucket:
    """So many units a minute, with a burst of at most a tenth of that; 0 means no limit."""

    def __init__(self, per_minute: float, clock: Clock = time.monotonic) -> None:
        self._rate = per_minute / 60
        self._burst = max(1.0, per_minute / 10)
        self._level = self._burst
        self._clock = clock
        self._at = clock()

    def take(self, units: float) -> float:
        """Take the units; the seconds to wait before using them (debts are paid in order)."""
        if not self._rate:
            return 0.0
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        self._level -= units
        return max(0.0, -self._level / self._rate)


class Breaker:
    """Stops a run when nothing works any more.

    Parameters
    ----------
    after: failed items in a row, with no success between them, that end the run. Each item has
        had all its attempts by then, so twenty are no bad luck.
    """

    def __init__(self, after: int = 20) -> None:
        self._after = after
        self._failures = 0

    def succeeded(self) -> None:
        """An item was answered."""
        self._failures = 0

    def failed(self, name: str, detail: str) -> None:
        """An item failed for good; raises RunStoppedError when it was one too many."""
        self._failures += 1
        if self._failures >= self._after:
            raise RunStoppedError(
                f"{name} failed {self._failures} items in a row, the last with: {detail}; what was "
                "answered is kept, run the same command again when the server works"
            )
