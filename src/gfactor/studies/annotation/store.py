"""A project's work in one SQLite file: an append-only history, from which its state is derived."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from gfactor.studies.web.database import WAIT_S, Database

METADATA = sa.MetaData()

ANNOTATORS = sa.Table(
    "annotators",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("role", sa.Text, nullable=False),  # annotator, adjudicator
    sa.Column("salt", sa.LargeBinary, nullable=False),
    sa.Column("password_hash", sa.LargeBinary, nullable=False),
)

ASSIGNMENTS = sa.Table(
    "assignments",
    METADATA,
    sa.Column("item", sa.Text, primary_key=True),
    sa.Column("annotator", sa.Text, primary_key=True),
)

HISTORY = sa.Table(
    "history",  # rows are added and never changed: triggers refuse it
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("item", sa.Text, nullable=False, index=True),
    sa.Column("annotator", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),  # draft, adjudication, label, comment
    sa.Column("content", sa.Text, nullable=False),  # JSON
    sa.Column("created", sa.Text, nullable=False),
)

RESPONSES = sa.Table(
    "responses",  # of models, to be labeled
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("examinee", sa.Text, nullable=False),
    sa.Column("condition", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.UniqueConstraint("item", "examinee", "condition"),
)

SPENT = sa.Table(
    "spent",
    METADATA,
    sa.Column("entry", sa.Integer, primary_key=True),  # of the history
    sa.Column("seconds", sa.Float, nullable=False),  # from the page shown to the entry saved
)

GOLD = sa.Table(
    "gold",  # responses whose category is known: annotators are told it after their label
    METADATA,
    sa.Column("response", sa.Integer, primary_key=True),
    sa.Column("category", sa.Text, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
)

_APPEND_ONLY = [
    f"CREATE TRIGGER IF NOT EXISTS no_{verb.lower()} BEFORE {verb} ON history "
    "BEGIN SELECT RAISE(ABORT, 'the history is only added to'); END"
    for verb in ("UPDATE", "DELETE")
]


@dataclass(frozen=True)
class HistoryEntry:
    """A row of the history."""

    id: int
    item: str
    annotator: str
    kind: str
    content: str
    created: str


class AnnotationStore:
    """The database of a project; every method is one transaction."""

    def __init__(self, path: Path, wait_s: float = WAIT_S) -> None:
        self._database = Database(path, METADATA, "the project", wait_s)
        self._connected = self._database.connected
        try:
            with self._connected() as connection:
                for trigger in _APPEND_ONLY:
                    connection.execute(sa.text(trigger))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._database.close()

    def invite(self, name: str, role: str, salt: bytes, password_hash: bytes) -> None:
        """Add a person, or set a new password."""
        row = insert(ANNOTATORS).values(
            name=name, role=role, salt=salt, password_hash=password_hash
        )
        changed = {"role": role, "salt": salt, "password_hash": password_hash}
        with self._connected() as connection:
            connection.execute(row.on_conflict_do_update(index_elements=["name"], set_=changed))

    def annotators(self) -> dict[str, Any]:
        """Return rows of the table, by name."""
        with self._connected() as connection:
            rows = connection.execute(sa.select(ANNOTATORS).order_by(ANNOTATORS.c.name))
            return {row.name: row for row in rows}

    def assign(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Add assignments of items to annotators."""
        rows = [{"item": item, "annotator": name} for item, name in pairs]
        if rows:
            with self._connected() as connection:
                connection.execute(insert(ASSIGNMENTS).on_conflict_do_nothing(), rows)

    def take_back(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Remove assignments of items to annotators."""
        with self._connected() as connection:
            for item, name in pairs:
                given = (ASSIGNMENTS.c.item == item) & (ASSIGNMENTS.c.annotator == name)
                connection.execute(ASSIGNMENTS.delete().where(given))

    def assignments(self) -> list[tuple[str, str]]:
        """Return pairs of item and annotator."""
        with self._connected() as connection:
            rows = connection.execute(sa.select(ASSIGNMENTS.c.item, ASSIGNMENTS.c.annotator))
            return [(item, name) for item, name in rows]

    def add(
        self, item: str, annotator: str, kind: str, content: str, *,
        seconds: float | None = None, created: str = "",
    ) -> int:  # fmt: skip
        """Add an entry to the history; return its number.

        `seconds` is the working time, if it is known; `created` is the time of an entry that was
        made elsewhere."""
        row = HISTORY.insert().values(
            item=item,
            annotator=annotator,
            kind=kind,
            content=content,
            created=created or datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
        with self._connected() as connection:
            entry = int(connection.execute(row).inserted_primary_key[0])  # pyright: ignore[reportOptionalSubscript]
            if seconds is not None:
                connection.execute(SPENT.insert().values(entry=entry, seconds=seconds))
            return entry

    def spent(self) -> dict[int, float]:
        """Return the seconds from showing the page to saving the entry, by the entry's number."""
        with self._connected() as connection:
            rows = connection.execute(sa.select(SPENT.c.entry, SPENT.c.seconds))
            return {int(entry): float(seconds) for entry, seconds in rows}

    def set_gold(self, rows: Iterable[Mapping[str, Any]]) -> int:
        """Set the known category of responses (`response`, `category`, `why`); return their
        number."""
        many = [dict(row) for row in rows]
        with self._connected() as connection:
            for row in many:
                statement = insert(GOLD).values(**row)
                connection.execute(statement.on_conflict_do_update(
                    index_elements=["response"], set_={k: row[k] for k in ("category", "why")}
                ))  # fmt: skip
        return len(many)

    def gold(self) -> dict[int, tuple[str, str]]:
        """Return the known category of responses, with its explanation, by the response's
        number."""
        with self._connected() as connection:
            rows = connection.execute(sa.select(GOLD).order_by(GOLD.c.response))
            return {int(number): (category, why) for number, category, why in rows}

    def history(self, item: str | None = None) -> list[HistoryEntry]:
        """Return the entries of an item, or all, oldest first."""
        query = sa.select(HISTORY).order_by(HISTORY.c.id)
        if item is not None:
            query = query.where(HISTORY.c.item == item)
        with self._connected() as connection:
            return [HistoryEntry(*row) for row in connection.execute(query)]

    def latest(self, kind: str) -> dict[tuple[str, str], HistoryEntry]:
        """Return the last entry of a kind, by item and annotator."""
        last = (
            sa.select(sa.func.max(HISTORY.c.id))
            .where(HISTORY.c.kind == kind)
            .group_by(HISTORY.c.item, HISTORY.c.annotator)
        )
        query = sa.select(HISTORY).where(HISTORY.c.id.in_(last)).order_by(HISTORY.c.id)
        with self._connected() as connection:
            entries = [HistoryEntry(*row) for row in connection.execute(query)]
        return {(entry.item, entry.annotator): entry for entry in entries}

    def add_responses(self, rows: Iterable[Mapping[str, Any]]) -> int:
        """Add responses to be labeled, keeping existing ones; return the number of new ones."""
        added = 0
        with self._connected() as connection:
            for row in rows:
                done = connection.execute(insert(RESPONSES).on_conflict_do_nothing(), dict(row))
                added += done.rowcount
        return added

    def responses(self) -> pd.DataFrame:
        """Return the responses to be labeled, in their order."""
        with self._connected() as connection:
            return pd.read_sql_query(sa.select(RESPONSES).order_by(RESPONSES.c.id), connection)
