"""The journal that a verb writes to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gfactor.administration import Journal
from gfactor.errors import GfactorError


@contextmanager
def journal_to_write(path: str) -> Iterator[Journal]:
    """The journal, made where there is none; a user's mistake leaves no empty one behind."""
    made = "://" not in path and not Path(path).exists()
    try:
        with Journal.open(path) as journal:
            try:
                yield journal
            except GfactorError:
                made = made and journal.items().empty
                raise
    except GfactorError:
        if made:
            with suppress(OSError):
                Path(path).unlink()
        raise
