"""Joining journals: the answers of one are copied into another, with all that belongs to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.keys import check_keys, replace_keys
from gfactor.administration.storing.rows import AT_ONCE, KEY, insert
from gfactor.administration.storing.tables import (
    ADDED,
    BANK_ITEMS,
    BATCHES,
    CAMPAIGNS,
    FAILURES,
    IMPORTED,
    ITEMS,
    LATE,
    META,
    PROFILES,
    RESPONSES,
    SAMPLES,
    STEPS,
    TURNS,
)
from gfactor.results import number_of

_NAMED = (ITEMS, BANK_ITEMS, PROFILES, STEPS, TURNS)
"""Tables whose rows have a key of their own, so that none is stored twice."""


@dataclass(frozen=True)
class Merged:
    """Result of copying a journal into another.

    Parameters
    ----------
    examinees: examinees of the journal that was copied.
    items: number of its items.
    added: answers that are new in the other journal; `repeated` were there before, the same.
    failed: failed attempts that are new.
    flaws: sentences about data that were not copied.
    replaced: keys of the other journal that were replaced.
    """

    examinees: tuple[str, ...]
    items: int
    added: int
    repeated: int
    failed: int
    flaws: tuple[str, ...]
    replaced: int = 0


def merge(journal: Journal, source: Journal, *, replace: bool = False) -> Merged:
    """Copy a journal into another one, in one transaction.

    Conditions, costs, prompts and the records of adaptive tests come with the answers. Copying the
    same journal again changes nothing. With `replace`, its answer keys replace different ones.

    Raises JournalError if an item has another key in the other journal.
    """
    with source.transaction() as old, journal.transaction(alone=True) as new:
        items = list(_rows(old, ITEMS))
        replaced = replace_keys(new, items) if replace else 0
        check_keys(new, journal.name, items, repr(source.name))
        different = _different(old, new)
        total = added = 0
        for block in _blocks(old, RESPONSES):
            total += len(block)
            added += insert(new, RESPONSES, block)
        for table in _NAMED:
            for block in _blocks(old, table):
                insert(new, table, block)
        tasks = {_task(row) for row in _rows(new, SAMPLES)}
        insert(new, SAMPLES, [row for row in _rows(old, SAMPLES) if _task(row) not in tasks])
        _add_unknown(old, new, CAMPAIGNS)
        noted = [row for row in _rows(old, META) if str(row["key"]).startswith(IMPORTED)]
        insert(new, META, noted)
        _add_unknown(old, new, LATE)
        failed = _add_unknown(old, new, FAILURES)
        waiting = [row for row in _rows(old, BATCHES) if not row["collected"]]
        examinees = old.execute(sa.select(CAMPAIGNS.c.examinee).distinct()).scalars()
        names = tuple(sorted(examinees))
    flaws = _flaws(different, len(waiting))
    repeated = total - added - different
    return Merged(names, len(items), added, repeated, failed, flaws, replaced)


def _flaws(different: int, waiting: int) -> tuple[str, ...]:
    flaws = []
    if different:
        flaws.append(
            f"{number_of(different, 'answer')} to items to which the journal has another answer of "
            "the same examinee, condition and occasion, which stays; to keep both runs, import the "
            "files of the second one into the journal with --first-occasion 1"
        )
    if waiting:
        flaws.append(
            f"{number_of(waiting, 'batch', 'batches')} whose answers are not in yet; give the "
            "command that submitted them again, and then import again"
        )
    return tuple(flaws)


def _blocks(connection: sa.Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a table without their numbers, some at a time."""
    if table in ADDED and not sa.inspect(connection).has_table(table.name):
        return
    numbered = "id" in table.c and isinstance(table.c["id"].type, sa.Integer)
    columns = [column for column in table.c if not (numbered and column.name == "id")]
    rows = connection.execute(sa.select(*columns).order_by(*table.primary_key)).mappings()
    for part in rows.partitions(AT_ONCE):
        yield [dict(row) for row in part]


def _rows(connection: sa.Connection, table: sa.Table) -> Iterator[dict[str, Any]]:
    for block in _blocks(connection, table):
        yield from block


def _add_unknown(old: sa.Connection, new: sa.Connection, table: sa.Table) -> int:
    """Add the rows of a table that the other journal does not have; return their number.

    This is for tables whose rows have only a number as key.
    """
    stored = {_content(row) for row in _rows(new, table)}
    rows = [row for row in _rows(old, table) if _content(row) not in stored]
    return insert(new, table, rows)


def _task(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["benchmark"], row["task"]


def _content(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row.values())


def _different(old: sa.Connection, new: sa.Connection) -> int:
    """Return the number of keys that have different answers in the two journals."""
    texts = {_key(row): row["text"] for row in _rows(new, RESPONSES)}
    return sum(texts.get(_key(row), row["text"]) != row["text"] for row in _rows(old, RESPONSES))


def _key(row: Mapping[str, Any]) -> Sequence[Any]:
    return tuple(row[name] for name in KEY)
