"""Every answer of a campaign, in one SQLite file (or on a server, by URL)."""

from __future__ import annotations

import functools
import json
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

import pandas as pd
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from gfactor.administration.storing import leases
from gfactor.administration.storing.keys import check_keys, replace_keys
from gfactor.administration.storing.opening import display_name, engine_for, lock, verify
from gfactor.administration.storing.quick_adding import QuickAdding
from gfactor.administration.storing.response import Response
from gfactor.administration.storing.rows import (
    AT_ONCE,
    Key,
    attempt_row,
    bank_rows,
    insert,
    late_rows,
    reply_of,
    row_of_item,
    sample_rows,
    typed_frame,
    with_numbers_of_tokens,
)
from gfactor.administration.storing.stored_rows import (
    administered,
    complete,
    newest,
    samples,
    with_label_columns,
)
from gfactor.administration.storing.tables import (
    ADDED,
    BANK_ITEMS,
    BATCHES,
    CAMPAIGNS,
    FACTS,
    FAILURES,
    ITEMS,
    LATE,
    META,
    ORDER,
    RESPONSES,
    SAMPLES,
    TURNS,
)
from gfactor.errors import JournalError, ParameterError
from gfactor.examinees import RenderedItem, Reply
from gfactor.items import Item, ItemBank
from gfactor.items.files import check_writable, replacing

P = ParamSpec("P")
T = TypeVar("T")


def _once_more(act: Callable[P, T]) -> Callable[P, T]:
    """Repeat an action if the server has ended the connection (it was restarted, or this process
    was stopped for long). Data that were stored before are not stored twice."""

    @functools.wraps(act)
    def retried(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return act(*args, **kwargs)
        except JournalError as error:
            if not getattr(error.__cause__, "connection_invalidated", False):
                raise
            return act(*args, **kwargs)

    return retried


class Journal:
    """A journal: the stored responses of examinees to items. Open it with `Journal.open`, best in a
    `with` block.

    A journal that nobody closes is closed when it is no longer used, or when the program ends.

    A key (examinee, item hash, condition, occasion) is stored once: a second response to it is
    ignored. Failed attempts are stored separately, and their key can be asked again. Several
    processes may write to one journal, and share a run by claiming keys before they ask
    (`gfactor.administration.claims`). Every method raises JournalError if the file or the server
    of the database fails.

    Parameters
    ----------
    engine : sa.Engine
        Connection to the database (SQLAlchemy's engine).
    name : str
        Name of the journal in messages.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.administration import Journal
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> with Journal.open("c.db", create=False) as opened:
    ...     len(opened.items())
    10
    """

    def __init__(self, engine: sa.Engine, name: str) -> None:
        self.name = name
        self._engine = engine
        self._quick = QuickAdding(engine)
        # Without a call of `close`, connections are closed here.
        weakref.finalize(self, _close, engine, self._quick)

    @classmethod
    def open(cls, path_or_url: Path | str, *, create: bool = True) -> Journal:
        """Open a journal; create it if it is missing and `create` is True.

        Parameters
        ----------
        path_or_url: a file, or a database URL with a scheme ("postgresql://...").
        create: True to create a missing file; give False if you only read.
        """
        name = display_name(path_or_url)
        journal = cls(engine_for(path_or_url, create=create), name)
        try:
            with journal._connected() as connection:
                verify(connection, name, create=create)
        except BaseException:
            journal.close()
            raise
        return journal

    @property
    def address(self) -> str:
        """Path of the file, or URL of the database with its password; another process can open the
        journal by it."""
        url = self._engine.url
        if url.get_backend_name() == "sqlite":
            return str(url.database)
        return url.render_as_string(hide_password=False)

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
        """Close all connections. SQLite then merges its write-ahead log into the file."""
        _close(self._engine, self._quick)

    @contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        """A transaction, committed at the end of the block."""
        with self._named_errors(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Raise JournalError in the place of errors of the database."""
        try:
            yield
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise JournalError(f"journal {self.name!r} cannot be used: {reason}") from error

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[sa.Connection]:
        """Yield a transaction. With `alone`, only one process at a time can be in such a
        transaction."""
        with self._connected() as connection:
            if alone:
                lock(connection)
            yield connection

    def register(
        self,
        campaigns: Sequence[Mapping[str, Any]],
        bank: ItemBank | Sequence[Item] | None = None,
        frame: pd.DataFrame | None = None,
        samples: Sequence[RenderedItem] = (),
        digest: str = "",
    ) -> None:
        """Store calls of the runner and their items, in one transaction.

        Parameters
        ----------
        campaigns: the columns of the table `campaigns`.
        bank: bank or items; the facts that scoring needs are stored. Items that the
            journal already has are not changed; JournalError is raised if the stored item has
            another answer key.
        frame: result of `ItemBank.frame`, if the caller already has it.
        samples: rendered items, stored with their images unless their task has a sample.
        digest: name of the bank in the campaigns; by default its `scene_digest`.
        """
        if isinstance(bank, ItemBank):
            rows = bank_rows(bank, frame)
            digest = digest or bank.scene_digest
        else:
            rows = [row_of_item(item) for item in bank or ()]
        identity = ("id", "content_hash", "benchmark")
        keys = [{"digest": digest, **{name: row[name] for name in identity}} for row in rows]
        s = SAMPLES.c
        with self._connected() as connection:
            check_keys(connection, self.name, rows)
            insert(connection, ITEMS, rows)
            insert(connection, BANK_ITEMS, keys)
            for one in samples:
                same = (s.benchmark == one.benchmark) & (s.task == one.task)
                if connection.execute(sa.select(s.item_id).where(same)).first() is None:
                    insert(connection, SAMPLES, sample_rows(one))
            if campaigns:
                connection.execute(CAMPAIGNS.insert(), [dict(facts) for facts in campaigns])

    def bank_items(self, digest: str) -> set[tuple[str, str, str]]:
        """Return the items noted for a bank: content hash, id and benchmark of each."""
        b = BANK_ITEMS.c
        rows = sa.select(b.content_hash, b.id, b.benchmark).where(b.digest == digest)
        with self._connected() as connection:
            return {(row[0], row[1], row[2]) for row in connection.execute(rows)}

    def set_order_seed(self, seed: int) -> None:
        """Store the seed of the order in which items are asked.

        Raises ParameterError if the journal has another seed, because the items asked so far would
        then not be the first ones of the new order.
        """
        with self._connected() as connection:
            insert(connection, META, [{"key": ORDER, "value": str(seed)}])
        if (stored := self.order_seed()) != seed:
            raise ParameterError(
                f"journal {self.name!r} is filled in the order of seed {stored}, not {seed}; give "
                f"seed {stored}, or another journal"
            )

    def order_seed(self) -> int:
        """Return the seed of the order in which items are asked; 0 if none was noted."""
        with self._connected() as connection:
            stored = connection.execute(sa.select(META.c.value).where(META.c.key == ORDER)).scalar()
        return int(stored or 0)

    def replace_keys(self, items: Iterable[Item]) -> int:
        """Replace the stored answer keys of items by corrected ones; return the number of changed
        keys.

        Answers are scored when they are read, so earlier answers count by the new keys. Items that
        are not in the journal are ignored.
        """
        with self._connected() as connection:
            return replace_keys(connection, map(row_of_item, items))

    @_once_more
    def add(self, responses: Iterable[Response], *, claimed: bool = False, batch: str = "") -> int:
        """Store responses, and failed attempts, in one transaction.

        Parameters
        ----------
        claimed: True if the keys had been claimed. If another process has answered a key
            meanwhile, the reply is then stored among the `late` ones.
        batch: token of the batch from which the answers come; nothing is stored if this batch was
            collected before.

        Returns
        -------
        int
            Number of stored rows. It is smaller than the number of given rows if keys were already
            answered.
        """
        rows: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
        for response in responses:
            rows[response.failed].append(attempt_row(response))
        if not batch:
            with self._named_errors():
                answers, attempts = rows[False], rows[True]
                whole = RESPONSES if claimed else None
                added = self._quick.add({RESPONSES: answers, FAILURES: attempts}, whole)
            if added is not None:
                return added
        with self._connected() as connection:
            if batch:
                b = BATCHES.c
                still_open = (b.token == batch) & (b.collected == 0)
                close = BATCHES.update().where(still_open).values(collected=1)
                if not connection.execute(close).rowcount:
                    return 0
            new = insert(connection, RESPONSES, rows[False])
            if claimed and new < len(rows[False]):
                insert(connection, LATE, late_rows(connection, RESPONSES, rows[False]))
            return new + insert(connection, FAILURES, rows[True])

    def complete(self, responses: Iterable[Response]) -> int:
        """Replace truncated stored replies by complete ones; return their number.

        A reply is replaced by a response to the same key whose text begins with the whole stored
        text, so that nothing is lost. Any other response to an answered key is ignored.
        """
        with self._connected() as connection:
            return complete(connection, responses)

    def answered(self, examinee: str, condition: str) -> Iterator[Key]:
        """Yield each (item hash, occasion) that an examinee has answered under a condition.

        Rows are read one after the other, so that even a million of them need little memory.
        """
        r = RESPONSES.c
        keys = sa.select(r.item_hash, r.occasion).where(
            (r.examinee == examinee) & (r.condition == condition)
        )
        with self._connected() as connection:
            for row in connection.execute(keys).yield_per(AT_ONCE):
                yield row.item_hash, row.occasion

    @_once_more
    def add_turn(self, response: Response, turn: int) -> bool:
        """Store the reply to an earlier turn (from 0) of an item that is asked in several rounds.

        Returns False if another process has stored that turn meanwhile; the reply is then stored
        among the `late` ones.
        """
        rows = [{**attempt_row(response), "turn": turn}]
        with self._connected() as connection:
            if insert(connection, TURNS, rows):
                return True
            late = late_rows(connection, TURNS, rows)
            insert(connection, LATE, late)
            return not late

    def said(self, examinee: str, item_hash: str, condition: str, occasion: int) -> list[Reply]:
        """Return the stored replies to the earlier turns of an item, in order."""
        t = TURNS.c
        of_item = (t.examinee == examinee) & (t.item_hash == item_hash)
        of_item &= (t.condition == condition) & (t.occasion == occasion)
        with self._connected() as connection:
            rows = connection.execute(sa.select(TURNS).where(of_item).order_by(t.turn)).mappings()
            in_order = [row for k, row in enumerate(rows) if row["turn"] == k]
        return [reply_of(dict(row)) for row in in_order]

    @_once_more
    def claim(
        self,
        owner: str,
        lease_s: float,
        examinee: str,
        condition: str,
        keys: Iterable[Key],
        *,
        done: Iterable[Key] = (),
        failed_after: int = 0,
    ) -> leases.Claimed:
        """Claim keys for a process, except those that another one has claimed; see
        `leases.claim`."""
        with self._connected() as connection:
            whose = {"examinee": examinee, "condition": condition, "owner": owner}
            return leases.claim(connection, whose, lease_s, keys, done, failed_after)

    @_once_more
    def renew(self, owner: str, lease_s: float) -> set[Key]:
        """Extend all claims that a process still holds, and return their keys."""
        with self._connected() as connection:
            return leases.renew(connection, owner, lease_s)

    def claims(self, examinee: str, condition: str, but: str = "") -> dict[Key, tuple[str, float]]:
        """Return the keys that are being asked, with the process that asks and the seconds until
        its claim expires; those of the process `but` are left out."""
        with self._connected() as connection:
            return leases.open_claims(connection, examinee, condition, but)

    @_once_more
    def release(self, owners: Iterable[str] = ()) -> None:
        """End the claims of these processes, and all claims that have expired."""
        with self._connected() as connection:
            leases.release(connection, list(owners))

    def last_failure(self) -> int:
        """Return the number of the last failed attempt, 0 if there is none."""
        with self._connected() as connection:
            return connection.execute(sa.select(sa.func.max(FAILURES.c.id))).scalar() or 0

    def late(self) -> pd.DataFrame:
        """Return replies that arrived too late, in the form of `responses`; `turn` is NaN except
        for earlier turns.

        They arrived after their claim had expired and another process had stored an answer. They
        are not used, but are stored because they were paid for.
        """
        return self._frame(LATE).drop(columns="id")

    def turns(self) -> pd.DataFrame:
        """Return one row per reply to an earlier turn, like `responses`, with `turn` from 0."""
        return self._frame(TURNS).drop(columns="id")

    def usage(self, examinee: str) -> list[tuple[str, str, dict[str, int]]]:
        """Return item hash, condition and tokens of an examinee's answers, if tokens were
        counted."""
        r = RESPONSES.c
        counted = (r.examinee == examinee) & (r.tokens != "{}")
        rows = sa.select(r.item_hash, r.condition, r.tokens).where(counted)
        with self._connected() as connection:
            return [(h, c, json.loads(tokens)) for h, c, tokens in connection.execute(rows)]

    def outline(self, examinee: str, *, failed: bool = False) -> pd.DataFrame:
        """Return key, tokens (JSON), cost, seconds and time of an examinee's answers, without their
        texts.

        With `failed`, the rows are failed attempts instead.
        """
        c = (FAILURES if failed else RESPONSES).c
        wanted = c.item_hash, c.condition, c.occasion, c.tokens, c.cost, c.latency_s, c.created
        with self._connected() as connection:
            return pd.read_sql_query(sa.select(*wanted).where(c.examinee == examinee), connection)

    def newest(self, most: int, answered: int = 0, failed: int = 0) -> list[dict[str, Any]]:
        """Return the latest answers and failed attempts with item and question, the newest first.

        Only rows with numbers above `answered` and `failed` are returned.
        """
        with self._connected() as connection:
            return newest(connection, most, answered, failed)

    def examinees(self, condition: str | None = None) -> list[str]:
        """Return the names of all examinees with answers or failed attempts, in alphabetical
        order; with a condition, of those with answers under it."""
        names = sa.union(sa.select(RESPONSES.c.examinee), sa.select(FAILURES.c.examinee))
        if condition is not None:
            names = sa.select(RESPONSES.c.examinee).where(RESPONSES.c.condition == condition)
        with self._connected() as connection:
            return sorted({name for (name,) in connection.execute(names)})

    def responses(self, examinee: str | None = None, columns: Sequence[str] = ()) -> pd.DataFrame:
        """Return one row per answered key (of `examinee`, if one is named), in the order of
        answering. `tokens` are the server's counts as JSON; the columns `tokens_read` and
        `tokens_written` are numbers. Only `columns` of the journal are read if some are named."""
        if columns:
            return self._frame(RESPONSES, examinee, columns)
        return with_numbers_of_tokens(self._frame(RESPONSES, examinee).drop(columns="id"))

    def failures(self, examinee: str | None = None, columns: Sequence[str] = ()) -> pd.DataFrame:
        """Return one row per failed attempt, like `responses`."""
        frame = self._frame(FAILURES, examinee, columns)
        return frame if columns else frame.drop(columns="id")

    def size(self) -> tuple[int, int, int]:
        """Return the numbers of responses, failed attempts and items, which show whether the
        journal has grown."""
        counts = (sa.select(sa.func.count()).select_from(t) for t in (RESPONSES, FAILURES, ITEMS))
        with self._connected() as connection:
            answered, failed, items = (connection.execute(one).scalar_one() for one in counts)
        return answered, failed, items

    def items(self) -> pd.DataFrame:
        """Return one row per item administered.

        The columns are those of `ItemBank.frame` that the journal stores: `id`, `benchmark`,
        `edition`, `language`, `answer_type`, `target` and `accepted` (canonical JSON), `points`,
        `output_format`, `content_hash`, `question` (the texts of the content), `choices` (pairs of
        label and text, None for an image), then one column per label.
        """
        return with_label_columns(self._frame(ITEMS))

    def administered(self, examinee: str | None = None) -> pd.DataFrame:
        """Return the items that were given to each examinee: `examinee`, `condition`,
        `content_hash`, `id`, `benchmark`.
        """
        with self._connected() as connection:
            return administered(connection, examinee)

    def samples(self) -> list[RenderedItem]:
        """Return one rendered item per task, in the order of tasks."""
        with self._connected() as connection:
            return samples(connection)

    def meta(self) -> dict[str, Any]:
        """Return facts (`kind`, `schema`, `version`, `created`, and `order_seed` if items are asked
        in random order) and `campaigns` of the journal."""
        with self._connected() as connection:
            lasting = sa.select(META).where(META.c.key.in_(FACTS))
            facts: dict[str, Any] = {k: v for k, v in connection.execute(lasting)}
            calls = connection.execute(sa.select(CAMPAIGNS).order_by(CAMPAIGNS.c.id)).mappings()
            return {**facts, "campaigns": [dict(call) for call in calls]}

    def export(self, path: Path | str) -> None:
        """Write responses with their items and labels as one Parquet table.

        Raises ParameterError if the path cannot be written.
        """
        check_writable(path := Path(path))
        items = self.items().rename(columns={"content_hash": "item_hash", "id": "item_id"})
        with replacing(path) as temporary:
            self.responses().merge(items, on="item_hash").to_parquet(temporary, index=False)

    def _frame(
        self, table: sa.Table, examinee: str | None = None, columns: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Read a table, or some of its columns, a block of rows at a time."""
        wanted = [table.c[name] for name in columns] if columns else list(table.c)
        rows = sa.select(*wanted).order_by(*table.primary_key)
        rows = rows if examinee is None else rows.where(table.c.examinee == examinee)
        with self._connected() as connection:
            if table in ADDED and not sa.inspect(connection).has_table(table.name):
                return typed_frame([], wanted)
            blocks = connection.execute(rows).partitions(AT_ONCE)
            frames = [typed_frame(block, wanted) for block in blocks]
        if len(frames) < 2:
            return frames[0] if frames else typed_frame([], wanted)
        return pd.concat(frames, ignore_index=True)


def _close(engine: sa.Engine, quick: QuickAdding) -> None:
    """Close all connections of a journal."""
    quick.close()
    engine.dispose()
