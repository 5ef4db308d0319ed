"""Rows of a journal as they are read from its tables, and replies that are completed in them.

Functions of an open connection; `Journal` has a method for each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pandas as pd
import sqlalchemy as sa

from gfactor.administration.storing.response import Response
from gfactor.administration.storing.rows import (
    KEY,
    attempt_row,
    dtype_of,
    labels_of,
    typed_frame,
)
from gfactor.administration.storing.tables import (
    BANK_ITEMS,
    CAMPAIGNS,
    FAILURES,
    ITEMS,
    RESPONSES,
    SAMPLES,
)
from gfactor.examinees import RenderedItem
from gfactor.items import Image, Segment


def complete(connection: sa.Connection, responses: Iterable[Response]) -> int:
    """Replace truncated stored replies by complete ones; return their number."""
    r = RESPONSES.c
    cut = sa.select(r.id, r.examinee, r.item_hash, r.condition, r.occasion, r.text)
    stored = {
        tuple(row)[1:5]: (row.id, row.text)
        for row in connection.execute(cut.where(r.outcome == "truncated"))
    }
    completed = 0
    for response in responses if stored else ():
        row = attempt_row(response)
        number, text = stored.get(tuple(row[name] for name in KEY), (None, ""))
        if number is None or row["outcome"] == "truncated":
            continue
        if row["text"].startswith(text) and len(row["text"]) > len(text):
            changed = RESPONSES.update().where(r.id == number, r.outcome == "truncated")
            completed += connection.execute(changed.values(row)).rowcount
    return completed


def newest(
    connection: sa.Connection, most: int, answered: int, failed: int
) -> list[dict[str, Any]]:
    """Return the latest answers and failed attempts with item and question, the newest first."""
    events: list[dict[str, Any]] = []
    i, first = ITEMS.c, sa.func.min
    for table, after in ((RESPONSES, answered), (FAILURES, failed)):
        c = table.c
        what = c.id, c.examinee, c.condition, c.occasion, c.text, c.outcome, c.detail
        texts = sa.select(first(i.id).label("item"), first(i.question).label("question"))
        rows = sa.select(*what, c.item_hash, c.created).where(c.id > after)
        rows = rows.order_by(c.id.desc()).limit(most)
        for row in connection.execute(rows).mappings():
            item = texts.where(i.content_hash == row["item_hash"])
            named = connection.execute(item).mappings().one()
            labels = {"item": named["item"] or "", "question": named["question"] or ""}
            events.append({**row, **labels, "failed": table is FAILURES})
    return sorted(events, key=lambda event: event["created"], reverse=True)[:most]


def administered(connection: sa.Connection, examinee: str | None) -> pd.DataFrame:
    """Return the items that were given to each examinee under each condition."""
    who, what = CAMPAIGNS.c, BANK_ITEMS.c
    runs = sa.select(who.examinee, who.condition, who.digest).order_by(who.id)
    runs = runs if examinee is None else runs.where(who.examinee == examinee)
    given = list(dict.fromkeys(map(tuple, connection.execute(runs))))
    item = what.content_hash, what.id, what.benchmark
    banks = sa.select(what.digest, *item).order_by(*BANK_ITEMS.primary_key)
    items_of_bank: dict[str, list[int]] = {digest: [] for _, _, digest in given}
    numbers: dict[tuple[Any, ...], int] = {}
    for digest, *key in connection.execute(banks.where(what.digest.in_(list(items_of_bank)))):
        items_of_bank[digest].append(numbers.setdefault(tuple(key), len(numbers)))
    # Banks of one run overlap: an item of several of them is given once.
    items_of_run: dict[tuple[str, str], set[int]] = {}
    runs_of_rows: list[int] = []
    items_of_rows: list[int] = []
    for run, (name, condition, digest) in enumerate(given):
        before = items_of_run.setdefault((name, condition), set())
        new = [number for number in items_of_bank[digest] if number not in before]
        before.update(new)
        runs_of_rows += [run] * len(new)
        items_of_rows += new
    names = typed_frame([one[:2] for one in given], [who.examinee, who.condition])
    items = typed_frame(list(numbers), item)
    parts = names.take(runs_of_rows), items.take(items_of_rows)
    return pd.concat([part.reset_index(drop=True) for part in parts], axis=1)


def samples(connection: sa.Connection) -> list[RenderedItem]:
    """Return one rendered item per task, in the order of tasks."""
    s = SAMPLES.c
    contents: dict[tuple[str, str, str], list[Segment]] = {}
    for row in connection.execute(sa.select(SAMPLES).order_by(s.benchmark, s.task, s.position)):
        part = row.text if row.image is None else Image(row.image, row.path)
        contents.setdefault((row.item_id, row.benchmark, row.task), []).append(part)
    return [RenderedItem(*key, tuple(parts)) for key, parts in contents.items()]


def with_label_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table of items with a column per label, and lists in place of their JSON."""
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
