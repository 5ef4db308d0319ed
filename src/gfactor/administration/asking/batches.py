"""Questions asked through a vendor's batches: one process submits a batch, any process collects
it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from gfactor.administration.asking.batch_missing import LostBatches
from gfactor.administration.asking.batch_plan import BatchPlan, image_bytes, tokens_of
from gfactor.administration.asking.batch_queue import QueueRoom, named_limit
from gfactor.administration.asking.batch_rows import Batch, BatchKey, stored_batches
from gfactor.administration.asking.batch_storing import BatchStore
from gfactor.administration.asking.batch_trouble import cannot_look, check_overdue
from gfactor.administration.asking.batch_waiting import Waiting
from gfactor.administration.asking.cells import BankCell, in_turn, prepared, questions_of
from gfactor.administration.asking.concurrent import OnStored, Progress
from gfactor.administration.asking.questions import Questions
from gfactor.administration.asking.runner import RunResult
from gfactor.administration.sharing.accounts import NONE
from gfactor.administration.sharing.claims import Claims, Tell
from gfactor.administration.sharing.ledger import Ledger
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import Key
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee, RenderedItem, Reply
from gfactor.examinees.http.answer import AttemptVerdict
from gfactor.examinees.http.batches import BatchProgress
from gfactor.examinees.http.batches.results import lost
from gfactor.examinees.http.calls import (
    BatchGoneError,
    CallFailedError,
    QueueFullError,
    SubmissionLostError,
)
from gfactor.examinees.http.limits import CapReachedError, RunStoppedError
from gfactor.examinees.http.payload import with_note
from gfactor.examinees.http.pricing import LEARNED_FROM

_LOCK = "batches"
"""Name of the claim, in place of an item and a condition, whose owner submits and collects
batches."""

_MOST_LOST = 5
"""Largest number of submissions in a row whose outcome may stay unknown."""

_MOST_TROUBLED = 3
"""Number of batches with unreadable state from which on the server is at fault."""

_MOST_READINGS = 3
"""Number of times that incomplete or unreadable results are fetched, so that answers lost in
transfer are not asked for, and paid for, again."""

_CHECKING_S = 5.0
"""Seconds between looks at a batch that the vendor is checking; the next batch is submitted after
that."""


async def administer_batches(
    examinee: Examinee,
    cells: Sequence[BankCell],
    journal: Journal,
    ledger: Ledger,
    plan: BatchPlan,
    seed: int = 0,
    *,
    progress: Progress | None = None,
    tell: Tell | None = None,
    on_stored: OnStored | None = None,
) -> RunResult:
    """Have an examinee answer, in batches, its unanswered questions of all cells.

    A batch and its keys are noted in the journal before it is submitted, with a token that its
    requests carry. A process that finds a batch without the vendor's id first searches the vendor's
    list for the token, so that a submitted batch is collected and never submitted twice. One
    process at a time submits and collects for an examinee; others wait, and take over if it has
    ended.

    Raises CapReachedError if the budget does not cover the next batch, ParameterError for
    items that need replies between their turns.
    """
    started = time.perf_counter()
    async with Claims(
        journal, examinee.name, _LOCK, [(_LOCK, 0)], lambda keys: iter([(_NOBODY, *keys[0])]), 1,
        tell,
    ) as lock:  # fmt: skip
        await lock.draw()
        by_condition = prepared(cells, examinee, journal)
        work = _Batches(examinee.name, by_condition, journal, ledger, plan, seed, tell, on_stored)
        try:
            await work.all(progress or (lambda _: None))
        finally:
            await plan.api.close()
    wanted = sum(len(cell.bank) * cell.occasions for cell in cells)
    return RunResult(
        examinee.name, work.store.asked, work.store.failed, wanted - work.store.asked,
        time.perf_counter() - started, work.store.detail, getattr(examinee, "notes", ()),
    )  # fmt: skip


_NOBODY = RenderedItem("", "", "", ())


class _Batches:
    """The batches of an examinee in the one process that submits and collects them."""

    def __init__(
        self,
        examinee: str,
        by_condition: Mapping[str, Sequence[Questions]],
        journal: Journal,
        ledger: Ledger,
        plan: BatchPlan,
        seed: int,
        tell: Tell | None,
        on_stored: OnStored | None,
    ) -> None:
        self._examinee, self._by_condition = examinee, by_condition
        self._ledger, self._plan = ledger, plan
        self._waiting = Waiting(examinee, plan.poll_s, tell)
        self.store = BatchStore(
            examinee, journal, ledger, plan.price, plan.budget, on_stored, tell or (lambda _: None)
        )
        self._missing = LostBatches(examinee, plan.search_s, self._waiting.report)
        self._dialect = plan.dialect
        self._first_dialect = self._dialect.current
        self._room = QueueRoom(plan.queue_tokens)
        orders = [[(c, *key) for key in in_turn(parts, seed)] for c, parts in by_condition.items()]
        ranked = [(k / len(order), n, key) for n, order in enumerate(orders)
                  for k, key in enumerate(order)]  # fmt: skip
        stored = stored_batches(journal, examinee, self._first_dialect)
        self._open = [batch for batch in stored if batch.remote]
        for batch in stored:
            if not batch.remote:
                self._missing.add(batch, submitted_here=False)
        in_batches = {key for batch in stored for key in batch.keys}
        self._wanted = {key for *_, key in ranked}
        self._todo: list[BatchKey] = [key for *_, key in sorted(ranked) if key not in in_batches]
        self._next: tuple[tuple[BatchKey, ...], list[RenderedItem]] = ((), [])
        self._tokens: dict[str, int] = {}
        self._checked = {batch.token for batch in self._open}
        """Tokens of batches that the vendor has accepted."""
        self._readings: Counter[str] = Counter()
        """Number of times that results of batches, by token, were read."""
        self._lost = 0
        self._troubled: Mapping[str, RunStoppedError] = {}
        """Errors of batches, by token, whose state could not be read although that of others
        could."""

    async def all(self, progress: Progress) -> None:
        """Submit what is missing, collect what has ended, until nothing is left."""
        while self._todo or self._open or self._missing:
            # Batches that have ended are collected first, so that problems with new batches do not
            # delay them.
            await self._search()
            progress(await self._collect())
            self._waiting.check()
            if not self._todo and not self._open:
                self._missing.check()
            while await self._submit_next():
                pass
            if self._open or self._missing or self._waiting.refusal:
                checked = all(batch.token in self._checked for batch in self._open)
                pause = self._plan.poll_s if checked else min(_CHECKING_S, self._plan.poll_s)
                await asyncio.sleep(pause)

    async def _search(self) -> None:
        """Search for batches whose id never arrived; questions never submitted are asked again."""
        if not self._missing:
            return
        taken = [one.remote for one in self._open]
        located, never = await self._missing.look(self._plan.api, taken)
        for batch, remote in located:
            self._lost = 0
            self._open.append(await self.store.name(batch, remote))
            self._checked.add(batch.token)
        for batch in never:
            await self._ask_again(batch, batch.keys)

    async def _submit_next(self) -> bool:
        """Note a batch, then submit it, if there is room for it; a smaller one if the budget
        requires it. Return True if another may be submitted at once."""
        checking = any(batch.token not in self._checked for batch in self._open)
        if not self._todo or checking or self._waiting.refusal or self._troubled:
            return False
        rendered = self._next_questions()
        if self._ledger.has_cap(self._examinee) and self._plan.must_learn(rendered):
            if self._open or self._missing:
                return False
            rendered = rendered[:LEARNED_FROM]
        waiting = sum(self._tokens_of(batch) for batch in self._open)
        if not self._room.fits(tokens_of(rendered), waiting):
            return False
        money = 0.0
        while rendered:
            keys = tuple(self._todo[: len(rendered)])
            now = datetime.now(UTC)
            money = sum(map(self._plan.most, rendered))
            batch = Batch(secrets.token_hex(12), "", keys, now, self._dialect.current, money)
            if await self.store.note(batch):
                del self._todo[: len(rendered)]
                self._tokens[batch.token] = tokens_of(rendered)
                return await self._submit(batch, rendered)
            rendered = rendered[: len(rendered) // 2]
        if not self._open and not self._missing:
            short = self._ledger.short(self._examinee, money, NONE)
            raise CapReachedError(
                f"{self._examinee}: the budget {' and that '.join(short)} would be exceeded by the "
                f"next question, which may cost {money:.4g} in a batch; all answers so far are "
                "stored; raise it to go on"
            )
        return False

    def _next_questions(self) -> list[RenderedItem]:
        """Return the questions of the next batch: as many as one may hold."""
        keys = tuple(self._todo[: self._plan.size])
        if self._next[0] != keys:
            self._next = keys, self._rendered(keys)
        rendered = self._next[1]
        while len(rendered) > 1 and (
            image_bytes(rendered) > self._plan.api.most_bytes
            or tokens_of(rendered) > self._room.most
        ):
            rendered = rendered[: len(rendered) // 2]
        return rendered

    async def _submit(self, batch: Batch, rendered: Sequence[RenderedItem]) -> bool:
        """Submit a batch; return True if it was accepted. If the outcome is unknown, the batch is
        searched for before anything is sent again."""
        for item in rendered:
            self._dialect.note(batch.dialect, item.decoding)
        try:
            files = self.store.files
            remote = await self._plan.api.submit(batch.token, rendered, batch.dialect, files)
        except QueueFullError as error:
            await self._refuse(batch, str(error), error.wait_s)
            return False
        except SubmissionLostError as error:
            self._lost += 1
            why = {"refused": error.refused, "reason": error.detail}
            self._missing.add(batch, submitted_here=True, **why)
            if self._lost >= _MOST_LOST:
                raise
            return False
        except RunStoppedError:
            # Nothing was created: a file could not be sent, or the vendor refused the batch.
            await self._ask_again(batch, batch.keys)
            raise
        self._lost = 0
        self._open.append(await self.store.name(batch, remote))
        return True

    async def _refuse(self, batch: Batch, reason: str, wait_s: float | None = None) -> None:
        """Put the questions of a batch that the vendor had no room for back; nothing was paid."""
        others = [one for one in self._open if one.token != batch.token]
        waiting = sum(map(self._tokens_of, others))
        tokens, limit = self._tokens_of(batch), named_limit(reason)
        self._room.refuse(reason, tokens, waiting)
        if len(batch.keys) == 1 and limit is not None and tokens > limit:
            refused = AttemptVerdict(Reply("", "transport_error", "", detail=reason))
            await self.store.store(batch, {0: refused})
            return
        await self._ask_again(batch, batch.keys)
        if not waiting:
            self._waiting.refuse(reason, wait_s)

    async def _ask_again(self, batch: Batch, keys: Sequence[BatchKey]) -> None:
        """Close a batch without answers, and put questions of it first in the order."""
        await self.store.close(batch)
        self._todo[:0] = [key for key in keys if key in self._wanted]

    async def _collect(self) -> int:
        """Store the answers of batches that have ended; return how many there are.

        A batch whose state cannot be read does not delay others, but nothing new is submitted. Its
        error is raised when only such batches are left, or if they are so many that the server is
        at fault.
        """
        answers, troubled = 0, {}
        for batch in list(self._open):
            try:
                answers += await self._look_at(batch)
            except RunStoppedError as error:
                if isinstance(error, CallFailedError):
                    troubled[batch.token] = cannot_look(self._examinee, batch, error)
                else:
                    troubled[batch.token] = error
                if len(troubled) == min(_MOST_TROUBLED, len(self._open)):
                    raise troubled[batch.token] from error
        self._troubled = troubled
        return answers

    async def _look_at(self, batch: Batch) -> int:
        """Store the answers of a batch if it has ended; return how many there are."""
        api = self._plan.api
        if batch.remote in self._plan.given_up:
            return await self._lose(batch, "it was given up by the campaign file (batch_give_up)")
        try:
            state = await api.progress(batch.remote)
            self._accept(batch, state)
            if not state.ended:
                check_overdue(self._examinee, batch, state, self._plan.wait_s)
                return 0
            if state.queue_full:
                self._open.remove(batch)
                await self._refuse(batch, state.detail)
                return 0
            prefix = await self.store.files.prefix(batch.token)
            if not state.complete and not state.results:
                # The vendor rejected its file, or will not keep it for ever.
                await self.store.files.forget(prefix)
            results = await api.replies(prefix, len(batch.keys), state)
            self._readings[batch.token] += 1
            if results.incomplete and self._readings[batch.token] < _MOST_READINGS:
                return 0
        except BatchGoneError as error:
            if await self._is_listed(batch):
                raise
            gone = f"the vendor does not know batch {batch.remote} any more: {error.detail}"
            return await self._lose(batch, gone)
        self._open.remove(batch)
        if results.foreign:
            self._waiting.report(
                f"{self._examinee}: {results.foreign:,} results of batch {batch.remote} belong to "
                "none of its questions and are ignored"
            )
        return await self._read(batch, state, results.verdicts)

    async def _lose(self, batch: Batch, reason: str) -> int:
        """Store a batch as one that may have been paid for and whose answers are lost."""
        self._open.remove(batch)
        return await self.store.store(batch, dict.fromkeys(range(len(batch.keys)), lost(reason)))

    async def _is_listed(self, batch: Batch) -> bool:
        """Return True if the vendor's list shows a batch. The list also distinguishes a vendor that
        no longer has a batch from an address without a batch API, for which it raises an error."""
        others = [one.remote for one in self._open if one is not batch]
        seen = await self._plan.api.find(batch.ticket, others)
        return batch.remote in (seen.batch, *seen.undecided)

    def _accept(self, batch: Batch, state: BatchProgress) -> None:
        """Note that the vendor has accepted a batch, if it has."""
        if not state.accepted or state.queue_full or batch.token in self._checked:
            return
        self._checked.add(batch.token)
        others = (one for one in self._open if one.token != batch.token)
        waiting = sum(map(self._tokens_of, others))
        self._room.accept(self._tokens_of(batch), waiting)
        self._waiting.accept()

    async def _read(
        self, batch: Batch, state: BatchProgress, verdicts: Mapping[int, AttemptVerdict]
    ) -> int:
        """Store the results of a batch; ask again without a parameter that caused a failure."""
        final: dict[int, AttemptVerdict] = {}
        again: list[BatchKey] = []
        unprocessed = Reply("", "transport_error", "", detail=f"no result: {state.detail}")
        for number, key in enumerate(batch.keys):
            verdict = verdicts.get(number)
            complaint = state.detail if verdict is None and not verdicts else ""
            complaint = verdict.complaint if verdict is not None else complaint
            sent = self._decoding(key)
            if complaint and self._dialect.improve(batch.dialect, complaint, sent):
                again.append(key)
            else:
                verdict = verdict or AttemptVerdict(unprocessed)
                left_out = batch.dialect.dropped & sent.keys()
                final[number] = verdict.with_reply(with_note(verdict.reply, left_out))
        stored = await self.store.store(batch, final, leave_out=set(again))
        self._todo[:0] = [key for key in again if key in self._wanted]
        return stored

    def _decoding(self, key: BatchKey) -> Mapping[str, float | int | str]:
        """Return the parameters of generation of a question's condition."""
        parts = self._by_condition.get(key[0])
        return dict(parts[0].condition.decoding) if parts else {}

    def _tokens_of(self, batch: Batch) -> int:
        """Return an estimate of the tokens that a batch puts into the vendor's queue."""
        if batch.token not in self._tokens:
            rendered = self._rendered([key for key in batch.keys if key in self._wanted])
            self._tokens[batch.token] = tokens_of(rendered)
        return self._tokens[batch.token]

    def _rendered(self, keys: Sequence[BatchKey]) -> list[RenderedItem]:
        """The questions of keys, in their order."""
        rendered: dict[BatchKey, RenderedItem] = {}
        for condition, parts in self._by_condition.items():
            wanted: list[Key] = [(h, k) for c, h, k in keys if c == condition]
            for item, item_hash, occasion in questions_of(parts, wanted):
                rendered[condition, item_hash, occasion] = item
        for item in rendered.values():
            if item.earlier:
                raise ParameterError(
                    f"a batch cannot ask item {item.item_id!r}, because it is presented in "
                    "several turns with a reply after each; leave presentation=image-per-turn out "
                    "of the condition"
                )
        return [rendered[key] for key in keys]
