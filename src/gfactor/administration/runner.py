"""Asking an examinee every item of a bank, as often as wanted, and losing nothing."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pandas as pd

from gfactor.administration.asking import Asking, Progress, Question
from gfactor.administration.condition import Condition
from gfactor.administration.journal import Journal
from gfactor.administration.materials import Materials
from gfactor.administration.registration import register_bank
from gfactor.administration.rendering import render
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee
from gfactor.examinees.image_limits import ImageLimit
from gfactor.items import ItemBank


@dataclass(frozen=True)
class RunResult:
    """What a call of the runner did.

    Parameters
    ----------
    examinee: canonical name.
    asked: items times occasions asked in this call; `failed` of them came to nothing.
    known: those that were not asked, because the journal had the answer or because another item
        of the bank asks exactly the same.
    seconds: wall time.
    detail: why the last failed attempt failed, "" where none did.
    notes: what else the examinee says of this run, a sentence each: parameters of the condition
        that its model refuses.
    """

    examinee: str
    asked: int
    failed: int
    known: int
    seconds: float
    detail: str = ""
    notes: tuple[str, ...] = ()


def run(
    bank: ItemBank,
    examinee: Examinee,
    journal: Journal,
    condition: Condition | None = None,
    occasions: int = 1,
    progress: Progress | None = None,
    materials: Materials | None = None,
) -> RunResult:
    """`administer` for callers without an event loop of their own; closes the examinee."""

    async def work() -> RunResult:
        try:
            return await administer(
                bank, examinee, journal, condition, occasions, progress, materials
            )
        finally:
            await examinee.close()

    return asyncio.run(work())


async def administer(
    bank: ItemBank,
    examinee: Examinee,
    journal: Journal,
    condition: Condition | None = None,
    occasions: int = 1,
    progress: Progress | None = None,
    materials: Materials | None = None,
) -> RunResult:
    """Have an examinee answer what it has not answered yet.

    Keys (examinee, item hash, condition, occasion) that the journal holds are never asked again;
    failed attempts are. Items are read as they are needed, at most `examinee.in_flight` are being
    asked, and every reply is stored before the next item is asked in its place. Where another
    process turns out to be answering the same keys, this one goes on elsewhere in the bank and
    leaves out what the other has answered.

    Parameters
    ----------
    condition: how items are put; the default condition where None.
    occasions: how often each item is to be answered in all.
    progress: called while answers come in.
    materials: what the condition needs beside the items; their fingerprints become part of it.

    Raises ParameterError for no occasion, for materials that do not fit the condition and for
    images larger than an examinee's `image_limit`,
    JournalError where the journal fails, and whatever GfactorError the examinee raises; anything
    else it raises is a failed attempt.
    """
    if occasions < 1:
        raise ParameterError(f"occasions must be 1 or more, got {occasions}")
    materials, started = materials or Materials(), time.perf_counter()
    condition = materials.stamped(condition or Condition())
    if not getattr(examinee, "reads", True):
        materials = replace(materials, packs=materials.packs.for_nobody())
    frame = bank.frame()
    register_bank(journal, bank, examinee.name, condition, occasions, materials, frame)
    asking = Asking(examinee, journal, condition.key, progress, sharing=True)
    answered = journal.answered(examinee.name, condition.key)
    missing = missing_occasions(frame, answered, occasions)
    _check_images(bank, missing, examinee, condition, materials)
    while missing:
        await asking.ask(_questions(bank, missing, condition, materials))
        if not asking.met:
            break
        answered = journal.answered(examinee.name, condition.key) | asking.failed
        missing = _from_elsewhere(missing_occasions(frame, answered, occasions))
    return RunResult(
        examinee.name,
        asking.asked,
        len(asking.failed),
        len(bank) * occasions - asking.asked,
        time.perf_counter() - started,
        asking.detail,
        getattr(examinee, "notes", ()),
    )


def ask(
    questions: Iterator[Question],
    examinee: Examinee,
    journal: Journal,
    condition: str,
    progress: Progress | None = None,
) -> RunResult:
    """Ask what is given, whatever the journal holds, and keep the replies; closes the examinee.

    `condition` is the key under which replies are kept. For questions that are no items of a bank;
    `run` administers banks.
    """
    started = time.perf_counter()

    async def work() -> Asking:
        asking = Asking(examinee, journal, condition, progress)
        try:
            await asking.ask(questions)
        finally:
            await examinee.close()
        return asking

    asking = asyncio.run(work())
    seconds = time.perf_counter() - started
    notes = getattr(examinee, "notes", ())
    failed = len(asking.failed)
    return RunResult(examinee.name, asking.asked, failed, 0, seconds, asking.detail, notes)


def missing_occasions(
    frame: pd.DataFrame, answered: set[tuple[str, int]], occasions: int
) -> dict[str, list[int]]:
    """The occasions on which items (by id) are to be asked; one id where several ask the same.

    `frame` is what `ItemBank.frame` gives.
    """
    seen: set[str] = set()
    missing: dict[str, list[int]] = {}
    hashes = frame["content_hash"].to_numpy(dtype=object)
    for content_hash, item_id in zip(hashes, frame["id"].to_numpy(dtype=object), strict=True):
        if content_hash in seen:
            continue
        seen.add(content_hash)
        left = [k for k in range(occasions) if (content_hash, k) not in answered]
        if left:
            missing[item_id] = left
    return missing


def _check_images(
    bank: ItemBank,
    missing: dict[str, list[int]],
    examinee: Examinee,
    condition: Condition,
    materials: Materials,
) -> None:
    """Refuse, before anything is asked, images that the examinee's server would refuse."""
    limit: ImageLimit | None = getattr(examinee, "image_limit", None)
    if limit is None:
        return
    for item in bank.select(list(missing)):
        for image in render(item, condition, materials).images:
            if flaw := limit.exceeded(image):
                raise ParameterError(
                    f"item {item.id!r}: its image {image.path!r} {flaw}, the most that "
                    f"{examinee.name} takes; give --image-limit {limit}:downscale to have such "
                    "images scaled down, or leave the item out"
                )


def _from_elsewhere(missing: dict[str, list[int]]) -> dict[str, list[int]]:
    """The same, in an order that starts at another place for every process.

    Processes that go through a bank side by side would go on asking the same items; multiples of
    the golden ratio set those with neighboring numbers far apart.
    """
    start = int(os.getpid() * 0.6180339887498949 % 1 * len(missing))
    ids = list(missing)
    return {item_id: missing[item_id] for item_id in ids[start:] + ids[:start]}


def _questions(
    bank: ItemBank, missing: dict[str, list[int]], condition: Condition, materials: Materials
) -> Iterator[Question]:
    for item in bank.select(list(missing)):
        rendered = render(item, condition, materials)
        for occasion in missing[item.id]:
            yield rendered, item.provenance.content_hash, occasion
