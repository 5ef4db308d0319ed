"""Answers of a file to items of a bank and of a journal, each of which has one key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gfactor.administration.imports.base import Answered
from gfactor.administration.storing.keys import Identity, ItemKey, identity_of, key_of
from gfactor.administration.storing.rows import row_of_item
from gfactor.items import Item
from gfactor.results import number_of

Counted = dict[Identity, tuple[str, ItemKey]]
"""The key that counts for each item, and the name of the file that gave it."""


def to_items_of(
    bank: Mapping[str, Item], read: Iterable[Answered], *, any_key: bool
) -> tuple[list[Answered], list[str]]:
    """Return the answers as answers to a bank's items, and sentences about answers without an
    item.

    An item is that of the bank with the same id. A table is named otherwise than a data set of
    another harness, so that an item that is the only one with the part of the id after the last
    slash, and asks the same question, is that item too.
    """
    by_number = _by_number(bank)
    to_items: list[Answered] = []
    unknown: list[str] = []
    other_keys: list[str] = []
    other_options: list[str] = []
    for answered in read:
        item = bank.get(answered.item.id) or _same_question(answered.item, by_number)
        if item is None:
            unknown.append(answered.item.id)
        elif _labels(item) != _labels(answered.item):
            other_options.append(item.id)
        elif not any_key and not _same_target(item, answered.item):
            other_keys.append(item.id)
        else:
            to_items.append(replace(answered, item=item))
    sentences = [
        f"{number_of(len(ids), 'answer')} to items {what}, the first {ids[0]!r}{remedy}"
        for ids, what, remedy in (
            (unknown, "that the bank does not have", _other_ids(bank)),
            (other_options, "that have other options in the bank", ""),
            (
                other_keys,
                "that have another key in the bank",
                "; correct the key that is wrong, or have the bank's keys count with "
                "--replace-keys",
            ),
        )
        if ids
    ]
    return to_items, sentences


def _other_ids(bank: Mapping[str, Item]) -> str:
    """Return the end of a sentence on ids that a bank lacks: how its own look, and a remedy."""
    if not bank:
        return "; the bank has no items"
    return (
        f", while ids of the bank are such as {next(iter(bank))!r}, and no item of the bank has "
        "the number and the question of that one; if they mean the same items, write the bank's "
        "ids and the replies into a table, and use `gfactor import replies`"
    )


def _by_number(bank: Mapping[str, Item]) -> dict[str, Item]:
    """Return the items by the part of their ids after the last slash, if only one has it."""
    numbered: dict[str, list[Item]] = {}
    for item in bank.values():
        numbered.setdefault(item.id.rpartition("/")[2], []).append(item)
    return {number: items[0] for number, items in numbered.items() if len(items) == 1}


def _same_question(item: Item, by_number: Mapping[str, Item]) -> Item | None:
    """Return the item of the bank with the number and the words of an item; None if there is
    none."""
    other = by_number.get(item.id.rpartition("/")[2])
    return other if other is not None and _words(other) == _words(item) else None


def _words(item: Item) -> list[str]:
    """Return the words of a question without its options."""
    return " ".join(part for part in item.content if isinstance(part, str)).split()


def other_items(
    path: Path, stored: Mapping[Identity, ItemKey], read: Iterable[Answered]
) -> list[str]:
    """Return a sentence for every data set in both the file and the journal of which they share no
    item."""
    before: dict[str, set[Identity]] = {}
    now: dict[str, set[Identity]] = {}
    given = (identity_of(row_of_item(answered.item)) for answered in read)
    for sets, identities in ((before, stored), (now, given)):
        for identity in identities:
            sets.setdefault(identity[1].rpartition("/")[0], set()).add(identity)
    return [
        f"{path.name}: none of its {number_of(len(items), 'item')} is among the "
        f"{len(before[name]):,} of {name or 'this benchmark'} that the journal had, so that no "
        f"score on them can be compared; {_difference(items, before[name])}"
        for name, items in now.items()
        if name in before and not items & before[name]
    ]


def _difference(items: set[Identity], before: set[Identity]) -> str:
    """Return in what items of a file and of a journal differ, and what to do."""
    ids = {item_id for _, item_id, _ in items} & {item_id for _, item_id, _ in before}
    if ids:
        return (
            f"{number_of(len(ids), 'id')} of them, such as {min(ids)!r}, stand for other pictures "
            "or texts in the journal; import all files with the same --bank into a new journal"
        )
    return (
        f"if they are the same, their ids differ (the first is {_first(items)!r} here, "
        f"{_first(before)!r} in the journal)"
    )


def _first(identities: Iterable[Identity]) -> str:
    return min(item_id for _, item_id, _ in identities)


def with_one_key(
    path: Path,
    read: Sequence[Answered],
    stored: Mapping[Identity, ItemKey],
    counted: Counted,
    *,
    replace_keys: bool,
    from_bank: bool,
) -> tuple[list[Answered], list[Item], list[str]]:
    """Return the answers whose item has one key here, in earlier files and in the journal.

    Returns them with the items whose keys are to replace those of the journal, and a sentence for
    every source with different keys.
    """
    taken: list[Answered] = []
    corrected: dict[Identity, Item] = {}
    others: dict[str, list[str]] = {}
    for answered in read:
        row = row_of_item(answered.item)
        identity, key = identity_of(row), key_of(row)
        where, before = counted.get(identity) or (_JOURNAL, stored.get(identity, key))
        if before.same_values(key) or (from_bank and before.scores_like(key)):
            counted[identity] = path.name, before
        elif replace_keys and where == _JOURNAL:
            counted[identity] = path.name, key
            corrected[identity] = answered.item
        else:
            first = f"{answered.item.id!r}: {key} here, {before} there"
            others.setdefault(where, []).append(first)
            continue
        taken.append(answered)
    sentences = [
        f"{number_of(len(firsts), 'answer')} to items that have another key in {where}, the first "
        f"{firsts[0]}; {_REMEDY if where == _JOURNAL else _CORRECT}"
        for where, firsts in others.items()
    ]
    return taken, list(corrected.values()), sentences


_JOURNAL = "the journal"
_CORRECT = "correct the file that is wrong, and import all again with --replace-keys"
_REMEDY = "if those here are right, put them in the place of the journal's with --replace-keys"


def _same_target(first: Item, second: Item) -> bool:
    """Return True if the right answers are the same, numbers compared by value."""
    if first.target == second.target:
        return True
    one, other = (key_of(row_of_item(replace(item, accepted=()))) for item in (first, second))
    return one.same_values(other)


def _labels(item: Item) -> list[str]:
    return [choice.label for choice in item.choices]
