"""Models that a run stopped asking, recorded in the journal for later reports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import sqlalchemy as sa

from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import insert
from gfactor.administration.storing.tables import META, STOPPED

Budgets = tuple[float | None, float | None]
"""The budget of an examinee, and that of all together; None if there is none."""


def note_stop(journal: Journal, examinee: str, reason: str, budgets: Budgets) -> None:
    """Note that a run stopped asking an examinee because a budget was reached."""
    row = {"key": STOPPED + examinee, "value": json.dumps([reason, list(budgets)])}
    with journal.transaction(alone=True) as connection:
        connection.execute(META.delete().where(META.c.key == row["key"]))
        insert(connection, META, [row])


def forget_stops(journal: Journal, examinees: Iterable[str]) -> None:
    """Remove the stored stops of examinees that are going to be asked again."""
    keys = [STOPPED + examinee for examinee in examinees]
    with journal.transaction(alone=True) as connection:
        connection.execute(META.delete().where(META.c.key.in_(keys)))


def noted_stops(journal: Journal, budgets: Mapping[str, Budgets]) -> dict[str, str]:
    """Return the reasons for which examinees stopped at their budget, unless the budget has changed
    since."""
    with journal.transaction() as connection:
        rows = connection.execute(sa.select(META).where(META.c.key.startswith(STOPPED))).all()
    noted = {row.key.removeprefix(STOPPED): json.loads(row.value) for row in rows}
    return {
        examinee: reason
        for examinee, (reason, then) in noted.items()
        if list(budgets.get(examinee, ())) == then
    }
