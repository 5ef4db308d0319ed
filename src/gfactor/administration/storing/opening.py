"""Opening the file or server of a journal, with a check that it is a journal."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from gfactor import __version__
from gfactor.administration.storing.making_tables import make_tables
from gfactor.administration.storing.tables import ADDED, KIND, META, SCHEMA, TABLES
from gfactor.administration.storing.upgrading import UPGRADED, upgrade
from gfactor.errors import JournalError, MissingExtraError

BUSY_SECONDS = 30
"""Longest time that a writer waits for another process's transaction (each takes milliseconds)."""

_IDLE_SECONDS = 30
"""Idle time in a transaction after which a server ends it, so that others do not wait for a stopped
process."""

_SMALLEST_DATABASE = 512
"""Bytes of SQLite's smallest page; SQLite itself accepts a file of one byte as an empty
database."""

_POSTGRESQL = "postgresql+psycopg"

_LOCK = int.from_bytes(b"gfactor", "big")
"""Held by a process that makes tables, or sets money aside, on a server: one at a time."""


def display_name(path_or_url: Path | str) -> str:
    """Return a journal's name for messages: its path, or its URL without the password."""
    if not _is_url(path_or_url):
        return str(path_or_url)
    try:
        return sa.make_url(str(path_or_url)).render_as_string(hide_password=True)
    except ArgumentError as error:
        raise JournalError(
            "a journal's URL is written driver://user:password@host/database"
        ) from error


def is_database(path: Path) -> bool:
    """Return True if a file is an SQLite database. Raises OSError if it cannot be read.

    The file is read through SQLite. Opening and closing it otherwise would end the locks of other
    connections of this process, and another program could then delete the log to which they write.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.stat().st_size < _SMALLEST_DATABASE:
        return False
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    # Immutable: nothing is locked, and no log is made next to the file.
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True)
    try:
        connection.execute("PRAGMA schema_version")
    except sqlite3.DatabaseError as error:
        # Other errors come from a database that is being changed at this moment.
        return error.sqlite_errorcode != sqlite3.SQLITE_NOTADB
    finally:
        connection.close()
    return True


def is_journal(path_or_url: Path | str) -> bool:
    """Return True for a journal: a URL, or an SQLite file; False if there is no file."""
    if _is_url(path_or_url):
        return True
    try:
        return is_database(Path(path_or_url))
    except OSError:
        return False


def engine_for(path_or_url: Path | str, *, create: bool) -> sa.Engine:
    """Return an engine for a journal.

    Raises JournalError if the address cannot be that of a journal, and MissingExtraError if it is
    on PostgreSQL and the extra is not installed.
    """
    if _is_url(path_or_url):
        url = _with_driver(sa.make_url(str(path_or_url)))
        try:
            engine = sa.create_engine(url)
        except (ImportError, NoSuchModuleError) as error:
            if url.drivername == _POSTGRESQL:
                raise MissingExtraError("a journal on PostgreSQL", "postgres") from error
            raise JournalError(
                f"journal {display_name(path_or_url)!r}: its database driver is not installed "
                f"({error})"
            ) from error
        if engine.dialect.name == "postgresql":
            event.listen(engine, "connect", _limit_idling)
        return engine
    _check_file(Path(path_or_url), create=create)
    # A relative name such as "file:x/journal.db" would be read as an address.
    url = sa.URL.create("sqlite", database=str(Path(path_or_url).absolute()))
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _set_pragmas)
    return engine


def _with_driver(url: sa.URL) -> sa.URL:
    """The URL with the driver that the extra `postgres` installs, if it names none."""
    if url.drivername in ("postgres", "postgresql"):
        return url.set(drivername=_POSTGRESQL)
    return url


def _is_url(path_or_url: Path | str) -> bool:
    return isinstance(path_or_url, str) and "://" in path_or_url


def _check_file(path: Path, *, create: bool) -> None:
    where = f"journal {str(path)!r}"
    try:
        if path.is_dir():
            raise JournalError(f"{where} is a folder; name a file in it")
        if path.exists():
            # SQLite would turn an empty file into a database even when only reading.
            fresh = create and not path.stat().st_size
            if not fresh and not is_database(path):
                raise JournalError(
                    f"{where} is not a journal, or its file is damaged; `gfactor run` writes "
                    "journals"
                )
        elif not create:
            raise JournalError(f"{where} does not exist; `gfactor run` writes journals")
        elif not path.parent.is_dir():
            raise JournalError(f"{where} cannot be made: its folder does not exist")
    except OSError as error:
        raise JournalError(f"{where} cannot be read: {error.strerror}") from error


def _set_pragmas(connection: Any, record: Any) -> None:
    # A write-ahead log lets others read while one writes, and makes a commit one append; with
    # NORMAL a power cut may take the last commits, a killed process none.
    cursor = connection.cursor()
    _retry_while_locked(lambda: cursor.execute("PRAGMA journal_mode=WAL"))
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()


def _limit_idling(connection: Any, record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(f"SET idle_in_transaction_session_timeout = '{_IDLE_SECONDS}s'")
    cursor.close()
    connection.commit()


def _retry_while_locked(act: Callable[[], object]) -> None:
    """Repeat an action while other processes lock the file. SQLite itself waits for locks, except
    for the lock for starting a write-ahead log.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            act()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def verify(connection: sa.Connection, name: str, *, create: bool) -> None:
    """Make the tables in an empty database, or check that a journal of this schema is there."""
    present = _table_names(connection)
    if create and not present:
        _make_tables(connection)
        present = _table_names(connection)
    if META.name not in present:
        raise JournalError(f"journal {name!r} is a database of something else; name another file")
    facts = {key: value for key, value in connection.execute(sa.select(META))}
    if facts.get("kind") != KIND:
        raise JournalError(f"journal {name!r} is a database of something else; name another file")
    if facts.get("schema") in UPGRADED:
        upgrade(connection, name, lock)
        present = _table_names(connection)
    elif facts.get("schema") != str(SCHEMA):
        raise JournalError(
            f"journal {name!r} was written by gfactor {facts.get('version')} in another layout "
            f"({facts.get('schema')}, here {SCHEMA}); read it with that version"
        )
    if create and not {table.name for table in ADDED} <= present:
        lock(connection)
        for table in ADDED:
            table.create(connection, checkfirst=True)


def _table_names(connection: sa.Connection) -> set[str]:
    return set(sa.inspect(connection).get_table_names())


def lock(connection: sa.Connection) -> None:
    """Take a lock that no other process can have until the transaction ends."""
    if connection.dialect.name == "sqlite":
        # A SELECT may have begun no transaction, and DDL would commit each table by itself.
        if not connection.connection.dbapi_connection.in_transaction:  # type: ignore[union-attr]
            connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))


def _make_tables(connection: sa.Connection) -> None:
    # One process makes all tables, or none.
    lock(connection)
    if _table_names(connection):
        return
    facts = {
        "kind": KIND,
        "schema": str(SCHEMA),
        "version": __version__,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    make_tables(connection, TABLES)
    connection.execute(META.insert(), [{"key": k, "value": v} for k, v in facts.items()])
