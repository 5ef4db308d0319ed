"""One SQLite file in WAL mode, whose failures are one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from gfactor.errors import ParameterError


class Database:
    """What a store stands on: every use of it is one transaction.

    SQLite's write-ahead log keeps what was committed when the process is killed.

    Parameters
    ----------
    path: the file; made where it is missing.
    tables: made where they are missing.
    what: whose database it is, for messages ("the study").
    """

    def __init__(self, path: Path, tables: sa.MetaData, what: str) -> None:
        self._path, self._what = path, what
        self._engine = sa.create_engine(f"sqlite:///{path}")
        event.listen(self._engine, "connect", _prepare)
        with self.connected() as connection:
            tables.create_all(connection)

    @contextmanager
    def connected(self) -> Iterator[sa.Connection]:
        """A transaction, committed at the end of the block; ParameterError where it fails."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise ParameterError(
                f"{self._what}'s database {str(self._path)!r}: {reason}"
            ) from error

    def close(self) -> None:
        """Close all connections; SQLite then folds its write-ahead log into the file."""
        self._engine.dispose()


def _prepare(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
