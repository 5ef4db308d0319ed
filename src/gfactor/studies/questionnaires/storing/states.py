"""States of a study, which decide whether people may begin and answer: open, paused, closed."""

from __future__ import annotations

import json

from sqlalchemy.dialects.sqlite import insert

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.storing.action_log import (
    Connected,
    add_action,
    at_the_command_line,
)
from gfactor.studies.questionnaires.storing.tables import META, now_text, stored_value
from gfactor.studies.web.database import Database


class States:
    """The part of a study's database with its state; every change is in the log."""

    _connected: Connected
    _database: Database

    def end(self, by: str = "") -> str:
        """Close the study, so that nobody can begin or answer; return the time at which it was
        closed.

        Parameters
        ----------
        by: name of the person who does it, for the log; the user of the command line if it is "".
        """
        row = insert(META).values(key="closed", value=now_text()).on_conflict_do_nothing()
        with self._connected() as connection:
            if connection.execute(row).rowcount:
                add_action(connection, by or at_the_command_line(), "closed")
            return connection.execute(stored_value("closed")).scalar_one()

    def reopen(self, disclose: str, by: str = "") -> bool:
        """Open a closed study again; return True if it was closed.

        Raises ParameterError if `disclose` says that participants have seen right answers.
        """
        with self._connected() as connection:
            if not connection.execute(META.delete().where(META.c.key == "closed")).rowcount:
                return False
            if disclose == "closed":
                raise ParameterError(
                    "the study was closed, and participants can see the right answers since "
                    '(disclose = "closed"); it cannot be opened again'
                )
            add_action(connection, by or at_the_command_line(), "reopened")
        return True

    def pause(self, sentence: str = "", by: str = "") -> str:
        """Pause the study until `resume`: nobody can begin, but participants who have begun may
        finish. `sentence` is shown to newcomers, "" for the interface's own. Return the time at
        which it was paused."""
        now = now_text()
        changed = {"value": json.dumps({"since": now, "sentence": sentence})}
        row = insert(META).values(key="paused", **changed)
        with self._connected() as connection:
            connection.execute(row.on_conflict_do_update(index_elements=["key"], set_=changed))
            add_action(connection, by or at_the_command_line(), "paused", sentence)
        return now

    def resume(self, by: str = "") -> bool:
        """Resume the study, so that people can begin again; return True if it was paused."""
        with self._connected() as connection:
            if not connection.execute(META.delete().where(META.c.key == "paused")).rowcount:
                return False
            add_action(connection, by or at_the_command_line(), "resumed")
        return True

    def paused(self) -> dict[str, str] | None:
        """Return the time `since` which the study is paused, and the `sentence`; None if it is not
        paused."""
        row = self._database.read(_STATE, ("paused",))
        return None if row is None else json.loads(row[0])

    def ended(self) -> str | None:
        """Return the time at which the study was closed; None while it is open."""
        row = self._database.read(_STATE, ("closed",))
        return None if row is None else row[0]


_STATE = "SELECT value FROM meta WHERE key = ?"
