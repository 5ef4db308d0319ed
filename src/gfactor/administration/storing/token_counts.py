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
) -> list[tuple[str, str, str, float | None, int]]:
    """Read the tokens and costs of the answers whose tokens were counted.

    Parameters
    ----------
    journal : Journal
        Open.
    examinees : sequence of str
        Canonical names.

    Returns
    -------
    list of tuple
        Examinee, condition, tokens (JSON), cost and number of answers. If no answer has a cost, an
        entry for all answers of a run with the same tokens; else one for each answer, sorted by
        key.
    """
    c, wanted = RESPONSES.c, set(examinees)
    counted = c.tokens != "{}"
    if len(wanted) <= _NAMED:
        counted &= c.examinee.in_(wanted)
    kind = c.examinee, c.condition, c.tokens
    numbers = sa.func.count(), sa.func.count(c.cost)
    alike = sa.select(*kind, *numbers).where(counted).group_by(*kind)
    each = sa.select(*kind, c.cost).where(counted).order_by(*(c[name] for name in KEY))
    with journal.transaction() as connection:
        groups = connection.execute(alike).all()
        if any(row[4] for row in groups):
            # Costs are added in the order of keys, so that the sum has the same digits every time.
            rows = [(row[0], row[1], row[2], row[3], 1) for row in connection.execute(each)]
        else:
            rows = [(row[0], row[1], row[2], None, row[3]) for row in groups]
    return [row for row in rows if row[0] in wanted]
