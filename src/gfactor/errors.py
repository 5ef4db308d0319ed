"""The errors a user can cause, as one tree; each message says what, where and what to do.

GfactorError
+-- UnknownNameError   a benchmark, domain, examinee ... that does not exist (close match offered)
+-- ParameterError     a parameter outside what is allowed
+-- BankError          a bank on disk that cannot be used (file, row and item id named)
+-- JournalError       a journal that cannot be used
+-- MissingExtraError  a feature whose optional dependency is not installed

The command line prints such an error as one sentence and exits with code 2; anything else is a
defect of gfactor and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

_LISTED = 60
"""Known names that a message lists; more would not be read."""


class GfactorError(Exception):
    """A mistake in what the user gave, told in one sentence."""


class ParameterError(GfactorError):
    """A parameter has a value outside the allowed set."""


class UnknownNameError(GfactorError):
    """A name that is not registered; the message suggests the closest one.

    Parameters
    ----------
    kind: kind of thing that was looked up, in words ("domain", "examinee").
    name: the name given.
    known: every name that would have been right.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(set(known))
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        more = f", ... {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        listed = f"known: {', '.join(names[:_LISTED])}{more}." if names else "there is none."
        hint = f"did you mean {close[0]!r}?" if close else listed
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class BankError(GfactorError):
    """A bank that cannot be used, with the file, the row (from 0) and the item id where known."""

    def __init__(
        self, path: Path | str, what: str, *, row: int | None = None, item_id: str | None = None
    ) -> None:
        where = f"bank {str(path)!r}"
        if row is not None:
            where += f", row {row}"
        if item_id is not None:
            where += f", item {item_id!r}"
        super().__init__(f"{where}: {what}")


class JournalError(GfactorError):
    """A journal that cannot be opened, read or written."""


class MissingExtraError(GfactorError):
    """An optional dependency is missing; the message holds the line that installs it."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an extra: run  pip install 'gfactor[{extra}]'")
