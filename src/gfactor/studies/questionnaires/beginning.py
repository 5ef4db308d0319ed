"""Beginnings of participations: a number, a form, a consent, a session, each once for a person."""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

from gfactor.studies.questionnaires.allocation import Step, from_json, to_json
from gfactor.studies.questionnaires.declaration import Declaration
from gfactor.studies.questionnaires.languages import LanguageDraw
from gfactor.studies.questionnaires.participants import External, Participant
from gfactor.studies.questionnaires.tables import now_text
from gfactor.studies.web.database import Database

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without those that look alike
_PASSED_OVER = "numbers passed over"


class Beginnings:
    """The part of a study's database that says so, in plain SQL: everybody passes through it."""

    _database: Database

    def start(
        self,
        session: str,
        form_of: Callable[[int], Iterable[Step]],
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
        """The participant of a pseudonym."""
        return _participant(self._database.read(f"{_SELECT} code = ?", (code,)))

    def participant(self, session: str) -> Participant | None:
        """Whoever a session belongs to."""
        return _participant(self._database.read(f"{_SELECT} session = ?", (session,)))

    def continued(self, external: External) -> str | None:
        """The code of the participation that an address continues; None if there is none.

        A signed link continues it always; another address where it holds the same as at first and
        nobody can guess it (`External.is_personal`), or before the first answer.
        """
        return _continued(self._database.read(_SENT, (external.id,)), external)

    def has_taken_part(self, external: External) -> bool:
        """Return True if somebody with this id has ever begun."""
        return self._database.read(_TAKEN, (external.hashed,)) is not None


def _new_code() -> str:
    """Return a pseudonym: nine letters that nobody can guess, of one number that is drawn."""
    drawn, letters = secrets.randbelow(len(_LETTERS) ** 9), ["p"]
    for _ in range(9):
        drawn, letter = divmod(drawn, len(_LETTERS))
        letters.append(_LETTERS[letter])
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
    """The code of the participation that an address continues, see `Beginnings.continued`; `sent`
    is the row of `_SENT`."""
    if sent is None:
        return None
    code, facts, answers = sent
    same = json.loads(facts) == dict(external.facts) and external.is_personal
    return code if external.signed or same or not answers else None


def _again(connection: sqlite3.Connection, session: str, external: External) -> Participant | None:
    """Somebody whose id has taken part: their participation where they may go on with it."""
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
