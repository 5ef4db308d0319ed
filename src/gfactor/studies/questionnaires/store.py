"""A study's answers in one SQLite file: each is on disk before the next question is shown."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas as pd
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.action_log import (
    ActionLog,
    add_action,
)
from gfactor.studies.questionnaires.allocation import Step, from_json, to_json
from gfactor.studies.questionnaires.appeals import Appeals
from gfactor.studies.questionnaires.challenges import Challenges
from gfactor.studies.questionnaires.declaration import Declaration, Declarations
from gfactor.studies.questionnaires.deleting import Deletions, note_deletion
from gfactor.studies.questionnaires.languages import LanguageDraw
from gfactor.studies.questionnaires.owners import Owners
from gfactor.studies.questionnaires.page_loads import PageLoads
from gfactor.studies.questionnaires.participants import External, Participant
from gfactor.studies.questionnaires.perception.presentation import MEASURE, Presentations
from gfactor.studies.questionnaires.playbacks import Playbacks
from gfactor.studies.questionnaires.reservations import Reservations
from gfactor.studies.questionnaires.states import States
from gfactor.studies.questionnaires.tables import (
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
    TAKEN,
    TRANSFERS,
    TURNS,
    now_text,
)
from gfactor.studies.questionnaires.transfers import Transfers
from gfactor.studies.web.database import WAIT_S, Database

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without those that look alike
_PASSED_OVER = "numbers passed over"
_OF_PARTICIPANT = (
    PARTICIPANTS, ANSWERS, TURNS, PRESENTATIONS, RANDOMIZED, PAGE_LOADS, CHALLENGES, CONTACTS,
    EXITS, PAYMENTS, CONSENTS, APPEALS, RESERVATIONS, TRANSFERS, PLAYBACKS,
)  # fmt: skip


class Store(Appeals, Challenges, Declarations, Deletions, Reservations, States, Transfers):
    """The database of a study; several processes may open it, one at a time should serve it.

    Every method is one transaction. `log` is the log of what its owners did, `owners` who they are,
    `pages` which pages participants were shown.
    """

    def __init__(self, path: Path, wait_s: float = WAIT_S) -> None:
        self._database = Database(path, METADATA, "the study", wait_s)
        self._connected = self.transaction = self._database.connected
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

    def start(
        self,
        session: str,
        form_of: Any,
        *,
        language: str,
        consent_version: str,
        declaration: Declaration,
        external: External | None = None,
        is_passed_over: Callable[[int], bool] = lambda _: False,
        draw: LanguageDraw | None = None,
        consent: str = "",
    ) -> Participant | None:
        """A new participant, or None if the external id has taken part already.

        The first one freezes the declaration. Whoever comes again by an address that continues
        their participation (see `continued`) goes on with the form that they have: the session is
        theirs now.

        Parameters
        ----------
        session: hash of the session's token.
        form_of: a function from the participant's number to the form.
        declaration: the study as it is now.
        external: whom a recruiting service or the owner sent.
        is_passed_over: test of whether nobody gets this number, since its condition is full.
        draw: allocates the language, in place of `language`, and with it the form.
        consent: the text that they agreed to, as they saw it.
        """
        now = now_text()
        with self._connected() as connection:
            # Counting first takes the write lock, so that no two persons get one number.
            connection.execute(_counted("started"))
            if external is not None:
                taken = insert(TAKEN).values(hash=external.hashed).on_conflict_do_nothing()
                if not connection.execute(taken).rowcount:
                    connection.execute(_counted("started", -1))
                    return _again(connection, session, external)
            used = COUNTERS.c.name.in_(["started", _PASSED_OVER])
            number = connection.execute(
                sa.select(sa.func.sum(COUNTERS.c.count)).where(used)
            ).scalar_one()
            while is_passed_over(number - 1):
                connection.execute(_counted(_PASSED_OVER))
                number += 1
            code = "p" + "".join(secrets.choice(_LETTERS) for _ in range(9))
            if draw is not None:
                language = draw.language(_started(connection, draw), number - 1)
                form_of = draw.plans[language].start
                values = {"code": code, "known": ";".join(draw.reads)}
                connection.execute(RANDOMIZED.insert().values(values))
            form = tuple(form_of(number - 1))
            connection.execute(
                PARTICIPANTS.insert().values(
                    code=code,
                    number=number - 1,
                    session=session,
                    form=to_json(form),
                    language=language,
                    consent_version=consent_version,
                    declaration=declaration.digest,
                    started=now,
                )
            )
            digest = hashlib.sha256(consent.encode()).hexdigest()
            text = insert(CONSENT_TEXTS).values(digest=digest, text=consent)
            connection.execute(text.on_conflict_do_nothing())
            connection.execute(CONSENTS.insert().values(code=code, digest=digest, at=now))
            if external is not None:
                facts = json.dumps(dict(external.facts), ensure_ascii=False)
                contact = {"code": code, "external_id": external.id, "facts": facts, "since": now}
                connection.execute(CONTACTS.insert().values(contact))
            first = {**vars(declaration), "digest": declaration.digest, "created": now}
            declared = insert(META).values(key="declaration", value=json.dumps(first))
            connection.execute(declared.on_conflict_do_nothing())
        return Participant(code, number - 1, form, language, None)

    def by_code(self, code: str) -> Participant | None:
        """The participant of a pseudonym."""
        with self._connected() as connection:
            return _participant(connection, PARTICIPANTS.c.code == code)

    def participant(self, session: str) -> Participant | None:
        """Whoever a session belongs to."""
        with self._connected() as connection:
            return _participant(connection, PARTICIPANTS.c.session == session)

    def reached(self, session: str, code: str) -> int | None:
        """The position of the next question of a participation; None if it is not there or not
        this session's any more: another process may have deleted it."""
        row = self._database.read(_REACHED, (session, code))
        return None if row is None else row[0]

    def external_id(self, code: str) -> str | None:
        """The id by which a participant was sent, as long as it is kept."""
        query = sa.select(CONTACTS.c.external_id).where(CONTACTS.c.code == code)
        with self._connected() as connection:
            return connection.execute(query).scalar()

    def contact(self, code: str) -> tuple[str, dict[str, str]]:
        """The id by which a participant was sent, and what else the address held; empty where
        nobody sent them, or that is kept no longer."""
        query = sa.select(CONTACTS.c.external_id, CONTACTS.c.facts).where(CONTACTS.c.code == code)
        with self._connected() as connection:
            row = connection.execute(query).first()
        return ("", {}) if row is None else (row.external_id, json.loads(row.facts))

    def outcome(self, code: str) -> str:
        """Return how a participation ended before the last page; "" if it did not."""
        query = sa.select(EXITS.c.outcome).where(EXITS.c.code == code)
        with self._connected() as connection:
            return connection.execute(query).scalar() or ""

    def continued(self, external: External) -> str | None:
        """The code of the participation that an address continues; None if there is none.

        A signed link continues it always; another address where it holds the same as at first and
        nobody can guess it (`External.is_personal`), or before the first answer.
        """
        with self._connected() as connection:
            return _continued(connection, external)

    def has_taken_part(self, external: External) -> bool:
        """Return True if somebody with this id has ever begun."""
        query = sa.select(TAKEN.c.hash).where(TAKEN.c.hash == external.hashed)
        with self._connected() as connection:
            return connection.execute(query).first() is not None

    def move(self, code: str, session: str) -> None:
        """Give a participation to another session, and to no other any more."""
        this_person = PARTICIPANTS.c.code == code
        with self._connected() as connection:
            connection.execute(PARTICIPANTS.update().where(this_person).values(session=session))

    def position(self, code: str) -> int:
        """Return the number of questions that a participant has answered (the next position)."""
        count = sa.select(sa.func.count()).where(ANSWERS.c.code == code)
        with self._connected() as connection:
            return connection.execute(count).scalar_one()

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
        """Store an answer, with the `last` one that the participant has finished, the `form` where
        the answer made it longer, the `outcome` where it ended the participation, what was
        `measured` of a timed picture, and the last `turn` of a conversation, in one transaction.

        Returns whether it was stored: not where this position was answered before (the first
        answer stays), nor where the study is closed, or the participation was deleted or is another
        `session`'s now.
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
        """Store the reply to a turn of a conversation; whether it was stored (not where this turn
        was answered before: the first reply stays; nor where `answer` would not be)."""
        row = {"code": code, "position": position, "created": now_text(), **facts}
        return bool(self._database.write(_TURN, (*_REPLIED(row), session, code)))

    def turns(self, code: str, position: int) -> list[dict[str, Any]]:
        """The replies to the turns of a conversation so far, in order."""
        this = (TURNS.c.code == code) & (TURNS.c.position == position)
        with self._connected() as connection:
            query = sa.select(TURNS).where(this).order_by(TURNS.c.turn)
            return [dict(row) for row in connection.execute(query).mappings()]

    def answers(self, code: str) -> list[dict[str, Any]]:
        """A participant's answers, by position."""
        query = sa.select(ANSWERS).where(ANSWERS.c.code == code).order_by(ANSWERS.c.position)
        with self._connected() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def withdraw(self, code: str, by: str = "") -> None:
        """Delete everything of a participant; only the number of withdrawals remains, and when they
        were, and in the log, where it was done on request, that it was done, and `by` whom.

        Afterwards `erase_deleted` takes it out of the files."""
        with self._connected() as connection:
            deleted = {
                table.name: connection.execute(table.delete().where(table.c.code == code)).rowcount
                for table in _OF_PARTICIPANT
            }
            if not deleted[PARTICIPANTS.name]:
                return  # Another process was faster, and has counted it.
            connection.execute(_counted("withdrawn"))
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
        """The pseudonyms of all participants, in the order of entry."""
        query = sa.select(PARTICIPANTS.c.code).order_by(PARTICIPANTS.c.number)
        with self._connected() as connection:
            return list(connection.execute(query).scalars())

    def codes_in_progress(self) -> list[str]:
        """The pseudonyms of those who have begun and not ended, in the order of entry."""
        ended = sa.select(EXITS.c.code)
        query = sa.select(PARTICIPANTS.c.code).order_by(PARTICIPANTS.c.number)
        query = query.where(PARTICIPANTS.c.finished.is_(None), PARTICIPANTS.c.code.not_in(ended))
        with self._connected() as connection:
            return list(connection.execute(query).scalars())

    def consent_text(self, digest: str) -> str:
        """The text of a digest; "" if none is kept."""
        query = sa.select(CONSENT_TEXTS.c.text).where(CONSENT_TEXTS.c.digest == digest)
        with self._connected() as connection:
            return connection.execute(query).scalar() or ""

    def count(self, name: str, by: int = 1) -> None:
        """Count something that has no participant: a visit, a refusal, a full quota."""
        with self._connected() as connection:
            connection.execute(_counted(name, by))

    def counters(self) -> dict[str, int]:
        with self._connected() as connection:
            rows = connection.execute(sa.select(COUNTERS.c.name, COUNTERS.c.count))
            return {name: count for name, count in rows}

    def frame(self, name: str) -> pd.DataFrame:
        """A table as a DataFrame, in the order of its key."""
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
_FINISHED = "UPDATE participants SET finished = ? WHERE code = ?"
_EXIT = "INSERT INTO exits (code, outcome, created) VALUES (?, ?, ?)"
_FORM = "UPDATE participants SET form = ? WHERE code = ?"
# Plain SQL: these are what an answer costs, and SQLAlchemy takes three times as long.


def _participant(connection: sa.Connection, which: Any) -> Participant | None:
    row = connection.execute(sa.select(PARTICIPANTS).where(which)).first()
    if row is None:
        return None
    return Participant(row.code, row.number, from_json(row.form), row.language, row.finished)


def _continued(connection: sa.Connection, external: External) -> str | None:
    """The code of the participation that an address continues, see `Store.continued`."""
    query = sa.select(CONTACTS.c.code, CONTACTS.c.facts)
    row = connection.execute(query.where(CONTACTS.c.external_id == external.id)).first()
    if row is None:
        return None
    same = json.loads(row.facts) == dict(external.facts) and external.is_personal
    given = sa.select(sa.func.count()).where(ANSWERS.c.code == row.code)
    if external.signed or same or connection.execute(given).scalar_one() == 0:
        return row.code
    return None


def _again(connection: sa.Connection, session: str, external: External) -> Participant | None:
    """Somebody whose id has taken part: their participation where they may go on with it."""
    code = _continued(connection, external)
    if code is None:
        return None
    this_person = PARTICIPANTS.c.code == code
    connection.execute(PARTICIPANTS.update().where(this_person).values(session=session))
    return _participant(connection, this_person)


def _started(connection: sa.Connection, draw: LanguageDraw) -> dict[str, int]:
    """Return how many of those who read the same languages were allocated to each."""
    same = (RANDOMIZED.c.code == PARTICIPANTS.c.code) & (RANDOMIZED.c.known == ";".join(draw.reads))
    counts = sa.select(PARTICIPANTS.c.language, sa.func.count()).where(same)
    return {name: n for name, n in connection.execute(counts.group_by(PARTICIPANTS.c.language))}


def _key(table: sa.Table) -> Sequence[Any]:
    return list(table.primary_key)


def _counted(name: str, by: int = 1) -> Any:
    row = insert(COUNTERS).values(name=name, count=by)
    return row.on_conflict_do_update(index_elements=["name"], set_={"count": COUNTERS.c.count + by})
