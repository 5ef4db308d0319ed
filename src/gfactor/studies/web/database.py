"""One SQLite file in WAL mode, whose failures are one sentence."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from gfactor.administration.storing.making_tables import make_tables
from gfactor.errors import ParameterError

WAIT_S = 10.0
"""Longest time that a transaction waits for another program's, in seconds."""


class DatabaseBusyError(ParameterError):
    """Another program is writing to the database, and did not end within the waiting time."""


class Database:
    """Database of a store: every use of it is one transaction.

    SQLite's write-ahead log keeps what was committed when the process is killed.

    Parameters
    ----------
    path: the file; made if it does not exist.
    tables: made if they are missing.
    what: name of the database, for messages ("the study").
    wait_s: time that a transaction waits for one of another program; a server, whose only thread
        must not stand still, does not wait and tries again later (`web.retrying`).

    The file can be read by its owner alone.
    """

    def __init__(self, path: Path, tables: sa.MetaData, what: str, wait_s: float = WAIT_S) -> None:
        self._path, self._what, self._wait_s = path, what, WAIT_S
        # A name such as "50%20off", "a?b" or "file:x" is a name, not an address.
        self._engine = sa.create_engine(sa.URL.create("sqlite", database=str(path.absolute())))
        self._direct: dict[int, sqlite3.Connection] = {}
        self._snapshots: dict[int, sa.Connection] = {}
        event.listen(self._engine, "connect", self._prepare)
        self._keep_private()
        try:
            with self.connected() as connection:
                # One query where SQLAlchemy asks for each table; most files have them all.
                query = "SELECT name FROM sqlite_master WHERE type = 'table'"
                if not tables.tables.keys() <= set(connection.exec_driver_sql(query).scalars()):
                    connection.exec_driver_sql("BEGIN IMMEDIATE")  # all tables or none
                    make_tables(connection, tables)
        except BaseException:
            self.close()
            raise
        if wait_s != WAIT_S:
            self._wait_s = wait_s
            self._engine.dispose()

    def _keep_private(self) -> None:
        """SQLite gives its log the permissions of the file; both are made for the owner alone.

        A file that is there is not opened: closing it would end the locks of other connections of
        this process, and another program would then delete the log that they write to.
        """
        try:
            if not self._path.exists():
                with suppress(FileExistsError):
                    os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            for ending in ("", "-wal", "-shm"):
                file = Path(f"{self._path}{ending}")
                if file.exists() and file.stat().st_mode & 0o077:
                    file.chmod(0o600)
        except OSError as error:
            raise ParameterError(
                f"{self._what}'s database {str(self._path)!r}: {error.strerror}"
            ) from error

    @contextmanager
    def connected(self) -> Iterator[sa.Connection]:
        """Yield a transaction, committed at the end of the block; raise ParameterError if it fails;
        raise DatabaseBusyError if another program's lasts too long."""
        snapshot = self._snapshots.get(threading.get_ident())
        try:
            if snapshot is not None:
                yield snapshot
                return
            with self._engine.begin() as connection:
                yield connection
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise self._as_parameter_error(error) from error

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let `connected`, in this thread, read the state of the database at the beginning of the
        block, without writing; others may write meanwhile."""
        thread = threading.get_ident()
        with self._engine.connect() as connection:
            for statement in ("PRAGMA query_only=ON", "BEGIN", "SELECT 1 FROM sqlite_schema"):
                connection.exec_driver_sql(statement).close()  # it begins with the first read
            self._snapshots[thread] = connection
            try:
                yield
            finally:
                del self._snapshots[thread]
                for statement in ("ROLLBACK", "PRAGMA query_only=OFF"):
                    connection.exec_driver_sql(statement).close()

    def direct(self) -> Direct:
        """Like `connected`, for plain SQL, which a server uses for every answer."""
        return Direct(self._plain, self._as_parameter_error)

    def read(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query in plain SQL; waits for no writer."""
        try:
            return self._plain().execute(sql, values).fetchone()
        except sqlite3.Error as error:
            raise self._as_parameter_error(error) from error

    def read_all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query in plain SQL, which waits for no writer, or the rows that a
        writing statement returns (see `write`)."""
        try:
            return self._plain().execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise self._as_parameter_error(error) from error

    def write(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Return the number of rows that one statement in plain SQL has changed.

        It is a transaction by itself: SQLite takes the lock of a writer at its beginning and
        commits at its end, or changes nothing. `BEGIN` and `COMMIT` around it would be two
        statements more.
        """
        try:
            return self._plain().execute(sql, values).rowcount
        except sqlite3.Error as error:
            raise self._as_parameter_error(error) from error

    def _plain(self) -> sqlite3.Connection:
        """Return the connection of this thread for plain SQL."""
        connection = self._direct.get(threading.get_ident())
        return self._opened() if connection is None else connection

    def _opened(self) -> sqlite3.Connection:
        # Another thread may close it, see `close`; only its own thread uses it.
        connection = sqlite3.connect(
            self._path.absolute(), isolation_level=None, check_same_thread=False
        )
        self._prepare(connection, None)
        self._direct[threading.get_ident()] = connection
        return connection

    def _as_parameter_error(self, error: Exception) -> ParameterError:
        cause = getattr(error, "orig", None) or error
        kind = DatabaseBusyError if _is_busy(cause) else ParameterError
        reason = str(cause).splitlines()[0]
        return kind(f"{self._what}'s database {str(self._path)!r}: {reason}")

    def _prepare(self, connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        wait = f"busy_timeout={round(1000 * self._wait_s)}"
        for pragma in (wait, "journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def erase(self) -> bool:
        """Rewrite the file, so that neither it nor its log contains deleted data; return True if
        this was done, which is impossible while another program is reading or writing.

        SQLite's `secure_delete` alone leaves copies of rows that were once moved to another page.
        The file system overwrites the file's earlier contents only when it needs the space.
        """
        try:
            with closing(
                sqlite3.connect(self._path.absolute(), timeout=WAIT_S, isolation_level=None)
            ) as connection:
                for pragma in ("secure_delete=ON", "temp_store=MEMORY"):
                    connection.execute(f"PRAGMA {pragma}")
                connection.execute("VACUUM")
                busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.Error as error:
            if _is_busy(error):
                return False
            raise self._as_parameter_error(error) from error
        return not busy

    def close(self) -> None:
        """Close all connections. SQLite then merges its write-ahead log into the file."""
        for connection in [*self._direct.values()]:
            connection.close()
        self._direct.clear()
        self._engine.dispose()


class Direct:
    """A transaction of plain SQL, see `Database.direct`; it is a class because a generator takes
    longer than one of its statements."""

    __slots__ = ("_as_parameter_error", "_connect", "_connection")

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        as_parameter_error: Callable[[Exception], ParameterError],
    ) -> None:
        self._connect, self._as_parameter_error = connect, as_parameter_error

    def __enter__(self) -> sqlite3.Connection:
        try:
            self._connection = self._connect()
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._as_parameter_error(error) from error
        return self._connection

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if error is None:
            try:
                self._connection.execute("COMMIT")
                return
            except BaseException as failed:
                error = failed
                self._undo()
                if not isinstance(failed, sqlite3.Error):
                    raise
        else:
            self._undo()
        if isinstance(error, sqlite3.Error):
            raise self._as_parameter_error(error) from error

    def _undo(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def _is_busy(error: object) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
