"""The owner's decisions on appeals of participants whom the study's rule does not pay."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.studies.questionnaires.storing.action_log import (
    Connected,
    add_action,
    at_the_command_line,
)
from gfactor.studies.questionnaires.storing.tables import APPEALS, CONTACTS, PARTICIPANTS, now_text
from gfactor.studies.web.database import Database


class Appeals:
    """The part of a study's database with appeals against exclusion from payment."""

    _connected: Connected
    _database: Database

    def appeal(self, code: str, reason: str, *, paid: bool, by: str = "") -> None:
        """Store the decision on paying a person whom the study's rule excludes; a later decision
        replaces an earlier one. The log has the decision and the reason, not the person.

        Parameters
        ----------
        paid: True if the appeal is upheld.
        by: name of the person who decides, for the log; the user of the command line if it is "".
        """
        values = {"paid": paid, "reason": reason, "created": now_text()}
        row = insert(APPEALS).values(code=code, **values)
        word = "appeal upheld: paid" if paid else "appeal rejected: not paid"
        with self._connected() as connection:
            connection.execute(row.on_conflict_do_update(index_elements=["code"], set_=values))
            add_action(connection, by or at_the_command_line(), word, reason)

    def paid_on_appeal(self) -> frozenset[str]:
        """Return the codes of people who are paid although the study's rule excludes them."""
        query = sa.select(APPEALS.c.code).where(APPEALS.c.paid)
        with self._connected() as connection:
            return frozenset(connection.execute(query).scalars())

    def is_paid_on_appeal(self, code: str) -> bool:
        """Return True if a participant is paid although the study's rule excludes them."""
        return self._database.read(_PAID, (code,)) is not None

    def code_of(self, name: str) -> str | None:
        """Return the participant with this pseudonym, or with this id of the recruiting service or
        of a signed link; None if there is none."""
        by_code = sa.select(PARTICIPANTS.c.code).where(PARTICIPANTS.c.code == name)
        by_id = sa.select(CONTACTS.c.code).where(CONTACTS.c.external_id == name)
        with self._connected() as connection:
            return connection.execute(by_code).scalar() or connection.execute(by_id).scalar()


_PAID = "SELECT 1 FROM appeals WHERE code = ? AND paid"
