"""Log of a study's owners: rows that are only added, each with the digest of all before it."""

from __future__ import annotations

import getpass
import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.studies.questionnaires.storing.tables import ACTIONS, META, now_text

_HEAD = "actions"
_TRIGGERS = [
    f"CREATE TRIGGER IF NOT EXISTS actions_no_{verb.lower()} BEFORE {verb} ON actions "
    "BEGIN SELECT RAISE(ABORT, 'the log of actions is only added to'); END"
    for verb in ("UPDATE", "DELETE")
]

Connected = Callable[[], AbstractContextManager[sa.Connection]]


@dataclass(frozen=True)
class Action:
    """A row of the log: number from 1, time, actor, action, object, and the digest (SHA-256) of
    this and all earlier rows."""

    number: int
    created: str
    who: str
    action: str
    detail: str
    digest: str


def at_the_command_line() -> str:
    """Return the actor of a command or of Python: the name of the computer's user."""
    try:
        return f"{getpass.getuser()} (command line)"
    except (OSError, KeyError, ImportError):
        return "command line"


def add_action(connection: sa.Connection, who: str, action: str, detail: str = "") -> None:
    """Add a row in the transaction in which the action itself is stored.

    Parameters
    ----------
    connection: connection of that transaction.
    who: the owner's name, or `at_the_command_line`.
    action: name of the action ("paused", "closed").
    detail: object of the action; never an answer or a recruiting id.
    """
    # Writing first takes the lock, so that no two rows get one number.
    first = insert(META).values(key=_HEAD, value="0 ")
    connection.execute(
        first.on_conflict_do_update(index_elements=["key"], set_={"value": META.c.value})
    )
    head = connection.execute(sa.select(META.c.value).where(META.c.key == _HEAD)).scalar_one()
    number, _, before = head.partition(" ")
    row = (
        int(number) + 1,
        now_text(),
        who,
        action,
        detail,
    )
    digest = _digest(row, before)
    names = ("number", "created", "who", "action", "detail")
    connection.execute(ACTIONS.insert().values(**dict(zip(names, row, strict=True)), digest=digest))
    value = f"{row[0]} {digest}"
    connection.execute(META.update().where(META.c.key == _HEAD).values(value=value))


class ActionLog:
    """The log of a study's database."""

    def __init__(self, connected: Connected) -> None:
        self._connected = connected
        with connected() as connection:
            for trigger in _TRIGGERS:
                connection.execute(sa.text(trigger))

    def add(self, who: str, action: str, detail: str = "") -> None:
        """Add a row about an action that is stored nowhere else: a login, an export."""
        with self._connected() as connection:
            add_action(connection, who, action, detail)

    def read(self) -> tuple[list[Action], str]:
        """Return all rows, and their flaw in words: "" if none was changed or deleted."""
        with self._connected() as connection:
            rows = connection.execute(sa.select(ACTIONS).order_by(ACTIONS.c.number)).mappings()
            actions = [Action(**row) for row in rows]
            head = connection.execute(sa.select(META.c.value).where(META.c.key == _HEAD)).scalar()
        return actions, _problem(actions, head or "0 ")


def _problem(actions: Sequence[Action], head: str) -> str:
    before = ""
    for number, one in enumerate(actions, 1):
        if one.number != number:
            return f"row {number} of the log is missing"
        row = (one.number, one.created, one.who, one.action, one.detail)
        if one.digest != _digest(row, before):
            return f"row {number} of the log was changed, or one before it was exchanged"
        before = one.digest
    if head != f"{len(actions)} {before}":
        return f"the log has {len(actions)} rows and its end says {head.partition(' ')[0]}"
    return ""


def _digest(row: tuple[int, str, str, str, str], before: str) -> str:
    text = json.dumps([*row, before], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
