"""Storing answers in an SQLite file without SQLAlchemy in between.

A transaction of a few answers takes SQLite some 30 microseconds, and SQLAlchemy three to four times
as long: no other work for an answer takes as long. The connection is one of the
engine's, with its settings, held as long as the journal is open.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

Rows = Sequence[Mapping[str, Any]]

_MOST_PAGES = 10_000
"""Pages of SQLite's log (40 MB) from which on this connection merges them into the file. That waits
for the disk, so it is mostly done earlier, by the threads that claim questions."""


class QuickAdding:
    """A connection that only adds rows.

    Parameters
    ----------
    engine: the journal's.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._using = Lock()
        self._connection: sa.PoolProxiedConnection | None = None

    def add(self, rows_of: Mapping[sa.Table, Rows], whole: sa.Table | None = None) -> int | None:
        """Insert the rows whose key is not stored yet in one transaction; return their number.

        `whole` names a table whose rows must all be new: if one is not, nothing is stored and None
        is returned. None is also returned for databases other than SQLite.

        Raises DBAPIError as SQLAlchemy does.
        """
        if self._engine.dialect.name != "sqlite":
            return None
        with self._using:
            is_new = self._connection is None
            if self._connection is None:
                self._connection = self._engine.raw_connection()
            driver: Any = self._connection.driver_connection
            text = f"PRAGMA wal_autocheckpoint={_MOST_PAGES}"
            try:
                if is_new:
                    driver.execute(text)
                # Committed at the end of the block, undone on an error.
                with driver:
                    total = 0
                    for table, rows in rows_of.items():
                        if not rows:
                            continue
                        text, values = insertion(table, rows)
                        new = driver.executemany(text, values).rowcount
                        if table is whole and new < len(rows):
                            driver.rollback()
                            return None
                        total += new
                    return total
            except sqlite3.Error as error:
                raise DBAPIError.instance(text, None, error, sqlite3.Error) from error

    def close(self) -> None:
        """Give the connection back to the engine."""
        with self._using:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def insertion(table: sa.Table, rows: Rows) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the SQL that inserts a row, unless its key is there already, and the values of rows.

    SQLite gets the values in the order of the first row's columns, which takes half the time of
    having it look up each by its name.
    """
    names = tuple(rows[0])
    return _statement(table.name, names), [tuple(map(row.__getitem__, names)) for row in rows]


@cache
def _statement(table: str, names: tuple[str, ...]) -> str:
    columns, marks = ", ".join(f'"{name}"' for name in names), ", ".join("?" * len(names))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING"
