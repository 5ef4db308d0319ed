"""Batches in a journal: stored before they are submitted, later with the vendor's id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import pandas as pd
import sqlalchemy as sa

from gfactor.administration.sharing.ledger import Ledger
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.tables import BATCH_KEYS, BATCHES
from gfactor.examinees.http.batches import Ticket
from gfactor.examinees.http.payload import Dialect

BatchKey = tuple[str, str, int]
"""Condition, item hash, occasion."""


@dataclass(frozen=True)
class Batch:
    """Questions that are submitted together.

    Parameters
    ----------
    token: mark of the requests.
    remote: the vendor's id, "" until it is known.
    keys: the questions in the order of the requests.
    noted: time at which it was stored, before it was submitted. dialect: form of its requests; for
    a batch of an earlier process, the form that the model's name suggests. money: its largest
    possible cost.
    """

    token: str
    remote: str
    keys: tuple[BatchKey, ...]
    noted: datetime
    dialect: Dialect
    money: float = 0.0

    @property
    def share(self) -> float:
        """Return the estimated cost of one of its questions."""
        return self.money / max(1, len(self.keys))

    @property
    def ticket(self) -> Ticket:
        """Return the data that a search for the batch needs."""
        return Ticket(self.token, len(self.keys), self.noted)


def note_batch(ledger: Ledger, examinee: str, batch: Batch) -> bool:
    """Store a batch before it is submitted; return False if its expected cost exceeds the
    budgets."""
    created = batch.noted.isoformat(timespec="milliseconds")
    row = {"token": batch.token, "examinee": examinee, "remote": "", "money": batch.money,
           "collected": 0, "created": created}  # fmt: skip
    keys = [
        {"token": batch.token, "number": n, "condition": c, "item_hash": h, "occasion": k}
        for n, (c, h, k) in enumerate(batch.keys)
    ]
    return ledger.add_batch(row, keys)


def name_batch(journal: Journal, batch: Batch, remote: str) -> Batch:
    """Return the batch with the vendor's id, which is stored at once."""
    with journal.transaction() as connection:
        this = BATCHES.update().where(BATCHES.c.token == batch.token)
        connection.execute(this.values(remote=remote))
    return replace(batch, remote=remote)


def stored_batches(journal: Journal, examinee: str, dialect: Dialect) -> list[Batch]:
    """Return the batches of an examinee whose answers have not arrived, the oldest first."""
    b, k = BATCHES.c, BATCH_KEYS.c
    of_examinee = sa.select(b.token, b.remote, b.created, b.money).where(
        (b.examinee == examinee) & (b.collected == 0)
    )
    with journal.transaction() as connection:
        return [
            Batch(row.token, row.remote, tuple(
                (key.condition, key.item_hash, key.occasion)
                for key in connection.execute(
                    sa.select(BATCH_KEYS).where(k.token == row.token).order_by(k.number)
                )
            ), datetime.fromisoformat(row.created), dialect, row.money)
            for row in connection.execute(of_examinee.order_by(b.created)).all()
        ]  # fmt: skip


def batches_in_progress(journal: Journal) -> pd.DataFrame:
    """Return a row per batch whose answers have not arrived, the oldest first: `examinee`, `batch`
    (the vendor's id, "" if none was received), `questions`, and `since`, the time at which it was
    stored."""
    b, k = BATCHES.c, BATCH_KEYS.c
    size = sa.select(sa.func.count()).where(k.token == b.token).scalar_subquery()
    columns = b.examinee, b.remote.label("batch"), size.label("questions"), b.created.label("since")
    rows: list[tuple[Any, ...]] = []
    with journal.transaction() as connection:
        # A journal of an older version that was only read has no such table.
        if sa.inspect(connection).has_table(BATCHES.name):
            still_open = sa.select(*columns).where(b.collected == 0).order_by(b.created)
            rows = [tuple(row) for row in connection.execute(still_open)]
    return pd.DataFrame(rows, columns=["examinee", "batch", "questions", "since"])
