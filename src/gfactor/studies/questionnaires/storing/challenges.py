"""Challenges of participants against keys, and the decisions of owners."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.studies.questionnaires.storing.action_log import (
    Connected,
    add_action,
    at_the_command_line,
)
from gfactor.studies.questionnaires.storing.tables import ANSWERS, CHALLENGES, RULINGS, now_text
from gfactor.studies.web.database import Database


class Challenges:
    """The part of a study's database with challenges of keys, and rulings."""

    _connected: Connected
    _database: Database

    def challenge(self, code: str, item: str, reason: str) -> None:
        """Store a participant's challenge of a key; a second one replaces it until it is
        decided."""
        row = insert(CHALLENGES).values(
            code=code, item=item, reason=reason, created=now_text(), verdict="", reply=""
        )
        changed, undecided = {"reason": reason, "created": now_text()}, CHALLENGES.c.verdict == ""
        with self._connected() as connection:
            connection.execute(
                row.on_conflict_do_update(["code", "item"], set_=changed, where=undecided)
            )

    def challenged(self, code: str) -> dict[str, str]:
        """Return the reasons of a participant's challenges, by item."""
        return dict(self._database.read_all(_CHALLENGED, (code,)))

    def decide(
        self, code: str, item: str, verdict: str, reply: str, answer: str | None, by: str = ""
    ) -> None:
        """Store the owner's decision on a challenge.

        Parameters
        ----------
        answer: answer that is right as well from now on, "" if the item is void, None if the key
            stays. An earlier ruling on this challenge is taken back, unless the same was ruled on
            somebody else's.
        """
        this_challenge = (CHALLENGES.c.code == code) & (CHALLENGES.c.item == item)
        latest = sa.select(
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
            before = connection.execute(latest).all()
            others = {row.answer for row in before if row.code != code}
            for row in before:
                if row.code == code and row.answer not in others:
                    ruled = (RULINGS.c.item == item) & (RULINGS.c.answer == row.answer)
                    connection.execute(RULINGS.delete().where(ruled))
            connection.execute(
                CHALLENGES.update().where(this_challenge).values(verdict=verdict, reply=reply)
            )
            if answer is not None:
                values = {"item": item, "answer": answer, "reply": reply, "created": now_text()}
                connection.execute(insert(RULINGS).values(values).on_conflict_do_nothing())
            word = f"{item}: {verdict}"
            add_action(connection, by or at_the_command_line(), "challenge decided", word)

    def rulings(self) -> list[dict[str, str]]:
        """Return upheld challenges: `item`, `answer` (right as well; "" if the item is void)."""
        return [dict(zip(_RULED, row, strict=True)) for row in self._database.read_all(_RULINGS)]


_CHALLENGED = "SELECT item, reason FROM challenges WHERE code = ?"
_RULED = ("item", "answer", "reply", "created")
_RULINGS = f"SELECT {', '.join(_RULED)} FROM rulings ORDER BY item, answer"
