"""What an examinee has still to be asked of a bank: checked, registered and rendered once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from gfactor.administration.claims import Question
from gfactor.administration.condition import Condition
from gfactor.administration.journal import Journal
from gfactor.administration.materials import Materials
from gfactor.administration.registration import register_bank
from gfactor.administration.rendering import render
from gfactor.administration.rows import Key
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee, RenderedItem
from gfactor.examinees.image_limits import ImageLimit
from gfactor.items import ItemBank

KEPT_BYTES = 256 * 2**20
"""Bytes of images up to which items that were rendered to be checked wait to be asked; the others
are rendered again."""

MOST_QUESTIONS = 10**8
"""Items times occasions that one examinee can be asked under one condition in one call."""


@dataclass(frozen=True)
class Questions:
    """The items of a bank as one examinee is asked them under one condition.

    Parameters
    ----------
    condition : Condition
        With the fingerprints of its materials.
    hashes : tuple of str
        Of the items, in the bank's order; each once.
    missing : dict
        Keys that the journal has no answer of when the run begins, with an item's id; one id where
        several items ask the same.
    """

    bank: ItemBank
    condition: Condition
    materials: Materials
    hashes: tuple[str, ...]
    missing: dict[Key, str]
    _checked: dict[str, RenderedItem] = field(default_factory=dict)

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
        """Check that all that is missing can be asked, then note the campaign in the journal.

        `room` is in bytes, `KEPT_BYTES` by default.

        Raises ParameterError for no occasion, materials that do not fit the condition and images
        that the examinee's server would refuse; nothing is noted then.
        """
        condition = materials.stamped(condition)
        if not getattr(examinee, "reads", True):
            materials = replace(materials, packs=materials.packs.for_nobody())
        frame = bank.frame()
        answered = journal.answered(examinee.name, condition.key)
        missing = missing_keys(frame, answered, occasions)
        hashes = tuple(dict.fromkeys(frame["content_hash"].tolist()))
        asked = cls(bank, condition, materials, hashes, missing)
        asked._check_images(examinee, KEPT_BYTES if room is None else room)
        register_bank(journal, bank, examinee.name, condition, occasions, materials, frame)
        return asked

    def put(self, keys: Sequence[Key]) -> Iterator[Question]:
        """Render the items of some of the missing keys, each item once for all its occasions."""
        occasions: dict[str, list[Key]] = {}
        for key in keys:
            occasions.setdefault(self.missing[key], []).append(key)
        for item_id, rendered in self._rendered(list(occasions)):
            for item_hash, occasion in occasions[item_id]:
                yield rendered, item_hash, occasion

    def _rendered(self, ids: Sequence[str]) -> Iterator[tuple[str, RenderedItem]]:
        others = iter(self.bank.select([one for one in ids if one not in self._checked]))
        for item_id in ids:
            if item_id in self._checked:
                yield item_id, self._checked.pop(item_id)
            else:
                yield item_id, render(next(others), self.condition, self.materials)

    def _check_images(self, examinee: Examinee, room: int) -> None:
        """Refuse, before anything is asked, images that the examinee's server would refuse."""
        if getattr(examinee, "image_limit", None) is None:
            return
        for item in self.bank.select(list(self.missing.values())):
            rendered = render(item, self.condition, self.materials)
            check_images_of(rendered, examinee)
            room -= sum(len(image.data) for image in rendered.images)
            if room >= 0:
                self._checked[item.id] = rendered


def missing_keys(frame: pd.DataFrame, answered: Iterable[Key], occasions: int) -> dict[Key, str]:
    """The keys that are to be asked, with an item's id; one id where several ask the same.

    `frame` is what `ItemBank.frame` gives. Of what is answered a byte is kept, not the key.

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
    known = np.zeros((len(hashes), occasions), dtype=bool)
    for content_hash, occasion in answered:
        row = rows.get(content_hash)
        if row is not None and occasion < occasions:
            known[row, occasion] = True
    return {(hashes[row], occasion): ids[row] for row, occasion in np.argwhere(~known).tolist()}


def check_images_of(item: RenderedItem, examinee: Examinee) -> None:
    """Raise ParameterError for an image that the examinee's server would refuse."""
    limit: ImageLimit | None = getattr(examinee, "image_limit", None)
    if limit is None:
        return
    for image in item.images:
        if flaw := limit.exceeded(image):
            raise ParameterError(
                f"item {item.item_id!r}: its image {image.path!r} {flaw}, the most that "
                f"{examinee.name} takes; give --image-limit {limit}:downscale to have such "
                "images scaled down, or leave the item out"
            )
