"""Owners of a study, who may see or change it: names, roles, and hashes of passwords."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.studies.questionnaires.storing.action_log import Connected, add_action
from gfactor.studies.questionnaires.storing.tables import OWNERS
from gfactor.studies.web import Secrets
from gfactor.studies.web.secrets import SHORTEST_PASSWORD, hashed_password

ROLES: Mapping[str, str] = {
    "owner": "may do everything",
    "viewer": "may read everything, and change and download nothing",
}
"""Rights of an owner."""

FIRST = "owner"
"""Name of the person whose password `gfactor study new` showed, with the role of an owner."""

LONGEST_NAME = 60


@dataclass(frozen=True)
class Owner:
    """A person with a password: the name, one of `ROLES`, and the time of creation."""

    name: str
    role: str
    created: str

    @property
    def session(self) -> str:
        """Return the text that identifies a session; it changes if the owner is removed or gets a
        new password, who then has to log in again.
        """
        return f"{self.created} {self.name}"


class Owners:
    """The owners of a study's database, and the first one."""

    def __init__(self, connected: Connected) -> None:
        self._connected = connected

    def add(self, name: str, role: str, password: str, by: str) -> Owner:
        """Add a person, or set another role and password; the log records it.

        Raises ParameterError for an invalid name or password.
        """
        if role not in ROLES:
            raise UnknownNameError("role of an owner", role, ROLES)
        if name == FIRST:
            raise ParameterError(
                f"{FIRST!r} is the first owner; their password is set by `gfactor study password`"
            )
        if (
            not name.strip()
            or name != name.strip()
            or len(name) > LONGEST_NAME
            or not name.isprintable()
        ):
            raise ParameterError(
                f"{name[:LONGEST_NAME]!r} cannot be an owner's name; give 1 to {LONGEST_NAME} "
                "characters that can be printed, without spaces around them"
            )
        if len(password) < SHORTEST_PASSWORD:
            raise ParameterError(
                f"the password has {len(password)} characters; give at least {SHORTEST_PASSWORD}"
            )
        salt = secrets.token_bytes(16)
        row = {
            "role": role,
            "salt": salt,
            "password_hash": hashed_password(password, salt),
            "created": datetime.now(UTC).isoformat(timespec="microseconds"),
        }
        with self._connected() as connection:
            add_action(connection, by, "owner added", f"{name} ({role})")
            stored = insert(OWNERS).values(name=name, **row)
            connection.execute(stored.on_conflict_do_update(index_elements=["name"], set_=row))
        return Owner(name, role, str(row["created"]))

    def remove(self, name: str, by: str) -> None:
        """Remove a person, who is logged out at once; raise ParameterError if there is no such
        person."""
        with self._connected() as connection:
            add_action(connection, by, "owner removed", name)
            if not connection.execute(OWNERS.delete().where(OWNERS.c.name == name)).rowcount:
                raise ParameterError(
                    f"the study has no owner {name!r} who can be removed; `gfactor study owners "
                    "FOLDER` lists them"
                )

    def all(self) -> list[Owner]:
        """Return the first owner, and the others by name."""
        columns = (OWNERS.c.name, OWNERS.c.role, OWNERS.c.created)
        with self._connected() as connection:
            rows = connection.execute(sa.select(*columns).order_by(OWNERS.c.name)).all()
        return [Owner(FIRST, "owner", ""), *(Owner(*row) for row in rows)]

    def of_session(self, session: str) -> Owner | None:
        """Return the owner for whom a session was opened; None if they were removed since."""
        return next((one for one in self.all() if session and one.session == session), None)

    def check(self, name: str, password: str, first: Secrets) -> Owner | None:
        """Return the owner with this name and password, in a time that does not depend on them."""
        with self._connected() as connection:
            row = connection.execute(sa.select(OWNERS).where(OWNERS.c.name == name)).first()
        if name == FIRST or row is None:
            right = first.is_password(password)
            return Owner(FIRST, "owner", "") if right and name == FIRST else None
        given = hashed_password(password, row.salt)
        if not hmac.compare_digest(given, row.password_hash):
            return None
        return Owner(row.name, row.role, row.created)
