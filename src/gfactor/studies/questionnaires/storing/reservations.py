"""Completed participations of a study, and places in its quotas until completion."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.studies.questionnaires.storing.action_log import Connected
from gfactor.studies.questionnaires.storing.participants import Holder
from gfactor.studies.questionnaires.storing.tables import (
    ANSWERS,
    EXITS,
    PARTICIPANTS,
    RESERVATIONS,
    now_text,
)
from gfactor.studies.web.database import Database


class Reservations:
    """The part of a study's database with the places in quotas."""

    _connected: Connected
    _database: Database

    def completed(self, language: str = "") -> int:
        """Return the number of participants who have finished, in one language if it is given."""
        done = sa.select(sa.func.count()).where(PARTICIPANTS.c.finished.is_not(None))
        done = done.where(PARTICIPANTS.c.language == language) if language else done
        with self._connected() as connection:
            return connection.execute(done).scalar_one()

    def completed_numbers(self) -> list[int]:
        """Return the numbers of the participants who have finished."""
        done = sa.select(PARTICIPANTS.c.number).where(PARTICIPANTS.c.finished.is_not(None))
        with self._connected() as connection:
            return list(connection.execute(done).scalars())

    def completed_pages(self) -> list[str]:
        """Return the stored answers to pages of questions of people who have finished."""
        done = (PARTICIPANTS.c.code == ANSWERS.c.code) & PARTICIPANTS.c.finished.is_not(None)
        given = sa.select(ANSWERS.c.text).where(ANSWERS.c.kind == "page", done)
        with self._connected() as connection:
            return list(connection.execute(given).scalars())

    def holders(self, place_s: float) -> list[Holder]:
        """Return the people with a place in the quotas, who have begun, not ended, and answered
        within `place_s` seconds."""
        limit = now_text(time.time() - place_s)
        answered = sa.select(sa.func.max(ANSWERS.c.created))
        back = sa.select(RESERVATIONS.c.since).where(RESERVATIONS.c.code == PARTICIPANTS.c.code)
        last = sa.func.max(
            PARTICIPANTS.c.started,
            sa.func.coalesce(
                answered.where(ANSWERS.c.code == PARTICIPANTS.c.code).scalar_subquery(), ""
            ),
            sa.func.coalesce(back.scalar_subquery(), ""),
        )
        query = sa.select(PARTICIPANTS.c.code, PARTICIPANTS.c.number, PARTICIPANTS.c.language)
        query = query.where(
            PARTICIPANTS.c.finished.is_(None),
            PARTICIPANTS.c.code.not_in(sa.select(EXITS.c.code)),
            last > limit,
        )
        with self._connected() as connection:
            return [Holder(*row) for row in connection.execute(query)]

    def page_answers(self, codes: Sequence[str]) -> list[str]:
        """Return the stored answers of these participants to pages of questions."""
        given = sa.select(ANSWERS.c.text).where(ANSWERS.c.kind == "page", ANSWERS.c.code.in_(codes))
        with self._connected() as connection:
            return list(connection.execute(given).scalars())

    def progress(self, code: str) -> tuple[int, str, float]:
        """Return the progress of a participant.

        It has the number of answers (which is the next position), the reason why the participation
        ended before the last page ("" if it did not), and the time of the last activity (a start,
        an answer, or a new reservation), in seconds since 1970.
        """
        row = self._database.read(_PROGRESS, (code,))
        if row is None:
            return 0, "", 0.0
        given, outcome, *moments = row
        seen = (datetime.fromisoformat(at).timestamp() for at in moments if at)
        return given, outcome or "", max(seen, default=0.0)

    def take_place(self, code: str) -> None:
        """Record that a person whose place had expired has one again from now on."""
        now = now_text()
        row = insert(RESERVATIONS).values(code=code, since=now)
        with self._connected() as connection:
            connection.execute(
                row.on_conflict_do_update(index_elements=["code"], set_={"since": now})
            )

    def leave(self, code: str, outcome: str) -> None:
        """End a participation before its last page."""
        row = insert(EXITS).values(code=code, outcome=outcome, created=now_text())
        with self._connected() as connection:
            connection.execute(row.on_conflict_do_nothing())


_PROGRESS = (
    "SELECT (SELECT count(*) FROM answers WHERE code = who.code), "
    "(SELECT outcome FROM exits WHERE code = who.code), who.started, "
    "(SELECT max(created) FROM answers WHERE code = who.code), "
    "(SELECT since FROM reservations WHERE code = who.code) "
    "FROM participants AS who WHERE who.code = ?"
)
