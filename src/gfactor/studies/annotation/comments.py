"""Comments on items and responses, with author and time: entries of the history."""

from __future__ import annotations

import json

import pandas as pd

from gfactor.studies.annotation.project import Project
from gfactor.studies.annotation.store import AnnotationStore, HistoryEntry

LONGEST = 5_000
"""Largest number of characters of a comment."""


def add_comment(store: AnnotationStore, unit: str, who: str, text: str) -> bool:
    """Add a comment on an item (its id) or a response (its number as text); return False for an
    empty one."""
    comment = text.strip()[:LONGEST]
    if comment:
        store.add(unit, who, "comment", json.dumps({"text": comment}, ensure_ascii=False))
    return bool(comment)


def comments_on(
    store: AnnotationStore, unit: str, only: str = ""
) -> list[tuple[HistoryEntry, str]]:
    """Return comments on an item or response with their texts, oldest first; `only` selects those
    of one person."""
    return [
        (entry, json.loads(entry.content)["text"])
        for entry in store.history(unit)
        if entry.kind == "comment" and only in ("", entry.annotator)
    ]


def comments_table(project: Project) -> pd.DataFrame:
    """Return a row per comment: `on` ("item" or "response"), `response` (its number, "" for items),
    `item`, `annotator`, `comment`, `created`."""
    store = project.store()
    try:
        item_of = dict(zip(store.responses()["id"], store.responses()["item"], strict=True))
        rows = []
        for entry in store.history():
            if entry.kind != "comment":
                continue
            on_item = entry.item in project.bank
            rows.append({
                "on": "item" if on_item else "response",
                "response": "" if on_item else entry.item,
                "item": entry.item if on_item else item_of[int(entry.item)],
                "annotator": entry.annotator,
                "comment": json.loads(entry.content)["text"],
                "created": entry.created,
            })  # fmt: skip
    finally:
        store.close()
    columns = ["on", "response", "item", "annotator", "comment", "created"]
    return pd.DataFrame(rows, columns=columns)
