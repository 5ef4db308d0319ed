"""Every answer of a campaign, in one SQLite file (or on a server, by URL)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import pandas as pd
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError

from gfactor.administration.opening import engine_for, shown, verify
from gfactor.administration.response import Response
from gfactor.administration.rows import (
    KEPT,
    attempt_row,
    dtype_of,
    item_row,
    labels_of,
    reply_of,
    without_nul,
)
from gfactor.administration.tables import (
    BANK_ITEMS,
    CAMPAIGNS,
    FAILURES,
    ITEMS,
    META,
    RESPONSES,
    SAMPLES,
    TURNS,
)
from gfactor.errors import JournalError
from gfactor.examinees import RenderedItem, Reply
from gfactor.items import Image, Item, ItemBank, Segment, answer_to_json
from gfactor.items.files import check_writable, replacing


class Journal:
    """The responses of examinees to items; open with `Journal.open`, best in a `with` block.

    A key (examinee, item hash, condition, occasion) is stored once: a second response to it is
    ignored. Failed attempts are kept apart and leave their key free. Several processes may write
    to one journal. Every method raises JournalError, in one sentence, where the file (or server)
    fails.
    """

    def __init__(self, engine: sa.Engine, name: str) -> None:
        self.name = name
        self._engine = engine

    @classmethod
    def open(cls, path_or_url: Path | str, *, create: bool = True) -> Journal:
        """Open a journal, or start one where there is none and `create` is true.

        Parameters
        ----------
        path_or_url: a file, or a database URL with a scheme ("postgresql://...").
        create: whether a missing file is made; those who only read say False.
        """
        name = shown(path_or_url)
        journal = cls(engine_for(path_or_url, create=create), name)
        try:
            with journal._connected() as connection:
                verify(connection, name, create=create)
        except BaseException:
            journal.close()
            raise
        return journal

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections; SQLite then folds its write-ahead log into the file."""
        self._engine.dispose()

    @contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        """A transaction, committed at the end of the block."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise JournalError(f"journal {self.name!r} cannot be used: {reason}") from error

    def _insert(self, connection: sa.Connection, table: sa.Table, rows: Sequence[Any]) -> int:
        """Insert rows, but those whose key is there already; the number inserted."""
        if not rows:
            return 0
        if connection.dialect.name == "postgresql":
            insert = postgresql.insert(table).on_conflict_do_nothing().returning(table.c[0])
            return len(connection.execute(insert, [without_nul(row) for row in rows]).all())
        return _insert_into_sqlite(connection, table, rows)

    def add_campaign(self, **facts: Any) -> None:
        """Note a call of the runner; `facts` are the columns of the table `campaigns`."""
        with self._connected() as connection:
            connection.execute(CAMPAIGNS.insert(), [facts])

    def add_items(self, bank: ItemBank, frame: pd.DataFrame | None = None) -> None:
        """Store what scoring needs of a bank's items; those already there stay as they are.

        `frame` is what `ItemBank.frame` gives, for callers who have it at hand.
        """
        labels, choices = bank.labels(), bank.choices()
        digest = bank.scene_digest
        frame = bank.frame() if frame is None else frame
        names = (*KEPT, "text", "accepted", "output_format")
        columns = (frame[name].to_numpy(dtype=object).tolist() for name in names)
        rows = [
            item_row(row, labels[row["id"]], choices[row["id"]])
            for values in zip(*columns, strict=True)
            for row in [dict(zip(names, values, strict=True))]
        ]
        mine = [{"digest": digest, "id": r["id"], "content_hash": r["content_hash"]} for r in rows]
        with self._connected() as connection:
            self._insert(connection, ITEMS, rows)
            self._insert(connection, BANK_ITEMS, mine)

    def set_accepted(self, items: Iterable[Item]) -> None:
        """Replace the accepted answers of stored items, after a correction of their keys."""
        i = ITEMS.c
        with self._connected() as connection:
            for item in items:
                same = (i.content_hash == item.provenance.content_hash) & (i.id == item.id)
                known = json.dumps([answer_to_json(answer) for answer in item.accepted])
                changed = same & (i.accepted != known)
                connection.execute(ITEMS.update().where(changed).values(accepted=known))

    def add_sample(self, rendered: RenderedItem) -> None:
        """Store a rendered item as its task's sample, images included, unless there is one."""
        rows = [
            {
                "benchmark": rendered.benchmark,
                "task": rendered.task,
                "position": position,
                "item_id": rendered.item_id,
                "text": None if isinstance(part, Image) else part,
                "image": part.data if isinstance(part, Image) else None,
                "path": part.path if isinstance(part, Image) else None,
            }
            for position, part in enumerate(rendered.content)
        ]
        same = (SAMPLES.c.benchmark == rendered.benchmark) & (SAMPLES.c.task == rendered.task)
        with self._connected() as connection:
            if connection.execute(sa.select(SAMPLES.c.item_id).where(same)).first() is None:
                self._insert(connection, SAMPLES, rows)

    def add(self, responses: Iterable[Response]) -> int:
        """Store responses, and failed attempts, in one transaction.

        Returns how many were stored: less than were given where a key was answered already.
        """
        rows: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
        for response in responses:
            rows[response.failed].append(attempt_row(response))
        with self._connected() as connection:
            new = self._insert(connection, RESPONSES, rows[False])
            return new + self._insert(connection, FAILURES, rows[True])

    def answered(self, examinee: str, condition: str) -> set[tuple[str, int]]:
        """The (item hash, occasion) that an examinee has answered under a condition."""
        r = RESPONSES.c
        keys = sa.select(r.item_hash, r.occasion).where(
            (r.examinee == examinee) & (r.condition == condition)
        )
        with self._connected() as connection:
            return {(item, occasion) for item, occasion in connection.execute(keys)}

    def add_turn(self, response: Response, turn: int) -> None:
        """Store the reply to an earlier turn (from 0) of an item put in several rounds."""
        with self._connected() as connection:
            self._insert(connection, TURNS, [{**attempt_row(response), "turn": turn}])

    def said(self, examinee: str, item_hash: str, condition: str, occasion: int) -> list[Reply]:
        """The replies to the earlier turns of an item, in order, as far as they are stored."""
        t = TURNS.c
        mine = (t.examinee == examinee) & (t.item_hash == item_hash)
        mine &= (t.condition == condition) & (t.occasion == occasion)
        with self._connected() as connection:
            rows = connection.execute(sa.select(TURNS).where(mine).order_by(t.turn)).mappings()
            found = [row for k, row in enumerate(rows) if row["turn"] == k]
        return [reply_of(dict(row)) for row in found]

    def turns(self) -> pd.DataFrame:
        """One row per reply to an earlier turn, like `responses`, with `turn` from 0."""
        with self._connected() as connection:
            if not sa.inspect(connection).has_table(TURNS.name):
                return pd.DataFrame(columns=[c.name for c in TURNS.c if c.name != "id"])
        return self._frame(TURNS).drop(columns="id")

    def examinees(self) -> list[str]:
        """The names of everybody who has answered or failed, in alphabetical order."""
        names = sa.union(sa.select(RESPONSES.c.examinee), sa.select(FAILURES.c.examinee))
        with self._connected() as connection:
            return sorted(name for (name,) in connection.execute(names))

    def responses(self) -> pd.DataFrame:
        """One row per key that was answered, in the order of answering; tokens are JSON."""
        return self._frame(RESPONSES).drop(columns="id")

    def failures(self) -> pd.DataFrame:
        """One row per failed attempt, like `responses`."""
        return self._frame(FAILURES).drop(columns="id")

    def items(self) -> pd.DataFrame:
        """One row per item administered.

        Columns as in `ItemBank.frame` as far as the journal keeps them: `id`, `benchmark`,
        `edition`, `language`, `answer_type`, `target` and `accepted` (canonical JSON), `points`,
        `output_format`, `content_hash`, `question` (the texts of the content), `choices` (pairs
        of label and text, None for an image), then one column per label.
        """
        frame = self._frame(ITEMS)
        labels = [labels_of(text) for text in frame.pop("labels")]
        frame["accepted"] = [json.loads(text) for text in frame["accepted"]]
        frame["choices"] = [json.loads(text) for text in frame["choices"]]
        names = list(dict.fromkeys(name for row in labels for name in row))
        columns = {
            f"label.{name}" if name in frame else name: pd.Series(
                [row.get(name) for row in labels], index=frame.index, dtype=dtype_of(labels, name)
            )
            for name in names
        }
        return pd.concat([frame, pd.DataFrame(columns, index=frame.index)], axis=1)

    def administered(self) -> pd.DataFrame:
        """Which items were given to whom: `examinee`, `condition`, `content_hash`, `id`."""
        who, what = CAMPAIGNS.c, BANK_ITEMS.c
        pairs = sa.select(who.examinee, who.condition, what.content_hash, what.id).distinct()
        with self._connected() as connection:
            return pd.read_sql_query(
                pairs.join_from(CAMPAIGNS, BANK_ITEMS, who.digest == what.digest), connection
            )

    def samples(self) -> list[RenderedItem]:
        """One rendered item per task, in the order of tasks."""
        s = SAMPLES.c
        found: dict[tuple[str, str, str], list[Segment]] = {}
        with self._connected() as connection:
            for row in connection.execute(
                sa.select(SAMPLES).order_by(s.benchmark, s.task, s.position)
            ):
                part = row.text if row.image is None else Image(row.image, row.path)
                found.setdefault((row.item_id, row.benchmark, row.task), []).append(part)
        return [RenderedItem(*key, tuple(parts)) for key, parts in found.items()]

    def meta(self) -> dict[str, Any]:
        """What the journal is (`kind`, `schema`, `version`, `created`), and its `campaigns`."""
        with self._connected() as connection:
            facts: dict[str, Any] = {k: v for k, v in connection.execute(sa.select(META))}
            calls = connection.execute(sa.select(CAMPAIGNS).order_by(CAMPAIGNS.c.id)).mappings()
            return {**facts, "campaigns": [dict(call) for call in calls]}

    def export(self, path: Path | str) -> None:
        """Write responses with their items and labels as one Parquet table.

        Raises ParameterError where the path cannot be written.
        """
        path = Path(path)
        check_writable(path)
        items = self.items().rename(columns={"content_hash": "item_hash", "id": "item_id"})
        with replacing(path) as temporary:
            self.responses().merge(items, on="item_hash").to_parquet(temporary, index=False)

    def _frame(self, table: sa.Table) -> pd.DataFrame:
        with self._connected() as connection:
            return pd.read_sql_query(sa.select(table).order_by(*table.primary_key), connection)


def _insert_into_sqlite(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]
) -> int:
    # Straight to the driver: SQLAlchemy's handling of each row takes longer than storing it.
    names = list(rows[0])
    marks = ", ".join(f":{name}" for name in names)
    columns = ", ".join(f'"{name}"' for name in names)
    statement = f"INSERT INTO {table.name} ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING"
    return connection.exec_driver_sql(statement, list(rows)).rowcount
