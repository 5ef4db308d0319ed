"""Files that are either complete or do not exist."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gfactor.errors import ParameterError


@contextmanager
def replacing(path: Path, folder: Path | None = None) -> Iterator[Path]:
    """Yield a temporary path that becomes `path` if the block succeeds, and is deleted otherwise.

    The temporary file is in `folder` (on the same file system), by default next to `path`.
    """
    temporary = _temporary_for(path, folder)
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def filling(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder whose files are moved into `folder` when the block ends.

    A block that fails leaves `folder` as it was, also if it did not exist. Files of `folder`
    that have the name of a new one are replaced; others stay. Raises ParameterError if the
    folder cannot be made or written to.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        temporary = Path(
            tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".tmp", dir=folder.parent)
        )
    except OSError as error:
        raise ParameterError(
            f"cannot write below {str(folder)!r}: {error.strerror}; name a folder that you can "
            "make and write to"
        ) from error
    try:
        yield temporary
        for file in sorted(path for path in temporary.rglob("*") if path.is_file()):
            target = folder / file.relative_to(temporary)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(file, target)
            except OSError as error:
                raise ParameterError(
                    f"cannot write {str(target)!r}: {error.strerror}; name an empty folder, or one "
                    "that an earlier export wrote"
                ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _temporary_for(path: Path, folder: Path | None = None) -> Path:
    """Return the path at which this process writes `path` until the file is complete."""
    return (folder or path.parent) / f".{path.name}.{os.getpid()}.tmp"


def check_writable(path: Path) -> None:
    """Raise ParameterError unless a file can be created at `path`."""
    try:
        if path.is_dir():
            raise ParameterError(f"cannot write {str(path)!r}: it is a folder; name a file in it")
        probe = _temporary_for(path)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ParameterError(
            f"cannot write {str(path)!r}: {error.strerror}; name a file in a folder that exists "
            "and that you may write to"
        ) from error
