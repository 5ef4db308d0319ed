"""Upgrading of journals with earlier schemas to the present one, with a copy of the old journal."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from gfactor.administration.storing.tables import (
    ANSWERED_BY,
    ATTEMPTS,
    BANK_ITEMS,
    ITEMS,
    META,
    SCHEMA,
)
from gfactor.errors import JournalError

UPGRADED = ("2", "3")
"""The schemas that this version upgrades. In 2, items were identified by content and id, and items
of banks by id alone; in 3, the model that had answered was not stored."""


def copy_path(path: Path, schema: str) -> Path:
    """Return the path of the copy of a journal from before its upgrade.

    Examples
    --------
    >>> copy_path(Path("c.db"), "3").name
    'c.db.schema-3'
    """
    return path.with_name(f"{path.name}.schema-{schema}")


def upgrade(connection: sa.Connection, name: str, lock: Callable[[sa.Connection], None]) -> None:
    """Upgrade a journal of an earlier schema in place, in one transaction.

    An SQLite file is copied to `NAME.schema-2` (or 3) first; on a server the two tables of schema 2
    that change stay under names that end with `_schema_2`, and schema 3 only gets columns. Since
    schema 3 items have their benchmark in their key, so that an id with several contents, or a
    content of several benchmarks, is no longer one item; since schema 4 every reply has the model
    that the server named. `lock` keeps other processes out until the transaction ends. Raises
    JournalError if the journal or its copy cannot be written.
    """
    try:
        lock(connection)
        schema = connection.execute(sa.select(META.c.value).where(META.c.key == "schema")).scalar()
        if schema not in UPGRADED:
            return  # Another process has upgraded it meanwhile.
        if connection.dialect.name == "sqlite":
            _copy(connection, schema)
        if schema == "2":
            _move(connection, schema)
        _add_columns(connection)
        change = META.update().where(META.c.key == "schema").values(value=str(SCHEMA))
        connection.execute(change)
    except (OSError, sqlite3.Error, DatabaseError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise JournalError(
            f"journal {name!r} is of an earlier version and cannot be upgraded: {reason}; copy it "
            "to a folder that you may write to and open the copy"
        ) from error


def _copy(connection: sa.Connection, schema: str) -> None:
    """Copy the database into a file next to it, completely or not at all."""
    raw: Any = connection.connection.dbapi_connection
    path = Path(raw.execute("PRAGMA database_list").fetchone()[2])
    target = copy_path(path, schema)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        # A separate connection reads the committed data; this process holds the lock.
        with (
            closing(sqlite3.connect(path)) as source,
            closing(sqlite3.connect(temporary)) as copied,
        ):
            source.backup(copied)
        if not target.exists():
            os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _add_columns(connection: sa.Connection) -> None:
    present = sa.inspect(connection)
    for table in ATTEMPTS:
        if not present.has_table(table.name):
            continue
        columns = {column["name"] for column in present.get_columns(table.name)}
        for name in ANSWERED_BY:
            if name not in columns:
                connection.exec_driver_sql(
                    f"ALTER TABLE {table.name} ADD COLUMN {name} TEXT NOT NULL DEFAULT ''"
                )


def _move(connection: sa.Connection, schema: str) -> None:
    for table in (ITEMS, BANK_ITEMS):
        old = f"{table.name}_schema_{schema}"
        connection.exec_driver_sql(f"ALTER TABLE {table.name} RENAME TO {old}")
        if connection.dialect.name == "postgresql":
            # The name of a primary key is in use as long as the old table exists.
            connection.exec_driver_sql(f"ALTER INDEX {table.name}_pkey RENAME TO {old}_pkey")
        table.create(connection)
    names = ", ".join(column.name for column in ITEMS.c)
    connection.exec_driver_sql(
        f"INSERT INTO items ({names}) SELECT {names} FROM items_schema_{schema}"
    )
    connection.exec_driver_sql(
        "INSERT INTO bank_items (digest, id, content_hash, benchmark) "
        "SELECT b.digest, b.id, b.content_hash, i.benchmark "
        f"FROM bank_items_schema_{schema} b JOIN items i "
        "ON i.content_hash = b.content_hash AND i.id = b.id"
    )
    if connection.dialect.name == "sqlite":
        for table in (ITEMS, BANK_ITEMS):
            connection.exec_driver_sql(f"DROP TABLE {table.name}_schema_{schema}")
