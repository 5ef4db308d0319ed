"""Keys of items: the answers that count as right, of which a journal has one set per item."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import pandas as pd
import sqlalchemy as sa

from gfactor.administration.storing.tables import ITEMS
from gfactor.errors import JournalError
from gfactor.items import canonical_json

_PLAIN_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")

Identity = tuple[str, str, str]
"""Content hash, id and benchmark of an item; its key does not identify it."""


class ItemKey(NamedTuple):
    """The right answers of an item, as a journal has them.

    Parameters
    ----------
    answer_type: type of the answer.
    target: the right answer as JSON.
    accepted: other right answers, each as JSON.
    """

    answer_type: str
    target: str
    accepted: tuple[str, ...]

    def scores_like(self, bank_key: ItemKey) -> bool:
        """Return True if the key accepts all right answers of a bank's key; decisions of a study
        may have added others."""
        same = self[:2] == bank_key[:2]
        return same and set(bank_key.accepted) <= set(self.accepted)

    def same_values(self, other: ItemKey) -> bool:
        """Return True if both keys have the same answers, numbers compared by value: 1.90 is 1.9,
        as scoring has it."""
        return (
            self.answer_type == other.answer_type
            and _by_value(self.target) == _by_value(other.target)
            and set(map(_by_value, self.accepted)) == set(map(_by_value, other.accepted))
        )

    def __str__(self) -> str:
        answers = map(json.loads, dict.fromkeys((self.target, *self.accepted)))
        return " or ".join(map(repr, answers))


def _by_value(answer: str) -> Any:
    """Return an answer, of JSON, with plain decimal numbers as their values."""
    value = json.loads(answer)
    parts = value if isinstance(value, list) else [value]
    return tuple(
        Decimal(part.strip())
        if isinstance(part, str) and _PLAIN_NUMBER.fullmatch(part.strip())
        else canonical_json(part)
        for part in parts
    )


def identity_of(row: Mapping[str, Any]) -> Identity:
    """Return the identity of an item's row."""
    return row["content_hash"], row["id"], row["benchmark"]


def key_of(row: Mapping[str, Any]) -> ItemKey:
    """Return the key in an item's row, as `row_of_item` makes it or a journal has it."""
    return ItemKey(row["answer_type"], row["target"], tuple(json.loads(row["accepted"])))


def key_rows(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield a row with identity and key for every item of a bank's frame."""
    names = ("content_hash", "id", "benchmark", "answer_type", "target")
    columns = [frame[name].tolist() for name in names]
    for *values, accepted in zip(*columns, frame["accepted"].tolist(), strict=True):
        yield {**dict(zip(names, values, strict=True)), "accepted": json.dumps(list(accepted))}


def stored_keys(connection: sa.Connection, benchmarks: Iterable[str]) -> dict[Identity, ItemKey]:
    """Return the keys of a journal's items of some benchmarks."""
    i = ITEMS.c
    columns = i.content_hash, i.id, i.benchmark, i.answer_type, i.target, i.accepted
    rows = sa.select(*columns).where(i.benchmark.in_(sorted(set(benchmarks))))
    stored = map(dict, connection.execute(rows).mappings())
    return {identity_of(row): key_of(row) for row in stored}


def replace_keys(connection: sa.Connection, rows: Iterable[Mapping[str, Any]]) -> int:
    """Store the keys in rows of items, if the journal has others; return the number of these."""
    given = {identity_of(row): row for row in rows}
    stored = stored_keys(connection, (benchmark for _, _, benchmark in given))
    changed = [
        row for identity, row in given.items()
        if identity in stored and stored[identity] != key_of(row)
    ]  # fmt: skip
    i = ITEMS.c
    for row in changed:
        same = (i.content_hash == row["content_hash"]) & (i.id == row["id"])
        key = {name: row[name] for name in ("answer_type", "target", "accepted")}
        update = ITEMS.update().where(same & (i.benchmark == row["benchmark"]))
        connection.execute(update.values(**key))
    return len(changed)


def check_keys(
    connection: sa.Connection,
    journal: str,
    rows: Sequence[Mapping[str, Any]],
    source: str = "the bank",
) -> None:
    """Check that no item of a bank, or of another journal, has another key in the journal.

    Parameters
    ----------
    connection: connection to the journal's database.
    journal: name of the journal.
    rows: rows of the bank's items.
    source: name of the bank, for the message.

    Raises JournalError, with the number of items and the first of them, if one has.
    """
    stored = stored_keys(connection, (row["benchmark"] for row in rows))
    others = [
        (row["id"], before, key_of(row))
        for row in rows
        if (before := stored.get(identity_of(row)))
        and not before.same_values(key := key_of(row))
        and not before.scores_like(key)
    ]
    if others:
        item, before, now = others[0]
        raise JournalError(
            f"journal {journal!r} has another key for {len(others):,} of these items, the first "
            f"{item!r} ({before} in the journal, {now} in {source}), and would score all answers "
            "by its own; use another journal, or replace the journal's keys: "
            f"gf.open_journal({journal!r}).replace_keys(gf.open_bank(BANK))"
        )
