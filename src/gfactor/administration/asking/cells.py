"""Asking one examinee the items of several banks under several conditions at once."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial

from gfactor.administration.asking.concurrent import Asking, OnStored, Progress
from gfactor.administration.asking.order import keyed_order
from gfactor.administration.asking.questions import KEPT_BYTES, Questions
from gfactor.administration.asking.runner import RunResult
from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.sharing.claims import Claims, DrawnItem, Tell
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import Key
from gfactor.examinees import Examinee
from gfactor.items import ItemBank


@dataclass(frozen=True)
class BankCell:
    """A bank under a condition.

    Parameters
    ----------
    condition: condition with the fingerprints of its materials (`Materials.stamped`).
    occasions: total number of answers per item.
    """

    bank: ItemBank
    condition: Condition
    materials: Materials
    occasions: int = 1


async def administer_cells(
    examinee: Examinee,
    cells: Sequence[BankCell],
    journal: Journal,
    seed: int = 0,
    *,
    progress: Progress | None = None,
    tell: Tell | None = None,
    on_stored: OnStored | None = None,
) -> RunResult:
    """Have an examinee answer its unanswered questions of all cells.

    As `runner.administer`, with the same claims, so that any number of processes share the work.
    Conditions take turns. Under each, the items of the banks have one random order. A run that
    stops early has therefore asked about the same share of every bank, the same items under every
    condition, and all occasions of an item.

    Parameters
    ----------
    seed: seed of the order.
    on_stored: called with responses when they are stored.

    Raises what `runner.administer` raises. The examinee stays open.
    """
    started = time.perf_counter()
    by_condition = prepared(cells, examinee, journal)
    asking = Asking(examinee, journal, progress, on_stored=on_stored)
    at_once = max(1, math.ceil(examinee.in_flight / len(by_condition)))
    async with AsyncExitStack() as stack:
        claims: list[Claims] = []
        for condition, parts in by_condition.items():
            keys, put = in_turn(parts, seed), partial(questions_of, parts)
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


def prepared(
    cells: Sequence[BankCell], examinee: Examinee, journal: Journal
) -> dict[str, list[Questions]]:
    """Return the unanswered questions of an examinee by the condition's key, and note them in the
    journal.
    """
    room = KEPT_BYTES // max(1, len(cells))
    by_condition: dict[str, list[Questions]] = defaultdict(list)
    for c in cells:
        how = c.condition, c.occasions, c.materials, room
        one = Questions.prepare(c.bank, examinee, journal, *how)
        by_condition[one.condition.key].append(one)
    return by_condition


def questions_of(parts: Sequence[Questions], keys: Sequence[Key]) -> Iterator[DrawnItem]:
    """Yield the questions of keys, banks in the order of the keys."""
    of_part: list[list[Key]] = [[] for _ in parts]
    turns: list[int] = []
    for key in keys:
        turns.append(next(n for n, part in enumerate(parts) if key in part.missing))
        of_part[turns[-1]].append(key)
    put = [part.put(wanted) for part, wanted in zip(parts, of_part, strict=True)]
    for n in turns:
        yield next(put[n])


def in_turn(parts: Iterable[Questions], seed: int) -> list[Key]:
    """Order the missing questions of several banks so that each bank is spread evenly."""
    rank: dict[Key, tuple[float, int]] = {}
    for number, part in enumerate(parts):
        order = keyed_order(part.hashes, seed)
        share = {h: (k + 0.5) / len(order) for k, h in enumerate(order)}
        for item_hash, occasion in part.missing:
            rank.setdefault((item_hash, occasion), (share[item_hash], number))
    return sorted(rank, key=lambda key: (*rank[key], key))
