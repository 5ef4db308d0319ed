"""A study's answers in one SQLite file: each is on disk before the next question is shown."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.allocation import Step, from_json, to_json
from gfactor.studies.questionnaires.declaration import Declaration, changes, check_same_bank
from gfactor.studies.questionnaires.participants import External, Participant
from gfactor.studies.questionnaires.tables import (
    AMENDMENTS,
    ANSWERS,
    CHALLENGES,
    CONTACTS,
    COUNTERS,
    EXITS,
    META,
    METADATA,
    PARTICIPANTS,
    PAYMENTS,
    RULINGS,
    SCHEMA,
    SHOWN,
    TAKEN,
    TURNS,
)
from gfactor.studies.web.database import WAIT_S, Database

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without those that look alike
_PASSED_OVER = "numbers passed over"
_OF_PARTICIPANT = (PARTICIPANTS, ANSWERS, TURNS, SHOWN, CHALLENGES, CONTACTS, EXITS, PAYMENTS)


class Store:
    """The database of a study; several processes may open it, one at a time should serve it.

    Every method is one transaction.
    """

    def __init__(self, path: Path, wait_s: float = WAIT_S) -> None:
        self._database = Database(path, METADATA, "the study", wait_s)
        self._connected = self.transaction = self._database.connected
        with self._connected() as connection:
            schema = insert(META).values(key="schema", value=str(SCHEMA))
            connection.execute(schema.on_conflict_do_nothing())
            rows = connection.execute(sa.select(META.c.value).where(META.c.key == "schema"))
            if (kept := rows.scalar_one()) != str(SCHEMA):
                raise ParameterError(
                    f"{str(path)!r} is a study database of schema {kept}, this gfactor reads "
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
    ) -> Participant | None:
        """A new participant, or None where the external id has taken part already.

        The first one freezes the declaration. Whoever comes again with an id before the first
        answer, or at any time with a signed one, goes on with the form that they have: the session
        is theirs now.

        Parameters
        ----------
        session: hash of the session's token.
        form_of: a function from the participant's number to the form.
        declaration: the study as it is now.
        external: whom a recruiting service or the owner sent.
        is_passed_over: whether nobody gets this number, since its condition is full.
        """
        now = _now()
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

    def external_id(self, code: str) -> str | None:
        """The id by which a participant was sent, as long as it is kept."""
        known = sa.select(CONTACTS.c.external_id).where(CONTACTS.c.code == code)
        with self._connected() as connection:
            return connection.execute(known).scalar()

    def contact(self, code: str) -> tuple[str, dict[str, str]]:
        """The id by which a participant was sent, and what else the address held; empty where
        nobody sent them, or that is kept no longer."""
        known = sa.select(CONTACTS.c.external_id, CONTACTS.c.facts).where(CONTACTS.c.code == code)
        with self._connected() as connection:
            row = connection.execute(known).first()
        return ("", {}) if row is None else (row.external_id, json.loads(row.facts))

    def outcome(self, code: str) -> str:
        """How a participation ended before the last page; "" where it did not."""
        known = sa.select(EXITS.c.outcome).where(EXITS.c.code == code)
        with self._connected() as connection:
            return connection.execute(known).scalar() or ""

    def has_taken_part(self, external: External) -> bool:
        """Whether somebody with this id has ever begun."""
        query = sa.select(TAKEN.c.hash).where(TAKEN.c.hash == external.hashed)
        with self._connected() as connection:
            return connection.execute(query).first() is not None

    def move(self, code: str, session: str) -> None:
        """Give a participation to another session, and to no other any more."""
        this_person = PARTICIPANTS.c.code == code
        with self._connected() as connection:
            connection.execute(PARTICIPANTS.update().where(this_person).values(session=session))

    def position(self, code: str) -> int:
        """How many questions a participant has answered: the position of the next one."""
        count = sa.select(sa.func.count()).where(ANSWERS.c.code == code)
        with self._connected() as connection:
            return connection.execute(count).scalar_one()

    def shown(self, code: str, page: str) -> float:
        """Note that a page was shown; when it was shown first, in seconds since 1970."""
        with self._database.direct() as connection:
            return connection.execute(_SHOWN, (code, page, time.time())).fetchall()[0][0]

    def answer(
        self,
        code: str,
        position: int,
        facts: Mapping[str, Any],
        page: str = "",
        last: bool = False,
        form: Sequence[Step] | None = None,
        outcome: str = "",
    ) -> tuple[bool, float]:
        """Store an answer, that the page after it is shown, with the `last` one that the
        participant has finished, and the `form` where the answer made it longer, or the `outcome`
        where it ended the participation, in one transaction.

        Returns whether it was stored (not where this position was answered before: the first
        answer stays; nor where the study is closed), and when the next page was shown first.
        """
        row = {"code": code, "position": position, "created": _now(), **facts}
        with self._database.direct() as connection:
            stored = connection.execute(_ANSWER, [row[name] for name in _ANSWERED]).rowcount
            if stored and last:
                connection.execute(_FINISHED, (row["created"], code))
            if stored and form is not None:
                connection.execute(_FORM, (to_json(form), code))
            if stored and outcome:
                connection.execute(_EXIT, (code, outcome, row["created"]))
            if not page:
                return bool(stored), 0.0
            shown = connection.execute(_SHOWN, (code, page, time.time()))
            return bool(stored), shown.fetchall()[0][0]

    def turn(self, code: str, position: int, turn: int, facts: Mapping[str, Any]) -> bool:
        """Store the reply to a turn of a conversation; whether it was stored (not where this turn
        was answered before: the first reply stays; nor where the study is closed)."""
        row = {"code": code, "position": position, "turn": turn, "created": _now(), **facts}
        with self._connected() as connection:
            if connection.execute(_meta("closed")).scalar() is not None:
                return False
            added = insert(TURNS).values(row).on_conflict_do_nothing()
            return bool(connection.execute(added).rowcount)

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

    def challenge(self, code: str, item: str, reason: str) -> None:
        """Store a participant's challenge of a key; until it is decided, a second replaces it."""
        row = insert(CHALLENGES).values(
            code=code, item=item, reason=reason, created=_now(), verdict="", reply=""
        )
        changed, undecided = {"reason": reason, "created": _now()}, CHALLENGES.c.verdict == ""
        with self._connected() as connection:
            connection.execute(
                row.on_conflict_do_update(["code", "item"], set_=changed, where=undecided)
            )

    def challenged(self, code: str) -> dict[str, str]:
        """The reasons of a participant's challenges, by item."""
        query = sa.select(CHALLENGES.c.item, CHALLENGES.c.reason).where(CHALLENGES.c.code == code)
        with self._connected() as connection:
            return {item: reason for item, reason in connection.execute(query)}

    def decide(self, code: str, item: str, verdict: str, reply: str, answer: str | None) -> None:
        """The owner's word on a challenge.

        Parameters
        ----------
        answer: what is right as well from now on, "" where the item is void, None where the key
            stays. What an earlier word on this challenge ruled is taken back, unless the same was
            ruled of somebody else's.
        """
        this_challenge = (CHALLENGES.c.code == code) & (CHALLENGES.c.item == item)
        said = sa.select(
            CHALLENGES.c.code,
            CHALLENGES.c.verdict,
            sa.case((CHALLENGES.c.verdict == "void", ""), else_=ANSWERS.c.text).label("answer"),
        ).where(
            CHALLENGES.c.item == item,
            CHALLENGES.c.verdict.in_(["accept", "void"]),
            ANSWERS.c.code == CHALLENGES.c.code,
            ANSWERS.c.item == item,
        )
        with self._connected() as connection:
            before = connection.execute(said).all()
            others = {row.answer for row in before if row.code != code}
            for row in before:
                if row.code == code and row.answer not in others:
                    ruled = (RULINGS.c.item == item) & (RULINGS.c.answer == row.answer)
                    connection.execute(RULINGS.delete().where(ruled))
            connection.execute(
                CHALLENGES.update().where(this_challenge).values(verdict=verdict, reply=reply)
            )
            if answer is not None:
                values = {"item": item, "answer": answer, "reply": reply, "created": _now()}
                connection.execute(insert(RULINGS).values(values).on_conflict_do_nothing())

    def rulings(self) -> list[dict[str, str]]:
        """Upheld challenges: `item`, `answer` (right as well; "" where the item is void)."""
        with self._connected() as connection:
            query = sa.select(RULINGS).order_by(RULINGS.c.item, RULINGS.c.answer)
            return [dict(row) for row in connection.execute(query).mappings()]

    def declared(self) -> Declaration | None:
        """The study as it was declared, with amendments; None before the first participant."""
        first, amendments = self.declarations()
        if first is None:
            return None
        last = amendments[-1]["definition"] if amendments else first["definition"]
        return Declaration(last, first["bank"])

    def declarations(self) -> tuple[dict[str, str] | None, list[dict[str, Any]]]:
        """What was declared at the first participant, and the amendments since."""
        with self._connected() as connection:
            declared = connection.execute(_meta("declaration")).scalar()
            query = sa.select(AMENDMENTS).order_by(AMENDMENTS.c.number)
            rows = [dict(row) for row in connection.execute(query).mappings()]
        return None if declared is None else json.loads(declared), rows

    def amend(self, now: Declaration, reason: str) -> list[dict[str, Any]]:
        """Record that the study is another one from now on; which settings changed.

        Raises ParameterError where the bank is another one.
        """
        declared = self.declared()
        if declared is None or declared.digest == now.digest:
            return []
        check_same_bank(declared, now)
        changed = changes(declared.definition, now.definition)
        with self._connected() as connection:
            connection.execute(
                AMENDMENTS.insert().values(
                    created=_now(),
                    reason=reason,
                    changes=json.dumps(changed, ensure_ascii=False),
                    digest=now.digest,
                    definition=now.definition,
                )
            )
        return changed

    def end(self) -> str:
        """Close the study for good: nobody begins or answers any more. When it was closed."""
        row = insert(META).values(key="closed", value=_now()).on_conflict_do_nothing()
        with self._connected() as connection:
            connection.execute(row)
            return connection.execute(_meta("closed")).scalar_one()

    def ended(self) -> str | None:
        """When the study was closed; None while it is open."""
        with self._connected() as connection:
            return connection.execute(_meta("closed")).scalar()

    def withdraw(self, code: str) -> None:
        """Delete everything of a participant; only the number of withdrawals remains."""
        with self._connected() as connection:
            for table in _OF_PARTICIPANT:
                connection.execute(table.delete().where(table.c.code == code))
            connection.execute(_counted("withdrawn"))

    def count(self, name: str, by: int = 1) -> None:
        """Count something that has no participant: a visit, a refusal, a full quota."""
        with self._connected() as connection:
            connection.execute(_counted(name, by))

    def counters(self) -> dict[str, int]:
        with self._connected() as connection:
            rows = connection.execute(sa.select(COUNTERS.c.name, COUNTERS.c.count))
            return {name: count for name, count in rows}

    def completed(self, language: str = "") -> int:
        """How many participants have finished, in one language where it is given."""
        done = sa.select(sa.func.count()).where(PARTICIPANTS.c.finished.is_not(None))
        done = done.where(PARTICIPANTS.c.language == language) if language else done
        with self._connected() as connection:
            return connection.execute(done).scalar_one()

    def completed_numbers(self) -> list[int]:
        """The numbers of those who have finished."""
        done = sa.select(PARTICIPANTS.c.number).where(PARTICIPANTS.c.finished.is_not(None))
        with self._connected() as connection:
            return list(connection.execute(done).scalars())

    def completed_pages(self) -> list[str]:
        """The answers to pages of questions of those who have finished, as they are stored."""
        done = (PARTICIPANTS.c.code == ANSWERS.c.code) & PARTICIPANTS.c.finished.is_not(None)
        given = sa.select(ANSWERS.c.text).where(ANSWERS.c.kind == "page", done)
        with self._connected() as connection:
            return list(connection.execute(given).scalars())

    def purge(self, days: int) -> int:
        """Delete external ids older than `days`; how many were deleted."""
        limit = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
        with self._connected() as connection:
            return connection.execute(CONTACTS.delete().where(CONTACTS.c.since <= limit)).rowcount

    def frame(self, name: str) -> pd.DataFrame:
        """A table as a DataFrame, in the order of its key."""
        table = METADATA.tables[name]
        with self._connected() as connection:
            return pd.read_sql_query(sa.select(table).order_by(*_key(table)), connection)


_ANSWERED = [column.name for column in ANSWERS.columns]
_COLUMNS = ", ".join(f'"{name}"' for name in _ANSWERED)
_ANSWER = (
    f"INSERT INTO answers ({_COLUMNS}) SELECT {', '.join('?' for _ in _ANSWERED)} "
    "WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'closed') ON CONFLICT DO NOTHING"
)
_SHOWN = (
    "INSERT INTO shown (code, page, at, times) VALUES (?, ?, ?, 1) "
    "ON CONFLICT (code, page) DO UPDATE SET times = times + 1 RETURNING at"
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


def _again(connection: sa.Connection, session: str, external: External) -> Participant | None:
    """Somebody whose id has taken part: their participation where they may go on with it."""
    known = sa.select(CONTACTS.c.code).where(CONTACTS.c.external_id == external.id)
    code = connection.execute(known).scalar()
    given = sa.select(sa.func.count()).where(ANSWERS.c.code == code)
    if code is None or not (external.signed or connection.execute(given).scalar_one() == 0):
        return None
    this_person = PARTICIPANTS.c.code == code
    connection.execute(PARTICIPANTS.update().where(this_person).values(session=session))
    return _participant(connection, this_person)


def _meta(key: str) -> Any:
    return sa.select(META.c.value).where(META.c.key == key)


def _key(table: sa.Table) -> Sequence[Any]:
    return list(table.primary_key)


def _counted(name: str, by: int = 1) -> Any:
    row = insert(COUNTERS).values(name=name, count=by)
    return row.on_conflict_do_update(index_elements=["name"], set_={"count": COUNTERS.c.count + by})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
