"""Questions of a bank that an examinee has still to answer: checked, registered, rendered once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
import pandas as pd

from gfactor.administration.asking.registration import register_bank
from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.presenting.rendering import render, render_plain
from gfactor.administration.sharing.claims import DrawnItem
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import Key
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee, RenderedItem
from gfactor.examinees.image_limits import check_images
from gfactor.items import ItemBank, LabelValue

T = TypeVar("T")

KEPT_BYTES = 256 * 2**20
"""Largest number of bytes of images of items that stay rendered after the check; other items are
rendered again."""

MOST_QUESTIONS = 10**8
"""Largest number of questions (items times occasions) of a call for one examinee and condition."""


def check_accepted(examinee: Examinee, condition: Condition) -> None:
    """Raise ParameterError if the model is known to refuse a parameter of the condition."""
    check_decoding = getattr(examinee, "check_decoding", None)
    if check_decoding is not None:
        check_decoding(dict(condition.decoding))


@dataclass(frozen=True)
class Questions:
    """The questions of a bank for one examinee under one condition.

    Parameters
    ----------
    condition : Condition
        Condition with the fingerprints of its materials.
    hashes : tuple of str
        Hashes of the items, in the bank's order; each once.
    missing : dict
        Keys without an answer in the journal when the run begins, with an item's id; one id if
        several items ask the same.
    """

    bank: ItemBank
    condition: Condition
    materials: Materials
    hashes: tuple[str, ...]
    missing: dict[Key, str]
    _ready: dict[str, RenderedItem] = field(default_factory=dict)
    _last: dict[str, RenderedItem] = field(default_factory=dict)

    @classmethod
    def prepare(
        cls,
        bank: ItemBank,
        examinee: Examinee,
        journal: Journal,
        condition: Condition,
        occasions: int,
        materials: Materials,
        room: int | None = None,
    ) -> Questions:
        """Check that all missing questions can be asked, then note the campaign in the journal.

        `room` is in bytes, `KEPT_BYTES` by default.

        Raises ParameterError for no occasion, materials that do not fit the condition, parameters
        that the model is known to refuse and images that its server would refuse; nothing is noted
        then.
        """
        condition = materials.stamped(condition)
        check_accepted(examinee, condition)
        if not getattr(examinee, "reads", True):
            materials = replace(materials, packs=materials.packs.for_nobody())
        frame = bank.frame()
        answered = journal.answered(examinee.name, condition.key)
        missing = missing_keys(frame, answered, occasions)
        hashes = tuple(dict.fromkeys(frame["content_hash"].tolist()))
        # A view of its own, because another examinee may read other parts meanwhile.
        questions = cls(bank.select(bank.ids), condition, materials, hashes, missing)
        sampled = samples_for(journal, bank)
        samples = questions._samples(sampled)
        questions._check_images(examinee, KEPT_BYTES if room is None else room)
        register_bank(journal, bank, examinee.name, condition, occasions, materials, frame, samples)
        return questions

    def put(self, keys: Sequence[Key]) -> Iterator[DrawnItem]:
        """Render the items of some of the missing keys, each item once for all its occasions."""
        occasions: dict[str, list[Key]] = {}
        for key in keys:
            occasions.setdefault(self.missing[key], []).append(key)
        for item_id, rendered in self._rendered(list(occasions)):
            for item_hash, occasion in occasions[item_id]:
                yield rendered, item_hash, occasion

    def _rendered(self, ids: Sequence[str]) -> Iterator[tuple[str, RenderedItem]]:
        # The occasions of an item may be divided between two calls, so the last rendered item is
        # kept.
        ready = {one: self._last[one] for one in ids if one in self._last}
        self._last.clear()
        ready |= {one: self._ready.pop(one) for one in ids if one in self._ready}
        others = self.bank.items([one for one in ids if one not in ready])
        for number, item_id in enumerate(ids, 1):
            rendered = ready.pop(item_id, None)
            if rendered is None:
                rendered = render(next(others), self.condition, self.materials)
            if number == len(ids):
                self._last[item_id] = rendered
            yield item_id, rendered

    def _samples(self, ids: Sequence[str]) -> list[RenderedItem]:
        """Return items unchanged, whatever the condition; an item that the condition does not
        change stays rendered."""
        if self.condition.rewords:
            items = self.bank.items(ids)
            return [render_plain(item, self.condition, self.materials) for item in items]
        rendered = dict(self._rendered(ids))
        waiting = set(ids).intersection(self.missing.values())
        self._ready.update((one, rendered[one]) for one in ids if one in waiting)
        return list(rendered.values())

    def _check_images(self, examinee: Examinee, room: int) -> None:
        """Refuse, before anything is asked, images that the examinee's server would refuse."""
        if getattr(examinee, "image_limit", None) is None:
            return
        samples = set(self._ready)
        for item_id, rendered in self._rendered(list(dict.fromkeys(self.missing.values()))):
            check_images(rendered, examinee)
            room -= sum(len(image.data) for image in rendered.images)
            if room >= 0 or item_id in samples:
                self._ready[item_id] = rendered


def samples_for(journal: Journal, bank: ItemBank) -> list[str]:
    """Return the ids of sample items, for tasks of a bank that have no sample in the journal
    yet."""
    if bank.scene_digest in {campaign["digest"] for campaign in journal.meta()["campaigns"]}:
        return []
    stored = {sample.task for sample in journal.samples()}
    chosen = {one for task, one in middle_items(bank).items() if task not in stored}
    # In the bank's order, in which its file is read once.
    return [one for one in bank.ids if one in chosen]


def middle_items(bank: ItemBank) -> dict[str, str]:
    """Return for each task the id of its first item of middle size, which is neither trivial nor
    crowded."""
    return middle_of(bank.labels().items())


def middle_of(labeled: Iterable[tuple[T, Mapping[str, LabelValue]]]) -> dict[str, T]:
    """Return for each task the first item (or name) of middle size among items with labels."""
    by_task: dict[str, list[tuple[int, T]]] = {}
    for item_id, labels in labeled:
        size = labels.get("size", 0)
        task = str(labels.get("domain", ""))
        by_task.setdefault(task, []).append((size if isinstance(size, int) else 0, item_id))
    chosen = {}
    for task, items in by_task.items():
        sizes = sorted(size for size, _ in items)
        middle = sizes[(len(sizes) - 1) // 2]
        chosen[task] = next(item_id for size, item_id in items if size == middle)
    return chosen


def missing_keys(frame: pd.DataFrame, answered: Iterable[Key], occasions: int) -> dict[Key, str]:
    """Return the keys to ask, each with an item's id; identical items have one key.

    `frame` is the result of `ItemBank.frame`. Memory holds one byte for an answered key instead of
    the key.

    Raises ParameterError for no occasion and for more than `MOST_QUESTIONS`.
    """
    if occasions < 1:
        raise ParameterError(f"occasions must be 1 or more, got {occasions}")
    items = frame.drop_duplicates("content_hash")
    hashes, ids = items["content_hash"].tolist(), items["id"].tolist()
    if len(hashes) * occasions > MOST_QUESTIONS:
        raise ParameterError(
            f"{len(hashes):,} items on {occasions:,} occasions are more than {MOST_QUESTIONS:,} "
            "questions for one examinee and condition; ask for fewer occasions or split the bank"
        )
    rows = {content_hash: row for row, content_hash in enumerate(hashes)}
    answered_mask = np.zeros((len(hashes), occasions), dtype=bool)
    for content_hash, occasion in answered:
        row = rows.get(content_hash)
        if row is not None and occasion < occasions:
            answered_mask[row, occasion] = True
    return {
        (hashes[row], occasion): ids[row] for row, occasion in np.argwhere(~answered_mask).tolist()
    }
