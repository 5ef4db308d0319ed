"""A study's answers in one SQLite file: each is on disk before the next question is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas as pd
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.order.allocation import Step, to_json
from gfactor.studies.questionnaires.perception.presentation import MEASURE, Presentations
from gfactor.studies.questionnaires.storing.action_log import (
    ActionLog,
    add_action,
)
from gfactor.studies.questionnaires.storing.appeals import Appeals
from gfactor.studies.questionnaires.storing.beginning import COUNT, MOVE, Beginnings
from gfactor.studies.questionnaires.storing.challenges import Challenges
from gfactor.studies.questionnaires.storing.declaration import Declarations
from gfactor.studies.questionnaires.storing.deleting import Deletions, note_deletion
from gfactor.studies.questionnaires.storing.owners import Owners
from gfactor.studies.questionnaires.storing.page_loads import PageLoads
from gfactor.studies.questionnaires.storing.playbacks import Playbacks
from gfactor.studies.questionnaires.storing.reservations import Reservations
from gfactor.studies.questionnaires.storing.states import States
from gfactor.studies.questionnaires.storing.tables import (
    ANSWERS,
    APPEALS,
    CHALLENGES,
    CONSENT_TEXTS,
    CONSENTS,
    CONTACTS,
    COUNTERS,
    EXITS,
    META,
    METADATA,
    PAGE_LOADS,
    PARTICIPANTS,
    PAYMENTS,
    PLAYBACKS,
    PRESENTATIONS,
    RANDOMIZED,
    RESERVATIONS,
    SCHEMA,
    TRANSFERS,
    TURNS,
    now_text,
)
from gfactor.studies.questionnaires.storing.transfers import Transfers
from gfactor.studies.web.database import WAIT_S, Database

_OF_PARTICIPANT = (
    PARTICIPANTS, ANSWERS, TURNS, PRESENTATIONS, RANDOMIZED, PAGE_LOADS, CHALLENGES, CONTACTS,
    EXITS, PAYMENTS, CONSENTS, APPEALS, RESERVATIONS, TRANSFERS, PLAYBACKS,
)  # fmt: skip


class Store(
    Appeals, Beginnings, Challenges, Declarations, Deletions, Reservations, States, Transfers
):
    """The database of a study; several processes may open it, one at a time should serve it.

    Every method is one transaction; in a block of `snapshot` all tables are read in their state at
    its beginning, while people continue. `log` is the log of owners' actions, `owners` has the
    owners, and `pages` the pages shown to participants.
    """

    def __init__(self, path: Path, wait_s: float = WAIT_S) -> None:
        self._database = Database(path, METADATA, "the study", wait_s)
        self._connected = self.transaction = self._database.connected
        self.snapshot = self._database.snapshot
        self.presentations = Presentations(self._database)
        self.playbacks = Playbacks(self._database)
        self.pages = PageLoads(self._database)
        try:
            self._check_schema(path)
        except BaseException:
            self.close()
            raise
        self.log = ActionLog(self._connected)
        self.owners = Owners(self._connected)

    def _check_schema(self, path: Path) -> None:
        with self._connected() as connection:
            schema = insert(META).values(key="schema", value=str(SCHEMA))
            connection.execute(schema.on_conflict_do_nothing())
            rows = connection.execute(sa.select(META.c.value).where(META.c.key == "schema"))
            if (stored := rows.scalar_one()) != str(SCHEMA):
                raise ParameterError(
                    f"{str(path)!r} is a study database of schema {stored}, this gfactor reads "
                    f"{SCHEMA}; use the version that made it"
                )

    def close(self) -> None:
        self._database.close()

    def reached(self, session: str, code: str) -> int | None:
        """Return the position of the next question of a participation; None if it was deleted or
        does not belong to this session any more."""
        row = self._database.read(_REACHED, (session, code))
        return None if row is None else row[0]

    def external_id(self, code: str) -> str | None:
        """Return the id with which a participant was sent, as long as it is stored."""
        row = self._database.read(_CONTACT, (code,))
        return None if row is None else row[0]

    def contact(self, code: str) -> tuple[str, dict[str, str]]:
        """Return the id with which a participant was sent, and the other facts of the address;
        empty if nobody sent the participant, or the facts were deleted."""
        row = self._database.read(_CONTACT, (code,))
        return ("", {}) if row is None else (row[0], json.loads(row[1]))

    def outcome(self, code: str) -> str:
        """Return the way in which a participation ended before the last page; "" if it did not."""
        query = sa.select(EXITS.c.outcome).where(EXITS.c.code == code)
        with self._connected() as connection:
            return connection.execute(query).scalar() or ""

    def move(self, code: str, session: str) -> None:
        """Move a participation to another session; all other sessions lose it."""
        self._database.write(MOVE, (session, code))

    def answer(
        self,
        session: str,
        code: str,
        position: int,
        facts: Mapping[str, Any],
        last: bool = False,
        form: Sequence[Step] | None = None,
        outcome: str = "",
        measured: str = "",
        turn: Mapping[str, Any] | None = None,
    ) -> bool:
        """Store an answer in one transaction, with `last` if the participant has finished, the
        `form` if the answer made it longer, the `outcome` if it ended the participation, the times
        `measured` for a timed picture, and the last `turn` of a conversation.

        Returns True if it was stored. It is not if this position was answered before (the first
        answer stays), the study is closed, or the participation was deleted or belongs to another
        `session` now.
        """
        row = {"code": code, "position": position, **facts}
        if "created" not in row:
            row["created"] = now_text()
        values = (*_ANSWERED(row), session, code)
        if not (last or turn or measured or form or outcome):
            return bool(self._database.write(_ANSWER, values))
        with self._database.direct() as connection:
            stored = connection.execute(_ANSWER, values).rowcount
            if not stored:
                return False
            if last:
                connection.execute(_FINISHED, (row["created"], code))
            if turn is not None:
                connection.execute(_TURN, (*_REPLIED({**row, **turn}), session, code))
            if measured:
                connection.execute(MEASURE, (code, position, measured))
            if form is not None:
                connection.execute(_FORM, (to_json(form), code))
            if outcome:
                connection.execute(_EXIT, (code, outcome, row["created"]))
        return True

    def turn(self, session: str, code: str, position: int, facts: Mapping[str, Any]) -> bool:
        """Store the reply to a turn of a conversation; return True if it was stored. It is not if
        this turn was answered before (the first reply stays), or for the reasons given in
        `answer`."""
        row = {"code": code, "position": position, "created": now_text(), **facts}
        return bool(self._database.write(_TURN, (*_REPLIED(row), session, code)))

    def turns(self, code: str, position: int) -> list[dict[str, Any]]:
        """Return the replies to the turns of a conversation so far, in order."""
        this = (TURNS.c.code == code) & (TURNS.c.position == position)
        with self._connected() as connection:
            query = sa.select(TURNS).where(this).order_by(TURNS.c.turn)
            return [dict(row) for row in connection.execute(query).mappings()]

    def answers(self, code: str) -> list[dict[str, Any]]:
        """Return a participant's answers, by position."""
        values = self._database.read_all(_ANSWERS, (code,))
        rows = [dict[str, Any](zip(_ANSWER_NAMES, row, strict=True)) for row in values]
        for row in rows:
            row["right"], row["late"] = bool(row["right"]), bool(row["late"])
        return rows

    def judged(self, code: str) -> list[dict[str, Any]]:
        """Return the columns of answers that `labels.marks_of` uses, by position."""
        rows = self._database.read_all(_JUDGED, (code,))
        return [dict(zip(_MARKED_BY, row, strict=True)) for row in rows]

    def reviewed(self, code: str) -> list[tuple[int, str, int | None]]:
        """Return the position, text and place of a participant's answers to items, by position."""
        return self._database.read_all(_REVIEWED, (code,))

    def is_finished(self, code: str) -> bool:
        """Return True if a participant has answered all that they are asked."""
        row = self._database.read(_ENDED, (code,))
        return row is not None and row[0] is not None

    def withdraw(self, code: str, by: str = "") -> None:
        """Delete all data of a participant except the number and times of withdrawals, and the
        log's row on the requester (`by`). `erase_deleted` then removes the data from the files."""
        with self._connected() as connection:
            deleted = {
                table.name: connection.execute(table.delete().where(table.c.code == code)).rowcount
                for table in _OF_PARTICIPANT
            }
            if not deleted[PARTICIPANTS.name]:
                return  # Another process was faster, and has counted it.
            connection.exec_driver_sql(COUNT, ("withdrawn", 1))
            note_deletion(connection, "participant")
            if by:
                add_action(connection, by, "deleted on request")

    def rows(self, name: str, code: str) -> list[dict[str, Any]]:
        """Return the rows of a table about one participant, in the order of its key."""
        table = METADATA.tables[name]
        query = sa.select(table).where(table.c.code == code).order_by(*_key(table))
        with self._connected() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def codes(self) -> list[str]:
        """Return the pseudonyms of all participants, in the order of entry."""
        query = sa.select(PARTICIPANTS.c.code).order_by(PARTICIPANTS.c.number)
        with self._connected() as connection:
            return list(connection.execute(query).scalars())

    def codes_in_progress(self) -> list[str]:
        """Return the pseudonyms of those who have begun and not ended, in the order of entry."""
        ended = sa.select(EXITS.c.code)
        query = sa.select(PARTICIPANTS.c.code).order_by(PARTICIPANTS.c.number)
        query = query.where(PARTICIPANTS.c.finished.is_(None), PARTICIPANTS.c.code.not_in(ended))
        with self._connected() as connection:
            return list(connection.execute(query).scalars())

    def consent_text(self, digest: str) -> str:
        """Return the consent text with a digest; "" if it is not stored."""
        query = sa.select(CONSENT_TEXTS.c.text).where(CONSENT_TEXTS.c.digest == digest)
        with self._connected() as connection:
            return connection.execute(query).scalar() or ""

    def count(self, name: str, by: int = 1) -> None:
        """Count an event without a participant: a visit, a refusal, a full quota."""
        self._database.write(COUNT, (name, by))

    def counters(self) -> dict[str, int]:
        with self._connected() as connection:
            rows = connection.execute(sa.select(COUNTERS.c.name, COUNTERS.c.count))
            return {name: count for name, count in rows}

    def frame(self, name: str) -> pd.DataFrame:
        """Return a table as a DataFrame, in the order of its key."""
        table = METADATA.tables[name]
        with self._connected() as connection:
            return pd.read_sql_query(sa.select(table).order_by(*_key(table)), connection)


_QUOTED = '"{}"'.format
_ANSWERED = itemgetter(*ANSWERS.columns.keys())
_REPLIED = itemgetter(*TURNS.columns.keys())
_THEIRS = "FROM participants WHERE session = ? AND code = ?"
_ANSWER, _TURN = (
    f"INSERT INTO {table.name} ({', '.join(map(_QUOTED, table.columns.keys()))}) "
    f"SELECT {', '.join('?' for _ in table.columns)} "
    "WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'closed') "
    f"AND EXISTS (SELECT 1 {_THEIRS}) ON CONFLICT DO NOTHING"
    for table in (ANSWERS, TURNS)
)
_REACHED = (
    "SELECT (SELECT coalesce(max(position) + 1, 0) FROM answers "
    f"WHERE answers.code = participants.code) {_THEIRS}"
)
_ANSWER_NAMES = tuple(ANSWERS.columns.keys())
_ANSWERS = (
    f"SELECT {', '.join(map(_QUOTED, _ANSWER_NAMES))} FROM answers WHERE code = ? ORDER BY position"
)
_MARKED_BY = ("kind", "right", "place", "seconds", "server_seconds")
_JUDGED = (
    f"SELECT {', '.join(map(_QUOTED, _MARKED_BY))} FROM answers WHERE code = ? ORDER BY position"
)
_REVIEWED = (
    "SELECT position, text, place FROM answers WHERE code = ? AND kind = 'item' ORDER BY position"
)
_CONTACT = "SELECT external_id, facts FROM contacts WHERE code = ?"
_ENDED = "SELECT finished FROM participants WHERE code = ?"
_FINISHED = "UPDATE participants SET finished = ? WHERE code = ?"
_EXIT = "INSERT INTO exits (code, outcome, created) VALUES (?, ?, ?)"
_FORM = "UPDATE participants SET form = ? WHERE code = ?"
# Plain SQL, because these statements determine the time of an answer, and SQLAlchemy takes three
# times as long.


def _key(table: sa.Table) -> Sequence[Any]:
    return list(table.primary_key)
