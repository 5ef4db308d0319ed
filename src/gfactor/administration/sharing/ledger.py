"""A budget that several processes share: costs are counted in the journal, and money is reserved
before requests. The money spent is the sum of the journal's costs. In addition, every process
reserves money in the same database for the requests that it may send, so that no request can take
the sum over a cap. The reservation of a killed process stays, because its last requests may have
been charged; so may requests that were never answered. Their number is known but not their cost, so
they count with the mean cost of the examinee's answers plus three standard errors, but at most with
their highest possible cost.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from gfactor.administration.sharing.accounts import NONE, Account, CostSums, Unanswered
from gfactor.administration.sharing.claims import LEASE_SECONDS, is_gone, new_owner
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.leases import now
from gfactor.administration.storing.tables import (
    BATCH_KEYS,
    BATCHES,
    FAILURES,
    LATE,
    RESERVED,
    RESPONSES,
    TURNS,
)

_AHEAD = 0.02
"""Share of the remaining money that is reserved in advance, so that the journal is rarely read."""

_HALF_A_LEASE = LEASE_SECONDS / 2

_TABLES = (RESPONSES, FAILURES, TURNS, LATE)

_HERE = ""
"""Name in place of an examinee, for the row that marks a process as active."""


class Ledger:
    """The accounts of a campaign's examinees, as one process keeps them.

    Parameters
    ----------
    journal: journal that holds the amounts.
    caps: largest amount to spend on an examinee, by name; examinees that are not named have no cap.
    most: largest amount for all examinees, None for no cap.
    examinees: examinees whose costs count for `most`.
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
        self.shares: Mapping[str, float] = {}
        """The parts of `most` that examinees may use, if it does not cover all questions; a
        campaign that ends early is then balanced over examinees."""
        self._journal = journal
        self._examinees = sorted(set(examinees))
        self._sums: dict[str, tuple[int, dict[str, CostSums]]] = {}
        self._beat = time.time(), time.monotonic()

    def accounts(self) -> dict[str, Account]:
        """Return the account of every examinee."""
        with self._journal.transaction() as connection:
            return self._accounts(connection)

    def at_work(self) -> int:
        """Return the number of processes at work."""
        with self._journal.transaction() as connection:
            return len(_present(connection, _clock(connection)))

    def beat(self) -> int:
        """Register this process as active; return the number of active processes."""
        with self._journal.transaction(alone=True) as connection:
            clock, began = _clock(connection), (time.time(), time.monotonic())
            _put(connection, self.owner, _HERE, clock + LEASE_SECONDS)
            self._beat = began
            return max(1, len(_present(connection, clock)))

    def in_doubt(self) -> bool:
        """Return True if other processes may regard this one as killed, because it was asleep."""
        return max(time.time() - self._beat[0], time.monotonic() - self._beat[1]) > _HALF_A_LEASE

    def reserve(
        self, examinee: str, least: float, reserved: float, requests: int, unanswered: Unanswered
    ) -> tuple[float, bool]:
        """Reserve an amount for an examinee, replacing its earlier reservation.

        Parameters
        ----------
        least: amount needed in all, including the requests under way.
        reserved: part of `least` for requests that are pending or not stored yet; if not enough
            money is left for `least`, this part stays set aside.
        requests: largest number of simultaneous requests from now on.
        unanswered: requests that were sent and never answered, which are counted separately.

        Returns
        -------
        tuple[float, bool]
            Amount set aside now; True if it covers `least`, or others may give money back.
        """
        with self._journal.transaction(alone=True) as connection:
            clock = _clock(connection)
            accounts = self._accounts(connection, examinee, unanswered)
            left = self._left(accounts, examinee)
            fits = least <= left
            amount = least + _AHEAD * max(0.0, left - least) if fits else reserved
            _put(
                connection, self.owner, examinee, clock + LEASE_SECONDS, amount, requests,
                unanswered,
            )  # fmt: skip
            return amount, fits or self._may_become_free(connection, examinee, clock)

    def has_cap(self, examinee: str) -> bool:
        """Return True if a budget limits what an examinee may cost."""
        return self.most is not None or examinee in self.caps

    def note_unanswered(self, owner: str, examinee: str, unanswered: Unanswered) -> None:
        """Record requests that may have been charged without an answer, replacing those recorded
        before by this owner, a process or a batch."""
        with self._journal.transaction(alone=True) as connection:
            _put(connection, owner, examinee, 0.0, unanswered=unanswered)

    def leave(self) -> None:
        """Release the reserved money, but keep the records of requests that were never answered."""
        r = RESERVED.c
        with self._journal.transaction(alone=True) as connection:
            rows = r.owner == self.owner
            connection.execute(RESERVED.delete().where(rows, r.unanswered == 0))
            ended = {"money": 0.0, "requests": 0, "expires": 0.0}
            connection.execute(RESERVED.update().where(rows).values(ended))

    def short(self, examinee: str, least: float, unanswered: Unanswered) -> list[str]:
        """Return the names of budgets with less money left than an examinee needs in all; see
        `reserve`."""
        with self._journal.transaction() as connection:
            left = self._left_of(self._accounts(connection, examinee, unanswered), examinee)
        return [name for name, money in left.items() if money < least]

    def _left(self, accounts: Mapping[str, Account], examinee: str) -> float:
        """Return the amount that may still be set aside for an examinee."""
        return min(self._left_of(accounts, examinee).values(), default=float("inf"))

    def _left_of(self, accounts: Mapping[str, Account], examinee: str) -> dict[str, float]:
        """Return the amount left of each budget that an examinee must keep, by its name."""
        left: dict[str, float] = {}
        if examinee in self.caps:
            cap = self.caps[examinee]
            left[f"of {cap:g} for {examinee}"] = cap - accounts[examinee].counted
        if self.most is not None:
            name = f"of {self.most:g} in all"
            left[name] = self.most - sum(one.counted for one in accounts.values())
            if examinee in self.shares:
                share = self.shares[examinee]
                left[f"{name} (a share of {share:.4g})"] = share - accounts[examinee].counted
        return left

    def _accounts(
        self, connection: sa.Connection, examinee: str = _HERE, unanswered: Unanswered = NONE
    ) -> dict[str, Account]:
        """Return the accounts of all examinees.

        The account of `examinee` excludes the money that this process has reserved, and uses
        `unanswered` for its unanswered requests.
        """
        costs, at_work = self._costs(connection), _present(connection, _clock(connection))
        reserved = dict.fromkeys(costs, 0.0)
        doubtful = dict.fromkeys(costs, NONE)
        doubtful[examinee] = unanswered
        for row in _rows(connection):
            if row.examinee not in costs or (row.owner, row.examinee) == (self.owner, examinee):
                continue
            doubtful[row.examinee] += Unanswered(row.unanswered, row.unanswered_money)
            if row.owner in at_work:
                reserved[row.examinee] += row.money
            else:
                doubtful[row.examinee] += Unanswered(row.requests, row.money)
        for row in _open_batches(connection):
            if row.examinee in costs:
                reserved[row.examinee] += row.money
        return {e: Account(c.money, reserved[e], c.likely(doubtful[e])) for e, c in costs.items()}

    def add_batch(self, batch: Mapping[str, Any], keys: Sequence[Mapping[str, Any]]) -> bool:
        """Store a batch that is going to be submitted, with its keys. If its `money` exceeds the
        budgets, store nothing and return False."""
        with self._journal.transaction(alone=True) as connection:
            accounts, examinee = self._accounts(connection), batch["examinee"]
            if examinee in accounts and batch["money"] > self._left(accounts, examinee):
                return False
            connection.execute(BATCHES.insert(), [dict(batch)])
            connection.execute(BATCH_KEYS.insert(), [dict(key) for key in keys])
            return True

    def _costs(self, connection: sa.Connection) -> dict[str, CostSums]:
        """The sums of costs; SQLite numbers rows in the order of storing, so that only new ones are
        summed; on a server all are."""
        sums = dict.fromkeys(self._examinees, CostSums())
        for table in _TABLES:
            last, by_examinee = self._sums.get(table.name, (0, {}))
            c = table.c
            paid = sa.func.count(sa.case((c.cost > 0, 1)))
            sum_of = sa.func.sum
            new = sa.select(c.examinee, sum_of(c.cost), sum_of(c.cost * c.cost), paid,
                            sa.func.max(c.id)).where(c.id > last).group_by(c.examinee)  # fmt: skip
            rows = connection.execute(new).all()
            total = dict(by_examinee)
            for name, cost, squares, count, _ in rows:
                total[name] = total.get(name, CostSums()) + CostSums(
                    cost or 0.0, squares or 0.0, count
                )
            if connection.dialect.name == "sqlite":
                newest = max((row[-1] for row in rows), default=last)
                self._sums[table.name] = newest, total
            sums = {name: one + total.get(name, CostSums()) for name, one in sums.items()}
        return sums

    def _may_become_free(self, connection: sa.Connection, examinee: str, clock: float) -> bool:
        """Return True if a process at work holds money that counts against the same cap."""
        at_work = _present(connection, clock)
        return any(
            row.money > 0 and row.owner in at_work
            for row in _rows(connection)
            if (row.owner, row.examinee) != (self.owner, examinee)
            and (row.examinee == examinee or self.most is not None)
        )


def _clock(connection: sa.Connection) -> float:
    return connection.execute(sa.select(now(connection))).scalar_one()


def _present(connection: sa.Connection, clock: float) -> Collection[str]:
    """The active processes."""
    rows = [row for row in _rows(connection) if row.examinee == _HERE and row.expires > clock]
    return {row.owner for row in rows if not is_gone(row.owner)}


def _open_batches(connection: sa.Connection) -> Sequence[sa.Row[Any]]:
    """Return the batches whose answers have not arrived."""
    if not sa.inspect(connection).has_table(BATCHES.name):
        return []
    return connection.execute(sa.select(BATCHES).where(BATCHES.c.collected == 0)).all()


def _rows(connection: sa.Connection) -> Sequence[sa.Row[Any]]:
    """Return the reserved amounts; none in journals of older versions."""
    if not sa.inspect(connection).has_table(RESERVED.name):
        return []
    return connection.execute(sa.select(RESERVED)).all()


def _put(
    connection: sa.Connection,
    owner: str,
    examinee: str,
    expires: float,
    money: float = 0.0,
    requests: int = 0,
    unanswered: Unanswered = NONE,
) -> None:
    """Write a row, replacing the earlier one."""
    r = RESERVED.c
    connection.execute(RESERVED.delete().where((r.owner == owner) & (r.examinee == examinee)))
    connection.execute(
        RESERVED.insert(),
        [
            {
                "owner": owner, "examinee": examinee, "money": money, "requests": requests,
                "unanswered_money": unanswered.money, "unanswered": unanswered.requests,
                "expires": expires,
            }
        ],
    )  # fmt: skip
