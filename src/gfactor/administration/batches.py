"""Asking an examinee through its vendor's batches: submitted once, collected by whoever comes."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import sqlalchemy as sa

from gfactor.administration.asking import Kept, Progress
from gfactor.administration.cells import Cell, in_turn, prepared, questions_of
from gfactor.administration.claims import Claims, Tell
from gfactor.administration.journal import Journal
from gfactor.administration.ledger import Ledger
from gfactor.administration.questions import Questions
from gfactor.administration.response import Response
from gfactor.administration.rows import Key
from gfactor.administration.runner import RunResult
from gfactor.administration.tables import BATCH_KEYS, BATCHES
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee, RenderedItem, Reply
from gfactor.examinees.http.batches import BatchFormat
from gfactor.examinees.http.limits import CapReachedError
from gfactor.examinees.http.pricing import OUTPUT_TOKENS, Price
from gfactor.examinees.http.tokens import estimate_tokens

_LOCK = "batches"
"""In the place of an item and a condition: who holds this claim submits and collects."""

_MOST_BYTES = 90 * 2**20
"""Images of a batch; vendors take files of 200 to 256 MB, and base64 adds a third."""

_MARGIN = 1.2
"""What is sent may be so many times what was estimated."""

_Key = tuple[str, str, int]
"""Condition, item hash, occasion."""


@dataclass(frozen=True)
class BatchPlan:
    """How batches are made.

    Parameters
    ----------
    api: the vendor's.
    price: of a batch's requests; None where nothing is counted.
    size: requests of a batch at most.
    poll_s: seconds between looks at how far they are.
    """

    api: BatchFormat
    price: Price | None
    size: int = 1000
    poll_s: float = 30.0


@dataclass(frozen=True)
class _Batch:
    token: str
    remote: str
    keys: tuple[_Key, ...]


async def administer_batches(
    examinee: Examinee,
    cells: Sequence[Cell],
    journal: Journal,
    ledger: Ledger,
    plan: BatchPlan,
    seed: int = 0,
    *,
    progress: Progress | None = None,
    tell: Tell | None = None,
    kept: Kept | None = None,
) -> RunResult:
    """Have an examinee answer, in batches, what it has not answered yet of all cells.

    A batch and its keys are noted in the journal before it is submitted, with a token that its
    requests carry. A process that finds a batch without the vendor's id looks for the token there
    before it submits: what was submitted is collected, and never submitted twice. One process at a
    time submits and collects for an examinee; others wait, and take over where it is gone.

    Raises CapReachedError where the budget does not pay for the next batch, ParameterError for
    items that need replies between their turns.
    """
    started = time.perf_counter()
    async with Claims(
        journal, examinee.name, _LOCK, [(_LOCK, 0)], lambda keys: iter([(_NOBODY, *keys[0])]), 1,
        tell,
    ) as lock:  # fmt: skip
        await lock.draw()
        by_condition = prepared(cells, examinee, journal)
        work = _Batches(examinee.name, by_condition, journal, ledger, plan, seed, kept)
        try:
            await work.all(progress or (lambda _: None))
        finally:
            await plan.api.close()
    wanted = sum(len(cell.bank) * cell.occasions for cell in cells)
    return RunResult(
        examinee.name, work.asked, work.failed, wanted - work.asked, time.perf_counter() - started,
        work.detail,
    )  # fmt: skip


_NOBODY = RenderedItem("", "", "", ())


class _Batches:
    """The batches of an examinee, as the one process that looks after them sees them."""

    def __init__(
        self,
        examinee: str,
        by_condition: Mapping[str, Sequence[Questions]],
        journal: Journal,
        ledger: Ledger,
        plan: BatchPlan,
        seed: int,
        kept: Kept | None,
    ) -> None:
        self.asked = self.failed = 0
        self.detail = ""
        self._examinee, self._by_condition = examinee, by_condition
        self._journal, self._ledger, self._plan = journal, ledger, plan
        self._kept = kept or (lambda _: None)
        orders = [[(c, *key) for key in in_turn(parts, seed)] for c, parts in by_condition.items()]
        ranked = [(k / len(order), n, key) for n, order in enumerate(orders)
                  for k, key in enumerate(order)]  # fmt: skip
        self._open = self._stored_batches()
        waiting = {key for batch in self._open for key in batch.keys}
        self._todo: list[_Key] = [key for *_, key in sorted(ranked) if key not in waiting]

    async def all(self, progress: Progress) -> None:
        """Submit what is missing, collect what has ended, until nothing is left."""
        taken = [batch.remote for batch in self._open if batch.remote]
        for number, batch in enumerate(self._open):
            if not batch.remote:
                remote = await self._plan.api.find(batch.token, taken)
                asked = [] if remote else self._rendered(batch.keys)
                self._open[number] = await self._submitted(batch, asked, remote)
        while self._todo or self._open:
            fits = await self._submit_next() if self._todo else True
            if not fits and not self._open:
                raise CapReachedError(
                    f"{self._examinee}: what is left of the budget does not pay for another batch; "
                    "what was answered is kept, raise it to go on"
                )
            if self._todo and fits:
                continue
            progress(await self._collect())
            if self._open:
                await asyncio.sleep(self._plan.poll_s)

    async def _submit_next(self) -> bool:
        """Note a batch, then submit it; a smaller one where the budget wants that. False where it
        pays for none."""
        asked = self._rendered(self._todo[: self._plan.size])
        while len(asked) > 1 and _bytes(asked) > _MOST_BYTES:
            asked = asked[: len(asked) // 2]
        while asked:
            batch = _Batch(secrets.token_hex(12), "", tuple(self._todo[: len(asked)]))
            if self._noted(batch, sum(map(self._most, asked))):
                del self._todo[: len(asked)]
                self._open.append(await self._submitted(batch, asked))
                return True
            asked = asked[: len(asked) // 2]
        return False

    def _noted(self, batch: _Batch, money: float) -> bool:
        created = datetime.now(UTC).isoformat(timespec="milliseconds")
        row = {"token": batch.token, "examinee": self._examinee, "remote": "", "money": money,
               "collected": 0, "created": created}  # fmt: skip
        keys = [
            {"token": batch.token, "number": n, "condition": c, "item_hash": h, "occasion": k}
            for n, (c, h, k) in enumerate(batch.keys)
        ]
        return self._ledger.add_batch(row, keys)

    async def _submitted(
        self, batch: _Batch, asked: Sequence[RenderedItem], remote: str | None = None
    ) -> _Batch:
        """The batch with the vendor's id, which is noted at once."""
        remote = remote or await self._plan.api.submit(batch.token, asked)
        with self._journal.transaction() as connection:
            named = BATCHES.update().where(BATCHES.c.token == batch.token)
            connection.execute(named.values(remote=remote))
        return replace(batch, remote=remote)

    async def _collect(self) -> int:
        """Store the answers of batches that have ended; how many there are."""
        answers = 0
        for batch in list(self._open):
            state = await self._plan.api.progress(batch.remote)
            if not state.ended:
                continue
            replies = await self._plan.api.replies(batch.token, state)
            lost = Reply("", "transport_error", "", detail=f"no result: {state.detail}")
            responses = [
                Response.now(self._examinee, h, c, k, self._paid(replies.get(number, lost)))
                for number, (c, h, k) in enumerate(batch.keys)
            ]
            self._journal.add(responses, claimed=True, batch=batch.token)
            self._open.remove(batch)
            self._kept(responses)
            failed = [r for r in responses if r.failed]
            self.asked += len(responses)
            self.failed += len(failed)
            self.detail = failed[-1].reply.detail if failed else self.detail
            answers += len(responses)
        return answers

    def _paid(self, reply: Reply) -> Reply:
        price = self._plan.price
        return reply if price is None else replace(reply, cost=price.of(reply.usage))

    def _most(self, item: RenderedItem) -> float:
        """The most that a question may cost."""
        if self._plan.price is None:
            return 0.0
        sent = math.ceil(_MARGIN * estimate_tokens(item))
        longest = self._plan.api.wire.longest(item.decoding) or OUTPUT_TOKENS
        return self._plan.price.of({"prompt_tokens": sent, "completion_tokens": longest})

    def _rendered(self, keys: Sequence[_Key]) -> list[RenderedItem]:
        """The questions of keys, in their order."""
        rendered: dict[_Key, RenderedItem] = {}
        for condition, parts in self._by_condition.items():
            wanted: list[Key] = [(h, k) for c, h, k in keys if c == condition]
            for item, item_hash, occasion in questions_of(parts, wanted):
                rendered[condition, item_hash, occasion] = item
        for item in rendered.values():
            if item.earlier:
                raise ParameterError(
                    f"item {item.item_id!r} is put in several turns, each with its reply, and a "
                    "batch has none between; leave presentation=image-per-turn out"
                )
        return [rendered[key] for key in keys]

    def _stored_batches(self) -> list[_Batch]:
        """The batches whose answers are not in."""
        b, k = BATCHES.c, BATCH_KEYS.c
        of_examinee = sa.select(b.token, b.remote).where(
            (b.examinee == self._examinee) & (b.collected == 0)
        )
        with self._journal.transaction() as connection:
            return [
                _Batch(row.token, row.remote, tuple(
                    (key.condition, key.item_hash, key.occasion)
                    for key in connection.execute(
                        sa.select(BATCH_KEYS).where(k.token == row.token).order_by(k.number)
                    )
                ))
                for row in connection.execute(of_examinee.order_by(b.created)).all()
            ]  # fmt: skip


def _bytes(items: Sequence[RenderedItem]) -> int:
    return sum(len(image.data) for item in items for image in item.images)
