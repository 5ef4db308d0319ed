"""Replies that could not be stored in the journal: they are kept in a file next to it, and the next
command stores them. A spill file has a line of JSON with its kind, one for each reply, and one with
the number of replies. Each process writes its own file, once. The transaction that stores its
replies also records the file, so that no reply is stored twice, even if a process is killed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from gfactor.administration.sharing.claims import is_gone, new_owner
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.response import Response
from gfactor.administration.storing.rows import KEY, attempt_row, insert, late_rows, reply_of
from gfactor.administration.storing.tables import FAILURES, LATE, META, NOTED, RESPONSES, TURNS
from gfactor.errors import JournalError
from gfactor.examinees import FAILED

KIND = "gfactor spill"

_UNFINISHED_S = 60.0
"""Seconds for which a file without its last line is left alone, since its writer may be active."""


@dataclass(frozen=True)
class Spilled:
    """A reply that could not be stored in the journal.

    Parameters
    ----------
    response: the reply and its key.
    turn: number of an earlier turn of a conversation that it answers, None for an answer.
    """

    response: Response
    turn: int | None = None


def spill(journal: Journal, replies: Sequence[Spilled]) -> Path:
    """Write replies to a new spill file, and return when it is on the disk.

    The file is next to the journal or, if that folder cannot be written to, in the folder for
    temporary files.

    Raises JournalError if neither can be written.
    """
    name = f"{_prefix(journal)}{secrets.token_hex(6)}.jsonl"
    mistake = ""
    for folder in _folders(journal):
        path = folder / name
        try:
            _write(path, replies)
        except OSError as error:
            mistake = mistake or f"{str(path)!r}: {error.strerror}"
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            continue
        return path
    raise JournalError(f"{len(replies):,} replies are lost: no file could be written ({mistake})")


def take_in(journal: Journal) -> int:
    """Store the replies of a journal's spill files, once, and delete the files.

    Replies whose key has been answered meanwhile are stored as late replies (`Journal.late`).

    Returns
    -------
    int
        Number of replies that were taken in.

    Raises JournalError if the journal cannot be written; the files stay then.
    """
    taken = 0
    for path in spill_files(journal):
        read = _read(path)
        if read is not None:
            token, replies = read
            taken += len(replies) if _store(journal, token, replies) else 0
            with contextlib.suppress(OSError):
                path.unlink()
    return taken


def spill_files(journal: Journal) -> list[Path]:
    """Return the spill files of a journal, the oldest first."""
    prefix = _prefix(journal)
    files: list[tuple[float, Path]] = []
    for folder in _folders(journal):
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            files += [
                (entry.stat().st_mtime, Path(entry.path))
                for entry in entries
                if entry.name.startswith(prefix) and entry.name.endswith(".jsonl")
            ]
    return [path for _, path in sorted(files)]


def _folders(journal: Journal) -> tuple[Path, ...]:
    """The folders in which spill files may be: the journal's (for one on a server, the current)."""
    file = _file(journal)
    return (file.parent if file is not None else Path.cwd()), Path(tempfile.gettempdir())


def _file(journal: Journal) -> Path | None:
    """The journal's file; None for one on a server."""
    return None if "://" in journal.address else Path(journal.address)


def _prefix(journal: Journal) -> str:
    """The beginning of the names of a journal's spill files, which no other journal's have."""
    file = _file(journal)
    where = str(file) if file is not None else journal.name
    name = file.name if file is not None else "journal"
    return f"{name}.spill-{hashlib.sha256(where.encode()).hexdigest()[:8]}-"


def _write(path: Path, replies: Sequence[Spilled]) -> None:
    rows = [{"turn": one.turn, **attempt_row(one.response)} for one in replies]
    head = {"kind": KIND, "token": secrets.token_hex(12), "owner": new_owner()}
    with path.open("x", encoding="ascii") as file:
        for line in (head, *rows, {"replies": len(rows)}):
            file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())
    # The name is on the disk only if the folder is synchronized as well.
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _read(path: Path) -> tuple[str, list[dict[str, Any]]] | None:
    """Return the token and the rows of a file; None if it is not a spill file, or is being
    written."""
    try:
        lines = list(_lines(path))
        age = time.time() - path.stat().st_mtime
    except OSError:
        return None
    if not lines or lines[0].get("kind") != KIND or not isinstance(lines[0].get("token"), str):
        return None
    head, *rows = lines
    if rows and "replies" in rows[-1]:
        return head["token"], rows[:-1]
    # Its writer was killed while writing; the lines written until then are complete.
    gone = is_gone(str(head.get("owner")))
    return (head["token"], rows) if gone or age > _UNFINISHED_S else None


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_bytes().splitlines():
        with contextlib.suppress(ValueError):
            value = json.loads(line)
            if isinstance(value, dict):
                yield value


def _store(journal: Journal, token: str, rows: Sequence[dict[str, Any]]) -> bool:
    """Store the rows of a file and record the file; return False if it was stored before."""
    kinds: dict[sa.Table, list[dict[str, Any]]] = {RESPONSES: [], TURNS: [], FAILURES: []}
    for row in rows:
        turn, attempt = row["turn"], attempt_row(_response(row))
        if row["outcome"] in FAILED:
            kinds[FAILURES].append(attempt)
        else:
            kinds[RESPONSES if turn is None else TURNS].append(
                attempt if turn is None else {**attempt, "turn": turn}
            )
    with journal.transaction() as connection:
        if not insert(connection, META, [{"key": f"{NOTED}{token}", "value": ""}]):
            return False
        for table in (RESPONSES, TURNS):
            if insert(connection, table, kinds[table]) < len(kinds[table]):
                insert(connection, LATE, late_rows(connection, table, kinds[table]))
        insert(connection, FAILURES, kinds[FAILURES])
    return True


def _response(row: dict[str, Any]) -> Response:
    examinee, item_hash, condition, occasion = (row[name] for name in KEY)
    return Response(examinee, item_hash, condition, occasion, reply_of(row), row["created"])
