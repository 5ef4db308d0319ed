"""Pages that a participant was shown, with the times."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import pandas as pd
import sqlalchemy as sa

from gfactor.studies.questionnaires.storing.tables import ANSWERS, EXITS, PAGE_LOADS, PARTICIPANTS
from gfactor.studies.web.database import Database

COLUMNS = [column.name for column in PAGE_LOADS.columns]


class PageLoads:
    """The part of a study's database that records the pages shown to participants.

    The reply to an answer shows the next question, which is not recorded separately, because the
    answer has its time. The table `shown` has pages that were loaded otherwise, and questions that
    were loaded again.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def loaded(self, code: str, page: str) -> float:
        """Record that a page was loaded; return the time at which it was first shown, in seconds
        since 1970."""
        at, times = time.time(), 1
        before = self._database.read(_BEFORE, (code, position_of(page) - 1))
        if before is not None:
            at, times = _seconds(before[0]), 2
        first = self._database.read_all(_LOADED_AT, (code, page, at, times, code))
        return first[0][0] if first else at

    def noted(self, code: str, page: str) -> None:
        """Record that a page without a question was loaded."""
        self._database.write(_NOTED, (code, page, time.time(), code))

    def was_shown(self, code: str, position: int) -> bool:
        """Return True if a question was shown to a participant, so that its clock runs."""
        seen = self._database.read(_SEEN, (code, page_of(position)))
        return bool(seen or self._database.read(_BEFORE, (code, position - 1)))

    def frame(self) -> pd.DataFrame:
        """Return a row per participant and page: the time `at` which it was first shown, in seconds
        since 1970, and the number of `times`."""
        return pd.DataFrame(self._rows(), columns=pd.Index(COLUMNS))

    def of(self, code: str) -> list[dict[str, Any]]:
        """Return the rows of `frame` of one participant."""
        return self._rows(code)

    def _rows(self, code: str = "") -> list[dict[str, Any]]:
        def only(table: sa.Table, *columns: Any) -> sa.Select[Any]:
            query = sa.select(*(columns or table.columns))
            return query.where(table.c.code == code) if code else query

        answered = (ANSWERS.c.code, ANSWERS.c.position, ANSWERS.c.kind, ANSWERS.c.created)
        with self._database.connected() as connection:
            rows = [dict(row) for row in connection.execute(only(PAGE_LOADS)).mappings()]
            answers = list(connection.execute(only(ANSWERS, *answered)).mappings())
            forms = connection.execute(only(PARTICIPANTS, PARTICIPANTS.c.code, PARTICIPANTS.c.form))
            lengths = {row.code: len(json.loads(row.form)) for row in forms}
            ended = set(connection.execute(only(EXITS, EXITS.c.code)).scalars())
        recorded = {(row["code"], row["page"]) for row in rows}
        rows += [row for row in _with_answers(answers, lengths, ended)
                 if (row["code"], row["page"]) not in recorded]  # fmt: skip
        return sorted(rows, key=lambda row: (row["code"], row["page"]))


def page_of(position: int) -> str:
    """Return the name of the page of a question, by its position from 0."""
    return f"question-{position + 1}"


def position_of(page: str) -> int:
    """Return the position, from 0, of the question of a page; -1 for a page without a question."""
    return int(page.removeprefix("question-")) - 1 if page.startswith("question-") else -1


def _with_answers(
    answers: Iterable[Mapping[Any, Any]], lengths: Mapping[str, int], ended: set[str]
) -> Iterator[dict[str, Any]]:
    """Rows of the questions that were shown by replies to answers: after every answer but those for
    practice, whose reply is feedback, and the last one."""
    last: dict[str, int] = {}
    for row in answers:
        last[row["code"]] = max(last.get(row["code"], 0), row["position"])
    for row in answers:
        code, position = row["code"], row["position"]
        at_end = position + 1 >= lengths.get(code, 0) or (code in ended and position == last[code])
        if row["kind"] != "practice" and not at_end:
            yield {"code": code, "page": page_of(position + 1), "at": _seconds(row["created"]),
                   "times": 1}  # fmt: skip


def _seconds(created: str) -> float:
    return datetime.fromisoformat(created).timestamp()


_SEEN = "SELECT 1 FROM shown WHERE code = ? AND page = ?"
_BEFORE = "SELECT created FROM answers WHERE code = ? AND position = ? AND kind <> 'practice'"
_LOADED = (
    "INSERT INTO shown (code, page, at, times) SELECT ?, ?, ?, {} "
    "WHERE EXISTS (SELECT 1 FROM participants WHERE code = ?) "
    "ON CONFLICT (code, page) DO UPDATE SET times = times + 1"
)
_NOTED, _LOADED_AT = _LOADED.format(1), _LOADED.format("?") + " RETURNING at"
