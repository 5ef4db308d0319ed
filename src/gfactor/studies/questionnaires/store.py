"""A study's answers in one SQLite file: each is on disk before the next question is shown."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.dealing import Step, from_json, to_json
from gfactor.studies.questionnaires.tables import (
    ANSWERS,
    CHALLENGES,
    CONTACTS,
    COUNTERS,
    META,
    METADATA,
    PARTICIPANTS,
    SCHEMA,
    SHOWN,
)
from gfactor.studies.web.database import Database

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without those that look alike
_OWN = (PARTICIPANTS, ANSWERS, SHOWN, CHALLENGES, CONTACTS)


@dataclass(frozen=True)
class Participant:
    """Somebody who has consented: the pseudonym, the number, the form, and when they ended."""

    code: str
    number: int
    form: tuple[Step, ...]
    language: str
    finished: str | None


class Store:
    """The database of a study; several processes may open it, one at a time should serve it.

    Every method is one transaction.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, METADATA, "the study")
        self._connected = self._database.connected
        with self._connected() as connection:
            schema = insert(META).values(key="schema", value=str(SCHEMA))
            connection.execute(schema.on_conflict_do_nothing())
            found = connection.execute(sa.select(META.c.value).where(META.c.key == "schema"))
            if (kept := found.scalar_one()) != str(SCHEMA):
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
        external_id: str = "",
    ) -> Participant | None:
        """A new participant, or None where the external id has taken part already.

        Parameters
        ----------
        session: hash of the session's token.
        form_of: a function from the participant's number to the form.
        """
        now = _now()
        with self._connected() as connection:
            code = "p" + "".join(secrets.choice(_LETTERS) for _ in range(9))
            if external_id:
                contact = insert(CONTACTS).values(code=code, external_id=external_id, since=now)
                if not connection.execute(contact.on_conflict_do_nothing()).rowcount:
                    return None
            # Counting first takes the write lock, so that no two persons get one number.
            connection.execute(_counted("started"))
            number = connection.execute(
                sa.select(COUNTERS.c.count).where(COUNTERS.c.name == "started")
            ).scalar_one()
            form = tuple(form_of(number - 1))
            connection.execute(
                PARTICIPANTS.insert().values(
                    code=code,
                    number=number - 1,
                    session=session,
                    form=to_json(form),
                    language=language,
                    consent_version=consent_version,
                    started=now,
                )
            )
        return Participant(code, number - 1, form, language, None)

    def participant(self, session: str) -> Participant | None:
        """Whoever a session belongs to."""
        with self._connected() as connection:
            row = connection.execute(
                sa.select(PARTICIPANTS).where(PARTICIPANTS.c.session == session)
            ).first()
        if row is None:
            return None
        return Participant(row.code, row.number, from_json(row.form), row.language, row.finished)

    def position(self, code: str) -> int:
        """How many questions a participant has answered: the position of the next one."""
        count = sa.select(sa.func.count()).where(ANSWERS.c.code == code)
        with self._connected() as connection:
            return connection.execute(count).scalar_one()

    def shown(self, code: str, page: str) -> float:
        """Note that a page was shown; when it was shown first, in seconds since 1970."""
        with self._connected() as connection:
            return _show(connection, code, page)

    def answer(
        self, code: str, position: int, facts: Mapping[str, Any], page: str = ""
    ) -> tuple[bool, float]:
        """Store an answer, and that the page after it is shown, in one transaction.

        Returns whether it was stored (not where this position was answered before: the first
        answer stays), and when the next page was shown first.
        """
        row = {"code": code, "position": position, "created": _now(), **facts}
        with self._connected() as connection:
            stored = connection.execute(_ANSWER, row).rowcount
            return bool(stored), _show(connection, code, page) if page else 0.0

    def answers(self, code: str) -> list[dict[str, Any]]:
        """A participant's answers, by position."""
        own = sa.select(ANSWERS).where(ANSWERS.c.code == code).order_by(ANSWERS.c.position)
        with self._connected() as connection:
            return [dict(row) for row in connection.execute(own).mappings()]

    def finish(self, code: str) -> None:
        """Note that a participant has answered everything; the first time stays."""
        own = (PARTICIPANTS.c.code == code) & PARTICIPANTS.c.finished.is_(None)
        with self._connected() as connection:
            connection.execute(PARTICIPANTS.update().where(own).values(finished=_now()))

    def challenge(self, code: str, item: str, reason: str) -> None:
        """Store a participant's challenge of an item's key; a second one replaces the first."""
        row = insert(CHALLENGES).values(
            code=code, item=item, reason=reason, created=_now(), verdict="", reply=""
        )
        changed = {"reason": reason, "created": _now()}
        with self._connected() as connection:
            connection.execute(
                row.on_conflict_do_update(index_elements=["code", "item"], set_=changed)
            )

    def challenged(self, code: str) -> dict[str, str]:
        """The reasons of a participant's challenges, by item."""
        own = sa.select(CHALLENGES.c.item, CHALLENGES.c.reason).where(CHALLENGES.c.code == code)
        with self._connected() as connection:
            return {item: reason for item, reason in connection.execute(own)}

    def decide(self, code: str, item: str, verdict: str, reply: str) -> None:
        """The owner's word on a challenge."""
        own = (CHALLENGES.c.code == code) & (CHALLENGES.c.item == item)
        with self._connected() as connection:
            connection.execute(CHALLENGES.update().where(own).values(verdict=verdict, reply=reply))

    def withdraw(self, code: str) -> None:
        """Delete everything of a participant; only the number of withdrawals remains."""
        with self._connected() as connection:
            for table in _OWN:
                connection.execute(table.delete().where(table.c.code == code))
            connection.execute(_counted("withdrawn"))

    def count(self, name: str) -> None:
        """Count something that has no participant: a visit, a refusal, a full quota."""
        with self._connected() as connection:
            connection.execute(_counted(name))

    def counters(self) -> dict[str, int]:
        with self._connected() as connection:
            found = connection.execute(sa.select(COUNTERS.c.name, COUNTERS.c.count))
            return {name: count for name, count in found}

    def completed(self) -> int:
        """How many participants have finished."""
        done = sa.select(sa.func.count()).where(PARTICIPANTS.c.finished.is_not(None))
        with self._connected() as connection:
            return connection.execute(done).scalar_one()

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


_ANSWER = insert(ANSWERS).on_conflict_do_nothing()

_SHOWN = insert(SHOWN).values(times=1)
_SHOWN = _SHOWN.on_conflict_do_update(
    index_elements=["code", "page"], set_={"times": SHOWN.c.times + 1}
).returning(SHOWN.c.at)


def _show(connection: sa.Connection, code: str, page: str) -> float:
    return connection.execute(
        _SHOWN, {"code": code, "page": page, "at": time.time(), "times": 1}
    ).scalar_one()


def _key(table: sa.Table) -> Sequence[Any]:
    return list(table.primary_key)


def _counted(name: str) -> Any:
    row = insert(COUNTERS).values(name=name, count=1)
    return row.on_conflict_do_update(index_elements=["name"], set_={"count": COUNTERS.c.count + 1})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
