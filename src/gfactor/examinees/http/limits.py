"""Limits of simultaneous requests and of requests per minute, and the end of a run after failures.

Clocks are passed in, so that tests need not wait.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from gfactor.errors import GfactorError
from gfactor.examinees.base import Reply

Clock = Callable[[], float]

_BREATH_S = 0.1
"""Shortest time between decreases, because refusals arrive before the pending requests end."""

_TOLERATED = 0.1
"""Largest share of refusals that does not count as overload."""

_WINDOWS = 8
"""Number of windows of requests over which the share is computed."""

_MINUTE_S = 60.5
"""A minute, plus the difference in the time that requests take to arrive."""

_CAREFUL = 10
"""Factor by which the limit grows more slowly above levels that caused an overload before."""


class RunStoppedError(GfactorError):
    """The run cannot continue (server down, deadline, money spent); all answers so far are
    stored. `reply` is that of the failed attempt that ended it, if there is one to be stored."""

    reply: Reply | None = None


class CapReachedError(RunStoppedError):
    """The next question might cost more than the rest of the budget."""

    code = 3


class AdaptiveLimit:
    """Limit of concurrent requests that grows after successes and is halved on overload.

    It works as congestion control in TCP. Before the first overload every window of successes
    doubles the limit, afterwards it adds one, so that the limit settles a little above the capacity
    of the server. Above a limit that caused an overload before, it grows ten times slower, because
    a server that refuses requests over its own limit would otherwise refuse one every few requests.

    More than a tenth of refused requests are an overload; a gateway's occasional refusals do not
    become rarer with fewer requests. Requests that began before a decrease cause no further one, so
    that the many failures of one overload count once.
    """

    def __init__(self, most: int, start: int = 16, clock: Clock = time.monotonic) -> None:
        self.most = most
        self.limit = float(min(start, most))
        self._clock = clock
        self._in_flight = 0
        self._cut_at = float("-inf")
        self._too_many = float("inf")
        self._refused = self._answers = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def acquire(self) -> float:
        """Wait until a request may start; return the time at which it may."""
        while self._in_flight >= int(self.limit):
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                # Its turn may have come already; then the next waiting request is admitted instead.
                self._let_in()
                raise
        self._in_flight += 1
        return self._clock()

    def restrict(self, most: int) -> None:
        """Allow only this many requests at once from now on; those in flight end first."""
        self.most = max(1, most)
        self.limit = min(self.limit, float(self.most))
        self._let_in()

    def release(self, *, overloaded: bool, began: float = float("inf")) -> None:
        """End a request and report its success; `began` is the result of `acquire`."""
        self._in_flight -= 1
        if began >= self._cut_at:
            self._note(refused=overloaded)
        if not overloaded:
            self._grow()
        elif self._refused > _TOLERATED * self._answers:
            self._shrink(began)
        if self._waiting:
            self._let_in()

    def _let_in(self) -> None:
        free = int(self.limit) - self._in_flight
        while free > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1

    def _note(self, *, refused: bool) -> None:
        if self._answers > _WINDOWS * self.limit:
            # Older requests have less weight.
            self._refused, self._answers = self._refused / 2, self._answers / 2
        self._answers += 1
        self._refused += refused

    def _grow(self) -> None:
        more = 1 / self.limit if self._cut_at > float("-inf") else 1.0
        if self.limit + 1 > self._too_many:
            more /= _CAREFUL
        self.limit = min(float(self.most), self.limit + more)
        if self.limit > self._too_many + 1:
            self._too_many = float("inf")

    def _shrink(self, began: float) -> None:
        now = self._clock()
        if began < self._cut_at or now - self._cut_at < _BREATH_S:
            return
        self._cut_at, self._too_many = now, self.limit
        self._refused = self._answers = 0.0
        self.limit = max(1.0, self.limit / 2)


class TokenBucket:
    """Limit of units per minute, a tenth of which may be used at once at the start; 0 is no
    limit."""

    def __init__(self, per_minute: float, clock: Clock = time.monotonic) -> None:
        self._per_minute = self._most = per_minute
        self._burst = max(1.0, per_minute / 10)
        self._level = self._burst
        self._clock = clock
        self._at = clock()
        self._sent: deque[tuple[float, float]] = deque()
        self._in_window = 0.0

    def divide(self, processes: int) -> None:
        """Use only an equal share of the limit from now on: one of `processes` parts."""
        self.take(0)
        self._most = self._per_minute / processes
        self._burst = max(1.0, self._most / 10)

    def take(self, units: float) -> float:
        """Take the units; return the seconds to wait before using them (in order of the calls)."""
        if not self._most:
            return 0.0
        now, rate = self._clock(), self._most / 60
        self._level = min(self._burst, self._level + (now - self._at) * rate)
        self._at = now
        self._level -= units
        return self._moment(now + max(0.0, -self._level / rate), units) - now

    def _moment(self, earliest: float, units: float) -> float:
        """Return when the units can be used without more than the limit in a minute before."""
        moment = max(earliest, self._sent[-1][0]) if self._sent else earliest
        while self._sent and (
            self._sent[0][0] + _MINUTE_S <= moment or self._in_window + units > self._most
        ):
            before, used = self._sent.popleft()
            self._in_window -= used
            moment = max(moment, before + _MINUTE_S)
        if units:
            self._sent.append((moment, units))
            self._in_window += units
        return moment


class Limits:
    """Limits for a server, or for one model of it: requests at once, and per minute.

    Parameters
    ----------
    most: largest number of simultaneous requests; the actual number is adapted.
    rpm, tpm: requests and tokens per minute, 0 for no limit.
    """

    def __init__(self, most: int, rpm: float = 0, tpm: float = 0) -> None:
        self._most = most
        self._requests, self._tokens = TokenBucket(rpm), TokenBucket(tpm)
        self._counted = bool(rpm or tpm)
        self.at_once = AdaptiveLimit(most)

    def wait(self, tokens: int) -> float:
        """Count a request; return the seconds to wait before it is sent."""
        if not self._counted:
            return 0.0
        return max(self._requests.take(1), self._tokens.take(tokens))

    def divide(self, processes: int) -> None:
        """Use only an equal share of the limits: other processes use the other shares."""
        self._requests.divide(processes)
        self._tokens.divide(processes)
        self.at_once.restrict(self._most // processes)


class Breaker:
    """Counter of successive failures that stops a run when nothing works any more.

    Parameters
    ----------
    after: failed items in a row, with no success between them, that end the run. Each item has had
    all its attempts by then, so that twenty failures are not chance.
    """

    def __init__(self, after: int = 20) -> None:
        self._after = after
        self._failures = 0
        self._worked = False

    def succeeded(self) -> None:
        """Record that an item was answered."""
        self._failures = 0
        self._worked = True

    def failed(self, name: str, reply: Reply, *, hopeless: bool = False) -> None:
        """Record that an item failed finally; raise RunStoppedError after too many failures.

        `hopeless` is True if address, key, model or account seem wrong; before the first success
        one such failure stops the run.
        """
        detail = reply.detail
        if hopeless and not self._worked:
            what = detail.rstrip(". ")
            if "; check " not in what:
                what += "; check the address, the model's name, the key and the account"
            raise RunStoppedError(
                f"{name} takes no questions: {what}, and run the same command again"
            )
        self._failures += 1
        if self._failures >= self._after:
            stopped = RunStoppedError(
                f"{name} failed {self._failures} items in a row, the last with: {detail}; what was "
                "answered is kept, run the same command again when the server works"
            )
            stopped.reply = reply
            raise stopped
