"""Upheld challenges: keys with another right answer, and void items, which count for nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from gfactor.items import Answer, Item
from gfactor.scoring.questions import question_about
from gfactor.scoring.replies import read_reply
from gfactor.studies.questionnaires.pages.marking import mark

VERDICTS: Mapping[str, str] = {
    "accept": "Upheld: this answer is right, too",
    "void": "Upheld: the item counts for nobody, and everybody is paid for it",
    "reject": "Rejected",
}
"""Decisions of the owner on a challenge."""


def answer_in(item: Item, text: str) -> Answer | None:
    """Parse the answer in a stored text; return None for an answer that cannot be accepted as
    right, such as an unfinished one at the end of the time."""
    read = read_reply(text, "ok", question_about(item, "default")).lenient if text else None
    return read.answer if read and read.has_answer else None


class Rulings:
    """The rulings of a study, applied to everybody who had the item.

    Parameters
    ----------
    rows: rows of the table of rulings.
    item: function from an id to the item.
    """

    def __init__(self, rows: Iterable[Mapping[str, str]], item: Callable[[str], Item]) -> None:
        self._item = item
        answers: dict[str, list[str]] = {}
        for row in rows:
            answers.setdefault(row["item"], []).append(row["answer"])
        self.void = frozenset(name for name, texts in answers.items() if "" in texts)
        self.items = frozenset(answers)
        self._items = {name: self._corrected(name, texts) for name, texts in answers.items()}

    def _corrected(self, item_id: str, texts: list[str]) -> Item:
        item = self._item(item_id)
        read = (answer_in(item, text) for text in texts)
        more = [answer for answer in read if answer is not None]
        return replace(item, accepted=(*item.accepted, *more))

    def of(self, item_id: str) -> Item:
        """Return the item with all its right answers."""
        return self._items.get(item_id) or self._item(item_id)

    def applied(self, rows: Iterable[Mapping[Any, Any]]) -> list[dict[str, Any]]:
        """Return answers (rows of the table of answers) with their points by the rulings, and
        `void`, True if the item counts for nobody; all answers then earn the possible points."""
        return [self._applied(dict(row)) for row in rows]

    def apply(self, answers: pd.DataFrame) -> pd.DataFrame:
        """Return the table of answers with their points by the rulings, and the column `void`."""
        rows = self.applied(answers.to_dict("records"))
        names = ("earned", "right", "void")
        return answers.assign(**{name: [row[name] for row in rows] for name in names})

    def _applied(self, row: dict[str, Any]) -> dict[str, Any]:
        void = row["kind"] == "item" and row["item"] in self.void
        if void:
            return {**row, "earned": row["possible"], "right": True, "void": True}
        if row["kind"] == "item" and row["item"] in self._items:
            marked = mark(self._items[row["item"]], row["text"], None)
            return {**row, "earned": marked.earned, "right": marked.right, "void": False}
        return {**row, "void": False}
