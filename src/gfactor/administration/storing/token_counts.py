"""Answers of a journal whose tokens the server counted."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import KEY
from gfactor.administration.storing.tables import RESPONSES

_NAMED = 100
"""Examinees that a statement names; a database takes only so many values at once."""


def counted_tokens(
    journal: Journal, examinees: Sequence[str]
) -> list[tuple[str, str, str, float | None]]:
    """Read examinee, condition, tokens (JSON) and cost of the answers whose tokens were counted.

    Parameters
    ----------
    journal : Journal
        Open.
    examinees : sequence of str
        Canonical names.

    Returns
    -------
    list of tuple
        An entry per answer, sorted by key; the cost is None without prices.
    """
    c, wanted = RESPONSES.c, set(examinees)
    rows = sa.select(c.examinee, c.condition, c.tokens, c.cost).where(c.tokens != "{}")
    if len(wanted) <= _NAMED:
        rows = rows.where(c.examinee.in_(wanted))
    with journal.transaction() as connection:
        by_key = connection.execute(rows.order_by(*(c[name] for name in KEY)))
        return [(row[0], row[1], row[2], row[3]) for row in by_key if row[0] in wanted]
