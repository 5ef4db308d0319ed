"""Bonuses that are paid through a service's API.

A bonus is noted before it is ordered. Whether it was paid is then read from the service."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.storing.action_log import (
    Connected,
    add_action,
    at_the_command_line,
)
from gfactor.studies.questionnaires.storing.tables import META, PAYMENTS, TRANSFERS, now_text

State = Literal["ordered", "accepted", "paid", "refused"]

KIND = "bonus"
"""Kind of the payments that transfers are noted as: files of this kind do not repeat them."""

SETTLED_AFTER_S = 24 * 3600.0
"""Seconds after an order from which on an unpaid bonus will not be paid; the service pays in
minutes."""

_LOCK = "transfers"


@dataclass(frozen=True)
class Transfer:
    """A bonus of one participant that was ordered.

    Parameters
    ----------
    code, submission: the participant's code, and the service's id of the participation.
    cents: amount.
    before: bonuses on the submission before the order, in cents.
    state: "ordered" (the service was asked to pay, and its reply is not known), "accepted" (it said
        that it will pay), "paid" (it has paid), "refused" (it has not paid, and will not).
    number: number of the row.
    since: time of the order, in seconds since 1970.
    """

    code: str
    submission: str
    cents: int
    before: int
    state: State = "ordered"
    number: int = 0
    since: float = 0.0

    def settled(self, bonus: int, now: float) -> State:
        """Return the state of the transfer, given the bonuses that the submission has now, in
        cents.

        A bonus that is missing a day after the order counts as paid if the service had accepted it,
        and as refused if its reply is unknown.
        """
        if bonus - self.before >= self.cents:
            return "paid"
        if now - self.since < SETTLED_AFTER_S:
            return self.state
        return "paid" if self.state == "accepted" else "refused"


class Transfers:
    """The part of a study's database with bonuses that were ordered from a service's API."""

    _connected: Connected

    def order_bonuses(
        self, order: str, transfers: Sequence[Transfer], noted: Mapping[str, int]
    ) -> None:
        """Store an order before the service is asked to pay it, so that no later payment repeats
        it.

        Parameters
        ----------
        noted: the amounts, by code and in cents, that were noted when the order was computed.

        Raises ParameterError if another program has noted a payment of one of them since.
        """
        now = now_text()
        payments = [{"code": t.code, "kind": KIND, "cents": t.cents, "created": now}
                    for t in transfers]  # fmt: skip
        rows = [
            {"code": t.code, "submission": t.submission, "order": order, "cents": t.cents,
             "before": t.before, "state": "ordered", "since": time.time()} for t in transfers
        ]  # fmt: skip
        with self._connected() as connection:
            lock = insert(META).values(
                key=_LOCK, value=order
            )  # written first, so that no other program writes in between
            same = {"index_elements": ["key"], "set_": {"value": order}}
            connection.execute(lock.on_conflict_do_update(**same))
            for one in transfers:
                if _noted(connection, one.code) != noted.get(one.code, 0):
                    raise ParameterError(
                        "another program is paying at the moment; nothing was ordered, run the "
                        "command again"
                    )
            connection.execute(PAYMENTS.insert(), payments)
            connection.execute(TRANSFERS.insert(), rows)
            total = sum(t.cents for t in transfers) / 100
            detail = f"{order}: {len(transfers)} people, {total:.2f}"
            add_action(connection, at_the_command_line(), "bonuses ordered", detail)

    def transfers(self, *states: State, order: str = "") -> list[Transfer]:
        """Return the transfers in these states, of one order or of all."""
        query = sa.select(TRANSFERS).where(TRANSFERS.c.state.in_(states))
        query = query.where(TRANSFERS.c.order == order) if order else query
        with self._connected() as connection:
            return [_transfer(row) for row in connection.execute(query).mappings()]

    def settle_bonuses(self, transfers: Sequence[Transfer], state: State) -> None:
        """Store the outcomes of transfers; the amounts of refused ones are due again."""
        now, numbers = now_text(), [t.number for t in transfers]
        with self._connected() as connection:
            these = TRANSFERS.c.number.in_(numbers) & (TRANSFERS.c.state != state)
            changed = connection.execute(sa.select(TRANSFERS.c.number).where(these)).scalars().all()
            connection.execute(TRANSFERS.update().where(these).values(state=state))
            back = [{"code": t.code, "kind": KIND, "cents": -t.cents, "created": now}
                    for t in transfers if state == "refused" and t.number in changed]  # fmt: skip
            if back:
                connection.execute(PAYMENTS.insert(), back)


def _noted(connection: sa.Connection, code: str) -> int:
    this = (PAYMENTS.c.code == code) & (PAYMENTS.c.kind == KIND)
    return connection.execute(sa.select(sa.func.sum(PAYMENTS.c.cents)).where(this)).scalar() or 0


def _transfer(row: Mapping[Any, Any]) -> Transfer:
    names = ("code", "submission", "cents", "before", "state", "number", "since")
    return Transfer(**{name: row[name] for name in names})
