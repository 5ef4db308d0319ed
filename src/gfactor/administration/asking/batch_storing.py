"""Storing batches, their answers and costs, also if the journal is out of reach for a while."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial

from gfactor.administration.asking.batch_files import UploadedFiles
from gfactor.administration.asking.batch_rows import Batch, BatchKey, name_batch, note_batch
from gfactor.administration.asking.concurrent import OnStored
from gfactor.administration.sharing.accounts import Unanswered
from gfactor.administration.sharing.ledger import Ledger
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.outages import Outage
from gfactor.administration.storing.response import Response
from gfactor.errors import JournalError
from gfactor.examinees import FAILED, Reply
from gfactor.examinees.http.answer import AttemptVerdict
from gfactor.examinees.http.pricing import Budget, TokenPrice


class BatchStore:
    """The storing of an examinee's batches and answers in the journal.

    Parameters
    ----------
    examinee: owner of the batches.
    journal, ledger: where batches, answers and amounts are stored.
    price: price of a batch's requests; None if costs are not counted. budget: object that learns
    the length of answers; None without a budget. on_stored: called with responses when they are
    stored. tell: called with sentences about losses, and about a journal that is out of reach.
    """

    def __init__(
        self,
        examinee: str,
        journal: Journal,
        ledger: Ledger,
        price: TokenPrice | None,
        budget: Budget | None,
        on_stored: OnStored | None,
        tell: Callable[[str], object],
    ) -> None:
        self.asked = self.failed = 0
        self.detail = ""
        self._examinee, self._journal, self._ledger = examinee, journal, ledger
        self._price, self._budget = price, budget
        self._on_stored = on_stored or (lambda _: None)
        self._tell, self._outage = tell, Outage(tell)
        self.files = UploadedFiles(examinee, journal, self._outage)

    async def note(self, batch: Batch) -> bool:
        """Store a batch before it is submitted; return False if the budgets do not cover it."""
        return await self._outage.outlast(partial(note_batch, self._ledger, self._examinee, batch))

    async def name(self, batch: Batch, remote: str) -> Batch:
        """Return the batch with the vendor's id, which is stored at once."""
        try:
            return await self._outage.outlast(partial(name_batch, self._journal, batch, remote))
        except JournalError as error:
            submitted = (
                f"batch {remote} of {self._examinee} was submitted, and the next run finds it by "
                "the token that it carries"
            )
            raise _with_remedy(error, submitted) from error.__cause__

    async def close(self, batch: Batch) -> None:
        """Close a batch without answers."""
        await self._outage.outlast(partial(self._journal.add, [], batch=batch.token))

    async def store(
        self,
        batch: Batch,
        verdicts: Mapping[int, AttemptVerdict],
        leave_out: Collection[BatchKey] = (),
    ) -> int:
        """Store the verdicts on the questions of a batch and close it; return their number.

        Questions that may have been paid for without a readable answer count as unanswered
        requests do, at their estimated cost.
        """
        responses = [
            Response.now(self._examinee, h, c, k, self._paid(verdicts[number].reply, batch))
            for number, (c, h, k) in enumerate(batch.keys)
            if (c, h, k) not in leave_out
        ]
        doubtful = [
            verdict for number, verdict in verdicts.items()
            if verdict.doubtful and batch.keys[number] not in leave_out
        ]  # fmt: skip
        add = partial(self._journal.add, responses, claimed=True, batch=batch.token)
        try:
            if doubtful:
                await self._note_doubtful(batch, len(doubtful), doubtful[0].reply.detail)
            await self._outage.outlast(add)
        except JournalError as error:
            fetched = (
                f"the {len(responses):,} results of batch {batch.remote} of {self._examinee} could "
                "not be stored; the vendor keeps them, and nothing is asked or paid for twice"
            )
            raise _with_remedy(error, fetched) from error.__cause__
        self._on_stored(responses)
        failed = [r for r in responses if r.failed]
        self.asked += len(responses)
        self.failed += len(failed)
        self.detail = failed[-1].reply.detail if failed else self.detail
        return len(responses)

    async def _note_doubtful(self, batch: Batch, number: int, reason: str) -> None:
        """Count questions without a readable answer as unanswered requests, and report it. They are
        stored under the batch's token before it is closed, so that after a kill in between they are
        stored again under the same token.
        """
        money = number * batch.share
        cost = ""
        if self._price is not None:
            unanswered = Unanswered(number, money)
            what = f"batch {batch.token}", self._examinee, unanswered
            await self._outage.outlast(partial(self._ledger.note_unanswered, *what))
            cost = f" at up to {money:.4g} (they count as unanswered)"
        self._tell(
            f"{self._examinee}: {number:,} of {len(batch.keys):,} questions of batch "
            f"{batch.remote} have no answer, and the vendor may have charged for them{cost}: "
            f"{reason.rstrip('. ')}; they are stored as failed, and the next run asks them again"
        )

    def _paid(self, reply: Reply, batch: Batch) -> Reply:
        """Return the reply with its cost; an answer without usage costs its estimate."""
        price, usage = self._price, reply.usage
        if price is None:
            return reply
        counted = "prompt_tokens" in usage or "completion_tokens" in usage
        answered = reply.outcome not in FAILED
        if counted and answered and self._budget is not None:
            self._budget.learn(usage)
        return replace(reply, cost=price.of(usage) if counted or not answered else batch.share)


def _with_remedy(error: JournalError, what: str) -> JournalError:
    """Return the error of a journal that could not be written, with what is safe and what to do.

    Parameters
    ----------
    error: error of the journal.
    what: what was not written, and where it is kept.
    """
    return JournalError(
        f"{str(error).rstrip('. ')}; {what}; what was stored before is safe: put the journal "
        "right (free space, for a full disk), and run the same command again, which collects it"
    )
