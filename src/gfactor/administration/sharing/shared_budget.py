"""An examinee's budget whose caps several processes share."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Mapping, Sequence
from functools import partial

from gfactor.administration.sharing.accounts import NONE, Unanswered
from gfactor.administration.sharing.ledger import Ledger
from gfactor.administration.storing.outages import Outage
from gfactor.errors import JournalError
from gfactor.examinees.http.limits import CapReachedError
from gfactor.examinees.http.pricing import Budget, Reservation, TokenPrice

_FEW = 4
"""Number of additional simultaneous requests above which they are recorded before they are made."""

_LOOK_SECONDS = 0.25
"""Seconds between looks at other processes' reservations, if no money is left."""

_IDLE_SECONDS = 0.5
"""Seconds without a request after which money reserved in advance is released: this process may be
waiting for answers of others, and they for the money."""


class SharedBudget(Budget):
    """The budget of an examinee whose caps are in a ledger.

    Parameters
    ----------
    price: price of requests; None if costs are not counted. ledger: ledger in which money is set
    aside.
    examinee: its name in the journal.
    """

    def __init__(self, price: TokenPrice | None, ledger: Ledger, examinee: str) -> None:
        super().__init__(price)
        self._ledger, self._examinee = ledger, examinee
        self._has_cap = ledger.has_cap(examinee)
        self._granted = self._used_up = self._not_stored = 0.0
        self._at_once = self._waiting_to_be_stored = 0
        self._unanswered = NONE
        self._one_by_one = asyncio.Lock()
        self._idle: asyncio.Task[None] | None = None
        self._outage = Outage()

    async def reserve(self, tokens: int, most_output: int | None) -> Reservation:
        """Reserve money for a request; raise CapReachedError if a cap would be exceeded.

        Works as `Budget.reserve`, but also waits for the money that other processes have reserved.
        """
        if self.price is None or not self._has_cap:
            return await super().reserve(tokens, most_output)
        async with self._one_by_one:
            self._stay_busy()
            while True:
                expected, kept_back = self.expected_output(most_output)
                amount = self._cost(tokens, expected)
                needed = self._cost(tokens, max(expected, kept_back))
                if await self._grow(needed):
                    self._reserved += amount
                    self._open += 1
                    return Reservation(tokens, amount)

    async def _grow(self, needed: float) -> bool:
        """Reserve an amount in addition to the present one; return False if it has to be tried
        again."""
        reserved, open_now = self._set_aside, self._open
        enough = reserved + needed <= self._granted - self._used_up and open_now < self._at_once
        if enough and not self._ledger.in_doubt():
            return True
        self._settled.clear()
        least, at_once = reserved + needed, open_now + 1 + max(_FEW, open_now // 2)
        # Replies that are stored while the journal is read may or may not be counted there.
        before = self._used_up
        amounts = least, reserved, at_once, self._unanswered
        self._granted, others = await self._outage.outlast(
            partial(self._ledger.reserve, self._examinee, *amounts)
        )
        self._at_once = at_once
        self._used_up -= before
        if least <= self._granted:
            return self._set_aside + needed <= self._granted - self._used_up
        if not open_now and not self._waiting_to_be_stored and not others:
            short = self._ledger.short(self._examinee, least, self._unanswered)
            raise CapReachedError(
                f"the budget {' and that '.join(short)} would be exceeded by the next question, "
                f"which may cost {needed:.4g}; all answers so far are stored; raise it to go on"
            )
        try:
            async with asyncio.timeout(_LOOK_SECONDS):
                await self._settled.wait()
        except TimeoutError:
            pass
        return False

    @property
    def _set_aside(self) -> float:
        return self._reserved + self._not_stored

    def settle(
        self,
        reservation: Reservation,
        usage: Mapping[str, int],
        *,
        answered: bool,
        unanswered: int = 0,
    ) -> float | None:
        """Record the cost of a request as `Budget.settle` does.

        The cost stays reserved until the journal contains it. Money for requests that were sent
        and never answered stays reserved for good.
        """
        cost = super().settle(reservation, usage, answered=answered)
        if cost is None:
            return cost
        money = unanswered * reservation.money
        self._unanswered += Unanswered(unanswered, money)
        if not self._has_cap:
            return cost
        self._not_stored += cost
        self._waiting_to_be_stored += 1
        self._used_up += money
        if not self._open:
            self._stay_busy()
            self._idle = asyncio.get_running_loop().create_task(self._give_back_when_idle())
        return cost

    def _stay_busy(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    async def _give_back_when_idle(self) -> None:
        await asyncio.sleep(_IDLE_SECONDS)
        while self._waiting_to_be_stored:
            await asyncio.sleep(_IDLE_SECONDS)
        # If the journal fails now, the next attempt to store reports it with its own message.
        with contextlib.suppress(JournalError):
            await asyncio.shield(self._give_back())

    async def _give_back(self) -> None:
        async with self._one_by_one:
            if self._open or self._waiting_to_be_stored or self._granted <= self._used_up:
                return
            before = self._used_up
            self._granted, _ = await asyncio.to_thread(
                self._ledger.reserve, self._examinee, math.inf, 0.0, 0, self._unanswered
            )
            self._at_once = 0
            self._used_up -= before

    def stored(self, costs: Sequence[float]) -> None:
        """Record that replies with these costs are in the journal."""
        self._waiting_to_be_stored -= len(costs)
        self._not_stored -= sum(costs)
        # The journal counts them from now on.
        self._used_up += sum(costs)
        if self._waiting_to_be_stored <= 0:
            self._waiting_to_be_stored, self._not_stored = 0, 0.0
        self._settled.set()

    async def close(self) -> None:
        """Record the requests that were never answered, and release the rest of the money."""
        self._stay_busy()
        if self.price is not None and self._has_cap:
            lost = self._unanswered + Unanswered(self._waiting_to_be_stored, self._not_stored)
            await asyncio.to_thread(self._ledger.reserve, self._examinee, math.inf, 0.0, 0, lost)
        elif self._unanswered.requests:
            what = self._ledger.owner, self._examinee, self._unanswered
            await asyncio.to_thread(self._ledger.note_unanswered, *what)
