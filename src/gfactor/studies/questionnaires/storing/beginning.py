"""Starts of participations: every person gets one number, form, consent record and session."""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

from gfactor.studies.questionnaires.order.allocation import Step, from_json, to_json
from gfactor.studies.questionnaires.storing.declaration import StudyDeclaration
from gfactor.studies.questionnaires.storing.participants import External, Participant
from gfactor.studies.questionnaires.storing.tables import now_text
from gfactor.studies.questionnaires.study.languages import LanguageDraw
from gfactor.studies.web.database import Database
from gfactor.studies.web.secrets import READABLE_SIGNS

_PASSED_OVER = "numbers passed over"


class Beginnings:
    """The part of a study's database that starts participations, in plain SQL to be fast."""

    _database: Database

    def start(
        self,
        session: str,
        form_of: Callable[[int], Iterable[Step]],
        *,
        language: str,
        consent_version: str,
        declaration: StudyDeclaration,
        external: External | None = None,
        is_passed_over: Callable[[int], bool] = lambda _: False,
        draw: LanguageDraw | None = None,
        consent: str = "",
    ) -> Participant | None:
        """Start a participation; return None if the external id has taken part already.

        The first participation freezes the declaration. A person whose address continues an earlier
        participation (see `continued`) keeps its form, and `session` then belongs to this
        participation.

        Parameters
        ----------
        session: hash of the session's token.
        form_of: function that returns the form for a participant's number.
        declaration: the study as it is now.
        external: id and facts of a person sent by a recruiting service or by the owner.
        is_passed_over: function that returns True if a number is skipped as its condition is full.
        draw: allocation of the language, in place of `language`, and of the form in it.
        consent: the text to which the participant agreed, as it was shown.
        """
        now = now_text()
        with self._database.direct() as connection:
            if external and not connection.execute(_TAKE, (external.hashed,)).rowcount:
                return _again(connection, session, external)
            number = _number(connection, is_passed_over)
            code = _new_code()
            if draw is not None:
                language = draw.language(_started(connection, draw), number)
                form_of = draw.plans[language].start
                connection.execute(_DRAWN, (code, ";".join(draw.reads)))
            form = tuple(form_of(number))
            values = (code, number, session, to_json(form), language, consent_version)
            connection.execute(_PARTICIPANT, (*values, declaration.digest, now))
            digest = hashlib.sha256(consent.encode()).hexdigest()
            connection.execute(_CONSENT_TEXT, (digest, consent))
            connection.execute(_CONSENT, (code, digest, now))
            if external is not None:
                facts = json.dumps(dict(external.facts), ensure_ascii=False)
                connection.execute(_CONTACT, (code, external.id, facts, now))
            if connection.execute(_DECLARED).fetchone() is None:
                first = {**vars(declaration), "digest": declaration.digest, "created": now}
                connection.execute(_DECLARE, (json.dumps(first),))
        return Participant(code, number, form, language, None)

    def by_code(self, code: str) -> Participant | None:
        """Return the participant with a pseudonym; None if there is none."""
        return _participant(self._database.read(f"{_SELECT} code = ?", (code,)))

    def participant(self, session: str) -> Participant | None:
        """Return the participant to whom a session belongs; None if there is none."""
        return _participant(self._database.read(f"{_SELECT} session = ?", (session,)))

    def continued(self, external: External) -> str | None:
        """Return the code of the participation that an address continues; None if there is none.

        A signed link always continues it. Another address continues it before the first answer, or
        if it has the same facts as the first time and cannot be guessed (`External.is_personal`).
        """
        return _continued(self._database.read(_SENT, (external.id,)), external)

    def has_taken_part(self, external: External) -> bool:
        """Return True if somebody with this id has ever begun."""
        return self._database.read(_TAKEN, (external.hashed,)) is not None


def _new_code() -> str:
    """Draw a pseudonym: "p" and nine more letters, made from one random number."""
    drawn, letters = secrets.randbelow(len(READABLE_SIGNS) ** 9), ["p"]
    for _ in range(9):
        drawn, letter = divmod(drawn, len(READABLE_SIGNS))
        letters.append(READABLE_SIGNS[letter])
    return "".join(letters)


def _number(connection: sqlite3.Connection, is_passed_over: Callable[[int], bool]) -> int:
    """Count somebody who begins; return their number, from 0."""
    connection.execute(COUNT, ("started", 1))
    number = connection.execute(_NUMBER, ("started", _PASSED_OVER)).fetchone()[0] - 1
    while is_passed_over(number):
        connection.execute(COUNT, (_PASSED_OVER, 1))
        number += 1
    return number


def _participant(row: tuple[Any, ...] | None) -> Participant | None:
    if row is None:
        return None
    code, number, form, language, finished = row
    return Participant(code, number, from_json(form), language, finished)


def _continued(sent: tuple[Any, ...] | None, external: External) -> str | None:
    """Return the code of the participation that an address continues, see `Beginnings.continued`.

    `sent` is the row of `_SENT`.
    """
    if sent is None:
        return None
    code, facts, answers = sent
    same = json.loads(facts) == dict(external.facts) and external.is_personal
    return code if external.signed or same or not answers else None


def _again(connection: sqlite3.Connection, session: str, external: External) -> Participant | None:
    """Return the earlier participation of an id if it may be continued; else None."""
    code = _continued(connection.execute(_SENT, (external.id,)).fetchone(), external)
    if code is None:
        return None
    connection.execute(MOVE, (session, code))
    return _participant(connection.execute(f"{_SELECT} code = ?", (code,)).fetchone())


def _started(connection: sqlite3.Connection, draw: LanguageDraw) -> dict[str, int]:
    """Return how many of those who read the same languages were allocated to each."""
    return dict(connection.execute(_STARTED, (";".join(draw.reads),)).fetchall())


COUNT = (
    "INSERT INTO counters (name, count) VALUES (?, ?) "
    "ON CONFLICT (name) DO UPDATE SET count = count + excluded.count"
)
MOVE = "UPDATE participants SET session = ? WHERE code = ?"
_TAKE = "INSERT INTO taken (hash) VALUES (?) ON CONFLICT DO NOTHING"
_TAKEN = "SELECT 1 FROM taken WHERE hash = ?"
_NUMBER = "SELECT sum(count) FROM counters WHERE name IN (?, ?)"
_DRAWN = "INSERT INTO randomized (code, known) VALUES (?, ?)"
_STARTED = (
    "SELECT language, count(*) FROM participants JOIN randomized USING (code) "
    "WHERE known = ? GROUP BY language"
)
_PARTICIPANT = (
    "INSERT INTO participants (code, number, session, form, language, consent_version, "
    "declaration, started) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_CONSENT_TEXT = "INSERT INTO consent_texts (digest, text) VALUES (?, ?) ON CONFLICT DO NOTHING"
_CONSENT = "INSERT INTO consents (code, digest, at) VALUES (?, ?, ?)"
_CONTACT = "INSERT INTO contacts (code, external_id, facts, since) VALUES (?, ?, ?, ?)"
_DECLARED = "SELECT 1 FROM meta WHERE key = 'declaration'"
_DECLARE = "INSERT INTO meta (key, value) VALUES ('declaration', ?)"
_SELECT = "SELECT code, number, form, language, finished FROM participants WHERE"
_SENT = (
    "SELECT code, facts, (SELECT count(*) FROM answers WHERE answers.code = contacts.code) "
    "FROM contacts WHERE external_id = ?"
)
