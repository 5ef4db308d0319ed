"""Backups of a served folder: consistent while people answer, and checked before they get a
name."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from gfactor import __version__
from gfactor.administration.storing.opening import is_database
from gfactor.errors import ParameterError

MANIFEST = "backup.json"
_STAMP = "%Y%m%dT%H%M%S%fZ"


def back_up(
    source: Path, database: str, into: Path, opens: Callable[[Path], object], keep: int = 0
) -> Path:
    """Copy a folder into a new one below `into`, named by the time (UTC).

    The database is copied by SQLite's online backup while a server may write to it; the copy has
    its state at one moment, with everything acknowledged before. It is checked (SQLite's integrity
    check, and `opens`) before it gets its name, so that an existing backup is complete. It contains
    the secrets, and only its owner can read it.

    Parameters
    ----------
    source: the folder; its plain files are copied, folders in it are not.
    database: name of the SQLite file in it; others (of a pilot) are copied in the same way.
    into: folder of the backups; made if it does not exist.
    opens: opens the copy as what it is, and raises ParameterError if it cannot.
    keep: number of backups to keep; older ones are deleted once the new one is whole. 0 keeps all.

    Raises ParameterError if the copy cannot be written, or is not whole.
    """
    stamp = datetime.now(UTC).strftime(_STAMP)
    unfinished, finished = into / f".{stamp}.tmp", into / stamp
    try:
        into.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished.mkdir(mode=0o700)
        try:
            databases = _databases(source, database)
            for file in _plain_files(source, databases):
                _copy(file, unfinished / file.name)
            for file in databases:
                _copy_database(file, unfinished / file.name)
            opens(unfinished)
            _write_manifest(unfinished, [database, *(file.name for file in databases)])
            os.replace(unfinished, finished)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        for old in backups(into)[:-keep] if keep else []:
            shutil.rmtree(old)
    except (OSError, sqlite3.Error) as error:
        raise ParameterError(f"cannot back {str(source)!r} up to {str(into)!r}: {error}") from error
    return finished


def backups(folder: Path) -> list[Path]:
    """Return the backups below a folder, the oldest first."""
    return sorted(path.parent for path in folder.glob(f"[0-9]*Z/{MANIFEST}"))


def made_at(backup: Path) -> datetime:
    """Return the time at which a backup was begun (UTC); it contains nothing that was deleted
    before."""
    return datetime.strptime(backup.name, _STAMP).replace(tzinfo=UTC)


def restore(backup: Path, target: Path) -> Path:
    """Copy a backup to a new folder, which can be served.

    Parameters
    ----------
    backup: a backup, or a folder of backups, whose newest is taken.
    target: the new folder.

    Raises ParameterError if it holds anything, or a file of the backup is not as it was.
    """
    if not (backup / MANIFEST).exists():
        written = backups(backup)
        if not written:
            raise ParameterError(f"{str(backup)!r} holds no backup ({MANIFEST} is missing)")
        backup = written[-1]
    if target.exists() and any(target.iterdir()):
        raise ParameterError(f"{str(target)!r} is not empty; name a new folder")
    files = _files_of(backup)
    try:
        target.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name in files:
            _copy(backup / name, target / name)
    except OSError as error:
        raise ParameterError(f"cannot restore to {str(target)!r}: {error}") from error
    return target


def _files_of(backup: Path) -> dict[str, str]:
    """The files of a backup with their digests, each of which was compared."""
    try:
        files = dict(json.loads((backup / MANIFEST).read_text("utf-8"))["files"])
        changed = [name for name, digest in files.items() if file_digest(backup / name) != digest]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ParameterError(f"the backup {str(backup)!r} cannot be read: {error}") from error
    if changed:
        raise ParameterError(
            f"{changed[0]} of the backup {str(backup)!r} is not as it was written; take another one"
        )
    return files


def _databases(folder: Path, database: str) -> list[Path]:
    """The SQLite files of a folder, `database` in any case."""
    files = sorted(folder.glob("[!.]*.db"))
    return [path for path in files if path.name == database or is_database(path)]


def _plain_files(folder: Path, databases: Sequence[Path]) -> list[Path]:
    """Return the files to be copied as they are: all but databases, their logs, and hidden ones."""
    apart = (".", *(file.name for file in databases))
    return sorted(
        path for path in folder.iterdir()
        if path.is_file() and not path.name.startswith(apart) and path.name != MANIFEST
    )  # fmt: skip


def _copy(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
    target.chmod(0o600)


def _copy_database(source: Path, target: Path) -> None:
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with (
        closing(sqlite3.connect(source.absolute())) as original,
        closing(sqlite3.connect(target.absolute())) as copy,
    ):
        # In one step, because a write between two steps would restart the backup.
        original.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        checked = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if checked != "ok":
        raise ParameterError(f"the copy of {str(source)!r} is not whole: {checked}")


def _write_manifest(folder: Path, databases: Collection[str]) -> None:
    for log in [log for name in databases for log in folder.glob(f"{name}-*")]:
        log.unlink()
    files = {path.name: file_digest(path) for path in sorted(folder.iterdir())}
    facts = {"made": datetime.now(UTC).isoformat(), "version": __version__, "files": files}
    (folder / MANIFEST).write_text(json.dumps(facts, indent=2) + "\n", "utf-8")
    for path in folder.iterdir():
        path.chmod(0o600)
        with path.open("rb") as file:
            os.fsync(file.fileno())


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
