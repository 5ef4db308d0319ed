"""Money that several processes may spend together: counted in the journal, set aside before asking.

What was spent is the sum of the journal's costs. On top of it every process sets money aside, in
the same database, for what it may send: no request is sent that could take the sum over a cap. A
process that is killed leaves what it had set aside behind, and that counts as spent: its last
requests may have been paid for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from gfactor.administration.claims import LEASE_SECONDS, is_gone, new_owner
from gfactor.administration.journal import Journal
from gfactor.administration.leases import now
from gfactor.administration.tables import FAILURES, LATE, RESERVED, RESPONSES, TURNS
from gfactor.examinees.http.limits import CapReachedError
from gfactor.examinees.http.pricing import Budget, Price, Reservation

_AHEAD = 0.05
"""The share of what is left that is set aside ahead of need: the journal is then seldom asked."""

_LOOK_SECONDS = 0.25
"""Between looks at what other processes have set aside, where nothing else is left."""

_COSTS = (RESPONSES, FAILURES, TURNS, LATE)

_HERE = ""
"""In the place of an examinee: the row that says that a process is at work."""


@dataclass(frozen=True)
class Account:
    """Money of one examinee.

    Parameters
    ----------
    spent: the costs of all its replies in the journal.
    reserved: set aside by processes that are at work.
    unanswered: of requests that may have been paid for without an answer: they were sent and never
        answered, or the process that sent them was killed.
    """

    spent: float = 0.0
    reserved: float = 0.0
    unanswered: float = 0.0

    @property
    def counted(self) -> float:
        """What counts against a cap."""
        return self.spent + self.reserved + self.unanswered


class Ledger:
    """The accounts of a campaign's examinees, as one process keeps them.

    Parameters
    ----------
    journal: where they stand.
    caps: the most that may be spent on an examinee, by name; one that is not in it has no cap.
    most: the most for all examinees, None for no cap.
    examinees: whose costs count for `most`.
    """

    def __init__(
        self,
        journal: Journal,
        examinees: Iterable[str],
        caps: Mapping[str, float] | None = None,
        most: float | None = None,
    ) -> None:
        self.owner = new_owner()
        self.caps, self.most = dict(caps or {}), most
        self._journal = journal
        self._examinees = sorted(set(examinees))
        self._known: dict[str, tuple[int, dict[str, float]]] = {}

    def accounts(self) -> dict[str, Account]:
        """The account of every examinee."""
        with self._journal.transaction() as connection:
            return self._accounts(connection, leaving_out=_HERE)

    def at_work(self) -> int:
        """How many processes are at work."""
        with self._journal.transaction() as connection:
            return len(_present(connection, _clock(connection)))

    def beat(self) -> int:
        """Say that this process is at work; how many are."""
        with self._journal.transaction(alone=True) as connection:
            clock = _clock(connection)
            _put(connection, self.owner, _HERE, expires=clock + LEASE_SECONDS)
            return max(1, len(_present(connection, clock)))

    def reserve(
        self, examinee: str, least: float, held: float, unanswered: float
    ) -> tuple[float, bool]:
        """Set money aside for an examinee, in the place of what was before.

        Parameters
        ----------
        least: how much is needed in all, with what is being asked now.
        held: how much of it is for what is being asked, or not stored yet; where there is not
            enough left for more, this much stays set aside.
        unanswered: money of requests that were sent and never answered, counted beside it.

        Returns
        -------
        tuple[float, bool]
            What is set aside now, and whether others hold money that may become free.
        """
        with self._journal.transaction(alone=True) as connection:
            clock = _clock(connection)
            accounts = self._accounts(connection, leaving_out=examinee)
            left = self._left(accounts, examinee) - unanswered
            amount = least + _AHEAD * max(0.0, left - least) if least <= left else held
            _put(connection, self.owner, examinee, amount, unanswered, clock + LEASE_SECONDS)
            if least <= left:
                return amount, True
            return held, self._may_become_free(connection, examinee, clock)

    def leave(self) -> None:
        """Give back what was set aside, but for requests that were never answered."""
        r = RESERVED.c
        with self._journal.transaction(alone=True) as connection:
            rows = r.owner == self.owner
            connection.execute(RESERVED.delete().where(rows, r.unanswered <= 0))
            connection.execute(RESERVED.update().where(rows).values(money=0.0, expires=0.0))

    def _left(self, accounts: Mapping[str, Account], examinee: str) -> float:
        """What may still be set aside for an examinee."""
        left = float("inf")
        if examinee in self.caps:
            left = self.caps[examinee] - accounts[examinee].counted
        if self.most is not None:
            left = min(left, self.most - sum(one.counted for one in accounts.values()))
        return left

    def _accounts(self, connection: sa.Connection, leaving_out: str) -> dict[str, Account]:
        """All accounts; without what this process has set aside for one examinee."""
        clock, spent = _clock(connection), self._spent(connection)
        at_work = _present(connection, clock)
        reserved, unanswered = dict.fromkeys(spent, 0.0), dict.fromkeys(spent, 0.0)
        for row in _rows(connection):
            if row.examinee not in spent or (row.owner, row.examinee) == (self.owner, leaving_out):
                continue
            unanswered[row.examinee] += row.unanswered
            kept = reserved if row.owner in at_work else unanswered
            kept[row.examinee] += row.money
        return {e: Account(spent[e], reserved[e], unanswered[e]) for e in spent}

    def _spent(self, connection: sa.Connection) -> dict[str, float]:
        """The sums of costs; SQLite numbers rows in the order of storing, so only new ones count
        there, on a server all do."""
        sums = dict.fromkeys(self._examinees, 0.0)
        for table in _COSTS:
            last, known = self._known.get(table.name, (0, {}))
            c = table.c
            new = sa.select(c.examinee, sa.func.sum(c.cost), sa.func.max(c.id)).group_by(c.examinee)
            rows = connection.execute(new.where(c.id > last)).all()
            total = dict(known)
            for examinee, cost, _ in rows:
                total[examinee] = total.get(examinee, 0.0) + (cost or 0.0)
            if connection.dialect.name == "sqlite":
                newest = max((number for _, _, number in rows), default=last)
                self._known[table.name] = newest, total
            for examinee in sums:
                sums[examinee] += total.get(examinee, 0.0)
        return sums

    def _may_become_free(self, connection: sa.Connection, examinee: str, clock: float) -> bool:
        """Whether somebody at work holds money that counts against the same cap."""
        at_work = _present(connection, clock)
        return any(
            row.money > 0 and row.owner in at_work
            for row in _rows(connection)
            if (row.owner, row.examinee) != (self.owner, examinee)
            and (row.examinee == examinee or self.most is not None)
        )


class SharedBudget(Budget):
    """The budget of an examinee whose caps stand in a ledger.

    Parameters
    ----------
    price: None where nothing is counted.
    ledger: where money is set aside.
    examinee: its name in the journal.
    """

    def __init__(self, price: Price | None, ledger: Ledger, examinee: str) -> None:
        super().__init__(price)
        self._ledger, self._examinee = ledger, examinee
        self._has_cap = ledger.most is not None or examinee in ledger.caps
        self._granted = self._unanswered = self._not_stored = 0.0
        self._waiting_to_be_stored = 0
        self._one_by_one = asyncio.Lock()

    async def reserve(self, tokens: int, most_output: int | None) -> Reservation:
        """Set money aside for a request; CapReachedError where a cap would be exceeded.

        As `Budget.reserve`; what other processes have set aside is waited for, too.
        """
        if self.price is None or not self._has_cap:
            return await super().reserve(tokens, most_output)
        async with self._one_by_one:
            while True:
                expected, kept_back = self._output(most_output)
                asked = self._cost(tokens, expected)
                needed = self._cost(tokens, max(expected, kept_back))
                if await self._grow(needed):
                    self._reserved += asked
                    self._open += 1
                    return Reservation(tokens, asked)

    async def _grow(self, needed: float) -> bool:
        """Have so much set aside beside what is held; False where it has to be tried again."""
        held, open_now = self._held, self._open
        if held + needed <= self._granted:
            return True
        self._settled.clear()
        least = held + needed
        self._granted, others = await asyncio.to_thread(
            self._ledger.reserve, self._examinee, least, held, self._unanswered
        )
        if least <= self._granted:
            return True
        if not open_now and not self._waiting_to_be_stored and not others:
            raise CapReachedError(self._refusal(needed))
        try:
            async with asyncio.timeout(_LOOK_SECONDS):
                await self._settled.wait()
        except TimeoutError:
            pass
        return False

    @property
    def _held(self) -> float:
        return self._reserved + self._not_stored

    def _refusal(self, needed: float) -> str:
        cap = self._ledger.caps.get(self._examinee)
        caps = [] if cap is None else [f"of {cap:g} for {self._examinee}"]
        caps += [] if self._ledger.most is None else [f"of {self._ledger.most:g} in all"]
        return (
            f"the budget {' or '.join(caps)} would be exceeded by the next question, which may "
            f"cost {needed:.4g}; what was answered is kept, raise it to go on"
        )

    def settle(
        self,
        reservation: Reservation,
        usage: Mapping[str, int],
        *,
        answered: bool,
        unanswered: int = 0,
    ) -> float | None:
        """Book a request as `Budget.settle` does.

        What it cost stays set aside until it stands in the journal; money of requests that were
        sent and never answered stays set aside for good.
        """
        cost = super().settle(reservation, usage, answered=answered)
        if cost is None or not self._has_cap:
            return cost
        self._not_stored += cost
        self._waiting_to_be_stored += 1
        if unanswered:
            self._unanswered += unanswered * reservation.money
            self._granted -= unanswered * reservation.money
        return cost

    def stored(self, costs: Sequence[float]) -> None:
        """Say that replies of these costs stand in the journal."""
        self._waiting_to_be_stored -= len(costs)
        self._not_stored -= sum(costs)
        if self._waiting_to_be_stored <= 0:
            self._waiting_to_be_stored, self._not_stored = 0, 0.0
        self._settled.set()

    async def close(self) -> None:
        """Note what was sent and never answered, and give the rest back."""
        if self.price is not None and self._has_cap:
            await asyncio.to_thread(
                self._ledger.reserve,
                self._examinee,
                float("inf"),
                0.0,
                self._unanswered + self._held,
            )


def _clock(connection: sa.Connection) -> float:
    return connection.execute(sa.select(now(connection))).scalar_one()


def _present(connection: sa.Connection, clock: float) -> Collection[str]:
    """The processes that are at work."""
    rows = [row for row in _rows(connection) if row.examinee == _HERE and row.expires > clock]
    return {row.owner for row in rows if not is_gone(row.owner)}


def _rows(connection: sa.Connection) -> Sequence[sa.Row[Any]]:
    """What is reserved; nothing in journals of older versions."""
    if not sa.inspect(connection).has_table(RESERVED.name):
        return []
    return connection.execute(sa.select(RESERVED)).all()


def _put(
    connection: sa.Connection,
    owner: str,
    examinee: str,
    money: float = 0.0,
    unanswered: float = 0.0,
    expires: float = 0.0,
) -> None:
    """Write a row in the place of the one before."""
    r = RESERVED.c
    connection.execute(RESERVED.delete().where((r.owner == owner) & (r.examinee == examinee)))
    row = {"owner": owner, "examinee": examinee, "money": money, "unanswered": unanswered}
    connection.execute(RESERVED.insert(), [{**row, "expires": expires}])
