"""`journal`: journals of `gfactor run`, such as one per checkpoint, joined in another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gfactor.administration.imports.base import (
    IMPORTS,
    FolderLogs,
    JournalFile,
    Naming,
    Traits,
    declare,
)
from gfactor.errors import ParameterError
from gfactor.items.reading import is_database

declare("journal", Traits(FolderLogs(r".*\.db", "journals (.db)")))


@IMPORTS.register("journal")
def read(path: Path, naming: Naming) -> Iterator[JournalFile]:
    """Read journals of gfactor run, .db, each with all its contents."""
    if naming != Naming():
        raise ParameterError(
            "a journal names its examinees, conditions and items itself; leave out --examinee, "
            "--condition, --bank"
        )
    if not is_database(path):
        raise ParameterError(f"{str(path)!r} is no journal")
    yield JournalFile(path)
