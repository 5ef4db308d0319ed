"""People whom the rules of a study mark invalid, recorded in the journal for later reports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import sqlalchemy as sa

from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import insert
from gfactor.administration.storing.tables import INVALID, META
from gfactor.psychometrics.diagnostic import Diagnostic

PERSON = "person:"
"""Beginning of the names of persons, as `gfactor study export` gives them."""


def note_invalid(journal: Journal, examinees: Iterable[str]) -> None:
    """Note the people who are marked invalid; whoever was noted before and is none of them is not
    marked any more."""
    rows = [{"key": INVALID + examinee, "value": ""} for examinee in examinees]
    with journal.transaction(alone=True) as connection:
        connection.execute(META.delete().where(META.c.key.startswith(INVALID)))
        if rows:
            insert(connection, META, rows)


def noted_invalid(journal: Journal) -> tuple[str, ...]:
    """Return the people who are marked invalid, in alphabetical order."""
    with journal.transaction() as connection:
        keys = connection.execute(sa.select(META.c.key).where(META.c.key.startswith(INVALID)))
        return tuple(sorted(key.removeprefix(INVALID) for key in keys.scalars()))


def invalid_people(journal: Journal, names: Collection[str]) -> Iterator[Diagnostic]:
    """Yield a warning if some of the people whose answers count are marked invalid.

    Parameters
    ----------
    journal : Journal
        The journal.
    names : collection of str
        Examinees whose answers count.
    """
    people = {name for name in names if name.startswith(PERSON)}
    marked = [name for name in noted_invalid(journal) if name in people]
    if marked:
        yield Diagnostic(
            "invalid_people", "warning",
            f"{sentence_on_invalid(len(marked), len(people))}, and their answers count.",
            "Export the study again with --without-invalid, into another folder.",
            where=tuple(marked), values={"invalid": len(marked), "people": len(people)},
        )  # fmt: skip


def sentence_on_invalid(invalid: int, people: int) -> str:
    """Return the number of people marked invalid, in words."""
    who = "person is" if people == 1 else "people are"
    return f"{invalid} of {people} {who} marked invalid by the rules of the study"
