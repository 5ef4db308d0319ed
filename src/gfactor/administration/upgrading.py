"""Bringing journals of gfactor 0.2 to the layout of this version, with a copy of the old one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from gfactor.administration.tables import BANK_ITEMS, ITEMS, META, SCHEMA
from gfactor.errors import JournalError

UPGRADED = "2"
"""The schema that this version upgrades: items by content and id, items of banks by id alone."""


def copy_path(path: Path) -> Path:
    """The file beside a journal that holds it as it was before it was upgraded."""
    return path.with_name(f"{path.name}.schema-{UPGRADED}")


def upgrade(connection: sa.Connection, name: str, lock: Callable[[sa.Connection], None]) -> None:
    """Upgrade a journal of schema 2 in place, in one transaction.

    An SQLite file is copied to `NAME.schema-2` first; on a server the two old tables stay under
    names that end with `_schema_2`. Items get their benchmark into their key, so that an id with
    several contents, or a content of several benchmarks, is no longer one item. `lock` keeps other
    processes out until the transaction ends. Raises JournalError
    where the journal or its copy cannot be written.
    """
    try:
        lock(connection)
        schema = connection.execute(sa.select(META.c.value).where(META.c.key == "schema")).scalar()
        if schema != UPGRADED:
            return  # Another process was faster.
        if connection.dialect.name == "sqlite":
            _copy(connection)
        _move(connection)
    except (OSError, sqlite3.Error, DatabaseError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise JournalError(
            f"journal {name!r} is of gfactor 0.2 and cannot be upgraded: {reason}; copy it to a "
            "folder that you may write to and open the copy"
        ) from error


def _copy(connection: sa.Connection) -> None:
    """Copy the database into a file beside it, whole or not at all."""
    raw: Any = connection.connection.dbapi_connection
    path = Path(raw.execute("PRAGMA database_list").fetchone()[2])
    target = copy_path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        # A connection of its own reads what was committed: we hold the lock.
        with (
            closing(sqlite3.connect(path)) as source,
            closing(sqlite3.connect(temporary)) as copied,
        ):
            source.backup(copied)
        if not target.exists():
            os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _move(connection: sa.Connection) -> None:
    for table in (ITEMS, BANK_ITEMS):
        old = f"{table.name}_schema_{UPGRADED}"
        connection.exec_driver_sql(f"ALTER TABLE {table.name} RENAME TO {old}")
        if connection.dialect.name == "postgresql":
            # The name of a primary key is taken as long as the old table is there.
            connection.exec_driver_sql(f"ALTER INDEX {table.name}_pkey RENAME TO {old}_pkey")
        table.create(connection)
    names = ", ".join(column.name for column in ITEMS.c)
    connection.exec_driver_sql(
        f"INSERT INTO items ({names}) SELECT {names} FROM items_schema_{UPGRADED}"
    )
    connection.exec_driver_sql(
        "INSERT INTO bank_items (digest, id, content_hash, benchmark) "
        "SELECT b.digest, b.id, b.content_hash, i.benchmark "
        f"FROM bank_items_schema_{UPGRADED} b JOIN items i "
        "ON i.content_hash = b.content_hash AND i.id = b.id"
    )
    if connection.dialect.name == "sqlite":
        for table in (ITEMS, BANK_ITEMS):
            connection.exec_driver_sql(f"DROP TABLE {table.name}_schema_{UPGRADED}")
    change = META.update().where(META.c.key == "schema").values(value=str(SCHEMA))
    connection.execute(change)
