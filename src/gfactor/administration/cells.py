"""Asking one examinee the items of several banks under several conditions at once."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial

from gfactor.administration.asking import Asking, Kept, Progress
from gfactor.administration.claims import Claims, Question, Tell
from gfactor.administration.condition import Condition
from gfactor.administration.journal import Journal
from gfactor.administration.materials import Materials
from gfactor.administration.order import keyed_order
from gfactor.administration.registration import register_bank
from gfactor.administration.rows import Key
from gfactor.administration.runner import RunResult, check_images, missing_keys, questions_of
from gfactor.examinees import Examinee
from gfactor.items import ItemBank


@dataclass(frozen=True)
class Cell:
    """A bank under a condition.

    Parameters
    ----------
    condition: with the fingerprints of its materials (`Materials.stamped`).
    occasions: how often each item is to be answered in all.
    """

    bank: ItemBank
    condition: Condition
    materials: Materials
    occasions: int = 1


async def administer_cells(
    examinee: Examinee,
    cells: Sequence[Cell],
    journal: Journal,
    seed: int = 0,
    *,
    progress: Progress | None = None,
    tell: Tell | None = None,
    kept: Kept | None = None,
) -> RunResult:
    """Have an examinee answer what it has not answered yet of all cells.

    As `runner.administer`, with the same claims, so that any number of processes share the work.
    Conditions take turns. Under each, the banks' items come in one random order, so that whoever
    stops early has asked about the same share of every bank, the same items under every condition,
    and of an item all occasions.

    Parameters
    ----------
    seed: of the order.
    kept: called with responses when they are stored.

    Raises what `runner.administer` raises. The examinee stays open.
    """
    started = time.perf_counter()
    if not getattr(examinee, "reads", True):
        cells = [
            replace(c, materials=replace(c.materials, packs=c.materials.packs.for_nobody()))
            for c in cells
        ]
    by_condition: dict[str, list[OpenCell]] = defaultdict(list)
    for cell in cells:
        one = OpenCell.of(cell, examinee, journal)
        by_condition[cell.condition.key].append(one)
    asking = Asking(examinee, journal, progress, kept=kept)
    at_once = max(1, math.ceil(examinee.in_flight / len(by_condition)))
    async with AsyncExitStack() as stack:
        claims: list[Claims] = []
        for condition, parts in by_condition.items():
            keys, put = in_turn(parts, seed), partial(OpenCell.questions, parts)
            how = condition, keys, put, at_once, tell, progress
            claims.append(await stack.enter_async_context(Claims(journal, examinee.name, *how)))
        await asking.ask(*claims)
    wanted = sum(len(cell.bank) * cell.occasions for cell in cells)
    elsewhere = sum(one.elsewhere for one in claims)
    in_vain = sum(one.failed_elsewhere for one in claims)
    return RunResult(
        examinee.name, asking.asked, asking.failed, wanted - asking.asked - elsewhere - in_vain,
        time.perf_counter() - started, asking.detail, getattr(examinee, "notes", ()), elsewhere,
        in_vain,
    )  # fmt: skip


@dataclass(frozen=True)
class OpenCell:
    """A cell, and what is missing of it: key to item id."""

    cell: Cell
    missing: Mapping[Key, str]

    @classmethod
    def of(cls, cell: Cell, examinee: Examinee, journal: Journal) -> OpenCell:
        """What an examinee has still to answer of a cell, which is noted in the journal."""
        bank, condition, frame = cell.bank, cell.condition, cell.bank.frame()
        register_bank(
            journal, bank, examinee.name, condition, cell.occasions, cell.materials, frame
        )
        answered = journal.answered(examinee.name, condition.key)
        missing = missing_keys(frame, answered, cell.occasions)
        check_images(bank, missing, examinee, condition, cell.materials)
        return cls(cell, missing)

    @staticmethod
    def questions(parts: Sequence[OpenCell], keys: Sequence[Key]) -> Iterator[Question]:
        """The questions of keys, banks in turn."""
        per_bank: list[Iterator[Question]] = []
        left = set(keys)
        for part in parts:
            wanted = {key: part.missing[key] for key in keys if key in left and key in part.missing}
            left -= wanted.keys()
            if wanted:
                cell = part.cell
                per_bank.append(questions_of(cell.bank, wanted, cell.condition, cell.materials))
        while per_bank:
            for questions in list(per_bank):
                question = next(questions, None)
                if question is None:
                    per_bank.remove(questions)
                else:
                    yield question


def in_turn(parts: Iterable[OpenCell], seed: int) -> list[Key]:
    """What is missing of several banks, each spread evenly over the whole order."""
    rank: dict[Key, tuple[float, int]] = {}
    for number, part in enumerate(parts):
        order = keyed_order(part.cell.bank.frame()["content_hash"], seed)
        share = {h: (k + 0.5) / len(order) for k, h in enumerate(order)}
        for item_hash, occasion in part.missing:
            rank.setdefault((item_hash, occasion), (share[item_hash], number))
    return sorted(rank, key=lambda key: (*rank[key], key))
