"""The errors a user can cause, as one tree; each message says what, where and what to do.

GfactorError
+-- UnknownNameError         a benchmark, domain, examinee ... that does not exist
+-- ParameterError           a parameter outside what is allowed
|   +-- UnreadableError      a person's entry that cannot be read as an answer
|   +-- DatabaseBusyError    a study's database that another process keeps locked
|   +-- ServiceError         a recruiting service that refuses what a study asks of it
+-- BankError                a bank on disk that cannot be used (file, row and item id named)
+-- JournalError             a journal that cannot be used
+-- MissingExtraError        a feature whose optional dependency is not installed
+-- ModelSyntaxError         a model text that cannot be read
+-- RunStoppedError          a run that has to end: a deadline, a server that fails everything
    +-- CapReachedError      its spending cap is reached
    +-- SubmissionLostError  nobody knows whether a batch was created
    +-- CallFailedError      a call to a vendor's batch API that failed as often as it was made
    |   +-- BatchGoneError   a batch, or a file of it, that its vendor does not know any more
    +-- QueueFullError       a vendor that takes no more batches at the moment

The command line prints such an error as one sentence and exits with its code (2, or 3 if a
spending cap is reached); anything else is a
defect of gfactor and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from gfactor.listing import first_few

_CODE = 2
"""Letters of a code, such as that of a language."""
_LISTED = 60
"""Known names that a message lists; more would not be read."""


def _restored(kind: type[GfactorError], sentence: str) -> GfactorError:
    """Return an error of a class that says a sentence."""
    error = kind.__new__(kind, sentence)
    error.args = (sentence,)
    return error


class GfactorError(Exception):
    """A mistake in what the user gave, told in one sentence."""

    code = 2
    """Exit code of the command line."""

    def __reduce__(self) -> tuple[Callable[..., GfactorError], tuple[Any, ...], dict[str, Any]]:
        # By default an exception is rebuilt from its message as if that were the arguments of its
        # class. An error of another process would then end in a traceback.
        return _restored, (type(self), str(self)), dict(self.__dict__)


class ParameterError(GfactorError):
    """A parameter has a value outside the allowed set."""


class UnknownNameError(GfactorError):
    """A name that is not registered; the message suggests the closest ones.

    A second name that is one letter away is suggested, too. To a code of two letters every other is
    near, so that the known ones are listed.

    Parameters
    ----------
    kind: kind of thing that was looked up, in words ("domain", "examinee").
    name: the name given.
    known: every name that would have been right.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(set(known))
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        listed = f"known: {first_few(names, _LISTED)}." if names else "there is none."
        # Codes of two letters are all near to each other.
        is_code = name.isalpha() and {len(name), *map(len, close)} == {_CODE}
        if close and not is_code:
            others = [n for n in names if n not in close and _one_letter_apart(n, name)]
            # Names that end in other digits are a series, of which one is enough.
            near = [*close, *others] if len(others) == 1 and name.isalpha() else close
            hint = f"did you mean {' or '.join(map(repr, near))}?"
        else:
            hint = listed
        super().__init__(f"unknown {kind} {name!r}; {hint}")


def _one_letter_apart(one: str, other: str) -> bool:
    """Return True if one letter put in, left out or replaced makes the one name of the other."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next(
        (k for k, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short)
    )
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


class BankError(GfactorError):
    """A bank that cannot be used; file, row (from 0) and item id are given if they are known."""

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
