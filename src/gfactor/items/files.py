"""Files that are either whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gfactor.errors import ParameterError


@contextmanager
def replacing(path: Path, folder: Path | None = None) -> Iterator[Path]:
    """A temporary path that becomes `path` when the block ends, and vanishes when it fails.

    `folder` (on the same file system) holds the temporary file; by default it lies beside `path`.
    """
    temporary = _temporary_for(path, folder)
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _temporary_for(path: Path, folder: Path | None = None) -> Path:
    """Where this process writes `path` before it is whole."""
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
