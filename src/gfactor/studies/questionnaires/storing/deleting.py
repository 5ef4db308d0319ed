"""Deletion of rows from all files of the study, and the backups that still contain them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.studies.questionnaires.storing.action_log import Connected
from gfactor.studies.questionnaires.storing.tables import (
    CONTACTS,
    DELETIONS,
    META,
    TRANSFERS,
    now_text,
    stored_value,
)
from gfactor.studies.web.database import Database

WHAT = ("participant", "recruiting id")
"""Data of a person that can be deleted: everything, or what links the answers to them outside."""

_PENDING = "erase"


class Deletions:
    """The part of a study's database that deletes data irrecoverably."""

    _connected: Connected
    _database: Database

    def purge(self, days: int) -> int:
        """Delete external ids older than `days`; return their number. Files that still contain
        earlier deleted data are rewritten."""
        limit = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
        with self._connected() as connection:
            gone = connection.execute(CONTACTS.delete().where(CONTACTS.c.since <= limit)).rowcount
            if gone:
                note_deletion(connection, "recruiting id", gone)
                contacts = sa.select(CONTACTS.c.code)
                others = TRANSFERS.update().where(TRANSFERS.c.code.not_in(contacts))
                connection.execute(others.values(submission=""))
        self.erase_deleted()
        return gone

    def erase_deleted(self) -> bool:
        """Rewrite the database's files if they may contain deleted data; return True if they
        contain none now. While another program reads, this can fail, and the next `purge` tries
        again."""
        with self._connected() as connection:
            if connection.execute(stored_value(_PENDING)).scalar() is None:
                return True
            connection.execute(META.delete().where(META.c.key == _PENDING))
        if self._database.erase():
            return True
        with self._connected() as connection:
            connection.execute(_pending())
        return False

    def deletions(self) -> list[tuple[str, str]]:
        """Return the deletions, with time and content, in order."""
        query = sa.select(DELETIONS.c.created, DELETIONS.c.what).order_by(DELETIONS.c.number)
        with self._connected() as connection:
            return [(row.created, row.what) for row in connection.execute(query)]


def note_deletion(connection: sa.Connection, what: str, count: int = 1) -> None:
    """Record, in the transaction that deletes, that files have to be rewritten."""
    now = now_text()
    connection.execute(DELETIONS.insert(), [{"created": now, "what": what}] * count)
    connection.execute(_pending())


def _pending() -> sa.Insert:
    return insert(META).values(key=_PENDING, value=now_text()).on_conflict_do_nothing()
