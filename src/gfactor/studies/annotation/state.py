"""State of a project, which follows from its history."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from gfactor.studies.annotation.draft import AnnotationDraft
from gfactor.studies.annotation.store import AnnotationStore, HistoryEntry

Status = Literal["open", "half done", "alike", "to adjudicate", "adjudicated"]
GRADES = ("difficulty", "quality")


@dataclass(frozen=True)
class ItemState:
    """An item's annotators, their last drafts, and the final decision."""

    item: str
    assigned: tuple[str, ...]
    drafts: Mapping[str, HistoryEntry]
    adjudication: HistoryEntry | None

    @property
    def status(self) -> Status:
        if self.adjudication is not None and all(
            entry.id < self.adjudication.id for entry in self.drafts.values()
        ):
            return "adjudicated"
        if not self.drafts:
            return "open"
        if not self.all_in:
            return "half done"
        contents = {entry.content for entry in self.drafts.values()}
        return "alike" if len(contents) == 1 else "to adjudicate"

    @property
    def missing(self) -> tuple[str, ...]:
        """The people to whom the item is assigned and who have not drafted it yet."""
        return tuple(name for name in self.assigned if name not in self.drafts)

    @property
    def all_in(self) -> bool:
        """Return True if there are drafts, and all annotators of the item have drafted it."""
        return bool(self.drafts) and not self.missing

    def blind_for(self, name: str, role: str) -> bool:
        """Return True if others' drafts are hidden from a person: from everybody until all drafts
        are complete, and then from annotators to whom the item is not assigned."""
        if not self.all_in:
            return True
        return role != "adjudicator" and name not in self.assigned

    @property
    def final(self) -> HistoryEntry | None:
        """The entry that counts: the adjudication, or a draft that all agree on."""
        if self.status == "adjudicated":
            return self.adjudication
        if self.status == "alike":
            return max(self.drafts.values(), key=lambda entry: entry.id)
        return None


def states(store: AnnotationStore, items: Sequence[str]) -> dict[str, ItemState]:
    """Return the state of every item, in the order given."""
    drafts, words = store.latest("draft"), store.latest("adjudication")
    assigned: dict[str, list[str]] = {}
    for item, name in store.assignments():
        assigned.setdefault(item, []).append(name)
    by_annotator: dict[str, dict[str, HistoryEntry]] = {}
    for (item, name), entry in drafts.items():
        by_annotator.setdefault(item, {})[name] = entry
    last: dict[str, HistoryEntry] = {}
    for (item, _), entry in words.items():
        last[item] = entry  # in the order of the history, so that the last one stays
    return {
        item: ItemState(
            item, tuple(sorted(assigned.get(item, ()))), by_annotator.get(item, {}), last.get(item)
        )
        for item in items
    }


def grades(store: AnnotationStore, what: str) -> pd.DataFrame:
    """Return the independent judgments of annotators, items x annotators, on `difficulty`,
    `quality`, `dropped` or `type`; a grade of 0 means that none was given and is missing.

    An annotator's judgment is the last draft before all drafts of the item were complete, because
    afterwards annotators see each other's. Adjudicators can always see the drafts of items that are
    not assigned to them, so that their drafts of these are not counted.
    """
    rows: dict[str, dict[str, object]] = {}
    for (item, name), entry in independent_drafts(store).items():
        draft = AnnotationDraft.from_json(entry.content)
        value: object
        if what == "dropped":
            value = bool(draft.dropped)
        elif what == "type":
            value = "+".join(sorted(part.answer_type for part in draft.parts))
        else:
            value = getattr(draft, what) or None
        rows.setdefault(item, {})[name] = value
    return pd.DataFrame.from_dict(rows, orient="index")


def independent_drafts(store: AnnotationStore) -> dict[tuple[str, str], HistoryEntry]:
    """Return the last blind draft of every item and annotator."""
    assigned: dict[str, set[str]] = {}
    for item, name in store.assignments():
        assigned.setdefault(item, set()).add(name)
    missing = {item: set(names) for item, names in assigned.items()}
    seeing = {name for name, row in store.annotators().items() if row.role == "adjudicator"}
    independent: dict[tuple[str, str], HistoryEntry] = {}
    for entry in store.history():
        is_assigned = entry.annotator in assigned.get(entry.item, ())
        if entry.kind != "draft" or (entry.annotator in seeing and not is_assigned):
            continue
        is_independent = (entry.item, entry.annotator) in independent
        still_blind = entry.item not in assigned or bool(missing[entry.item])
        if still_blind or not is_independent:
            independent[entry.item, entry.annotator] = entry
        missing.get(entry.item, set()).discard(entry.annotator)
    return independent


def labels(store: AnnotationStore) -> pd.DataFrame:
    """Return the error categories that annotators gave, responses (by number) x annotators; for
    responses with a known category, the one given before it was shown."""
    rows: dict[str, dict[str, str]] = {}
    for (response, name), entry in counted_labels(store).items():
        rows.setdefault(response, {})[name] = json.loads(entry.content)["category"]
    return pd.DataFrame.from_dict(rows, orient="index")


def counted_labels(store: AnnotationStore) -> dict[tuple[str, str], HistoryEntry]:
    """Return the label that counts, by response and annotator: the last one; of responses with a
    known category the first, which was given before the category was shown."""
    counted = store.latest("label")
    gold = {str(number) for number in store.gold()}
    if gold:
        first: dict[tuple[str, str], HistoryEntry] = {}
        for entry in store.history():
            if entry.kind == "label" and entry.item in gold:
                first.setdefault((entry.item, entry.annotator), entry)
        counted |= first
    return counted


def queue(store: AnnotationStore, name: str) -> list[int]:
    """Return the responses in a person's queue, in the order of their numbers: those assigned to
    the person, and all with a known category; all if no response is assigned to anybody."""
    numbers = [int(number) for number in store.responses()["id"]]
    assigned = {(unit, who) for unit, who in store.assignments() if unit.startswith("response:")}
    if not assigned:
        return numbers
    gold = store.gold()
    return [n for n in numbers if n in gold or (f"response:{n}", name) in assigned]


def labels_waiting(store: AnnotationStore, given: set[tuple[str, str]]) -> int:
    """Return the number of missing labels of all people to whom responses are assigned, or, if none
    are assigned, of all who have begun."""
    people = {who for unit, who in store.assignments() if unit.startswith("response:")}
    if not people:
        people = {who for _, who in given}
        return len(store.responses()) * max(1, len(people)) - len(given)
    return sum((str(n), who) not in given for who in people for n in queue(store, who))
