"""Approval, rejection and bonuses through the API of the service that sent the participants."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.paying.payment_api import PaymentApi, ServiceError, Submission
from gfactor.studies.questionnaires.paying.payments import due_of, noted_of
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.questionnaires.storing.tables import PAYMENTS, now_text
from gfactor.studies.questionnaires.storing.transfers import KIND, Transfer
from gfactor.studies.questionnaires.study.folder import StudyFolder
from gfactor.studies.questionnaires.study.recruiting import SERVICES, Due, Online

KINDS = ("approve", "reject", "bonus")
"""Kinds of decisions and payments, in the order of sending: bonuses are paid on approved
submissions."""


@dataclass(frozen=True)
class Sent:
    """Decisions and payments that were sent to a recruiting service, or are due.

    Parameters
    ----------
    sent: True if it was sent.
    approved, rejected, bonuses: numbers of people.
    amount: sum of the bonuses, in `currency`.
    earlier: number of bonuses of earlier orders that the service has paid since.
    waiting: number of bonuses that were ordered but that the service does not show yet; they are
        not ordered again before it is clear whether they were paid.
    unmatched: number of people whose ids belong to no submission at the service.
    elsewhere: number of people whose submission is in a state that does not allow the action.
    unknown: number of people without a stored id of the service.
    """

    sent: bool
    approved: int
    rejected: int
    bonuses: int
    amount: float
    currency: str
    earlier: int = 0
    waiting: int = 0
    unmatched: int = 0
    elsewhere: int = 0
    unknown: int = 0

    def summary(self) -> str:
        """Return the sent or due payments, and the people left out, as text."""
        verb = "sent" if self.sent else "due, not sent (--send sends it)"
        amount = f"{self.amount:.2f} {self.currency}".rstrip()
        reasons = (
            (self.earlier, "bonuses of earlier orders have been paid"),
            (self.waiting, "bonuses are on their way; run the command again to see whether they "
                           "came"),
            (self.unmatched, "people are left out: their ids are those of no submission of the "
                             "study"),
            (self.elsewhere, "people are left out: their submission is neither waiting nor "
                             "approved"),
            (self.unknown, "people are left out: no id of the service is kept of them"),
        )  # fmt: skip
        first = f"{self.approved} approved, {self.rejected} rejected, {self.bonuses} bonuses"
        lines = [f"  {count} {reason}" for count, reason in reasons if count]
        return "\n".join([f"{verb}: {first} ({amount})", *lines])

    def to_dict(self) -> dict[str, object]:
        """Return the numbers as JSON holds them."""
        return dict(vars(self))


def send_payments(
    folder: StudyFolder, service: str, kinds: Sequence[str] = KINDS, *, send: bool = False
) -> Sent:
    """Approve and reject submissions and pay bonuses, each once; or return what would be sent.

    Before anything is sent for a participant, the submission is fetched from the service; its
    participant and study have to be those of the address by which the participant came.

    Parameters
    ----------
    folder: the study.
    service: a name of `SERVICES`.
    kinds: some of `KINDS`.
    send: False to send nothing, and to ask the service nothing.

    Raises ParameterError for a service without an API and unknown kinds; ServiceError if the
    service refuses or fails. Completed steps are recorded, and a later call continues after them.
    """
    online = SERVICES[service].online
    if online is None:
        raise ParameterError(
            f"{SERVICES[service].title} is paid by files; write them with `gfactor study payments`"
        )
    if odd := [kind for kind in kinds if kind not in KINDS]:
        raise ParameterError(f"{odd[0]!r} is no kind of payment; choose from {', '.join(KINDS)}")
    with closing(folder.store()) as store:
        store.purge(folder.study.retention_days)
        if not send:
            return _planned(folder, store, service, kinds)
        sender = _Sender(folder, store, service, online, online.connect())
        return sender.send(kinds)


def _due(
    folder: StudyFolder, store: Store, service: str, kind: str
) -> tuple[dict[str, tuple[Due, int]], int]:
    """Return, by code, the due amounts in cents that were not sent before, and the number of people
    without a stored id."""
    file = SERVICES[service].files[kind]
    rows, left = due_of(folder, store, file)
    noted = noted_of(store, kind, file)
    new = {}
    for code, (due, cents) in rows.items():
        owed = cents - noted.get(code, 0)
        if owed > 0 if kind == KIND else code not in noted:
            new[code] = due, owed
    return new, left["unknown"]


def _planned(folder: StudyFolder, store: Store, service: str, kinds: Sequence[str]) -> Sent:
    counts: Counter[str] = Counter()
    cents = unknown = 0
    for kind in kinds:
        rows, without = _due(folder, store, service, kind)
        counts[kind], unknown = len(rows), max(unknown, without)
        cents += sum(owed for _, owed in rows.values()) if kind == KIND else 0
    return Sent(
        False, counts["approve"], counts["reject"], counts[KIND], cents / 100,
        folder.study.pay.currency, waiting=len(store.transfers("ordered", "accepted")),
        unknown=unknown,
    )  # fmt: skip


class _Sender:
    """One run that sends what is due."""

    def __init__(
        self, folder: StudyFolder, store: Store, service: str, online: Online, api: PaymentApi
    ) -> None:
        self._folder, self._store, self._service = folder, store, service
        self._online, self._api = online, api
        self._submissions: dict[str, Submission | None] = {}
        self._counts: Counter[str] = Counter()
        self._apart: dict[str, set[str]] = {"unmatched": set(), "elsewhere": set()}

    def send(self, kinds: Sequence[str]) -> Sent:
        self._settle()
        cents = 0
        for kind in (kind for kind in KINDS if kind in kinds):
            file = SERVICES[self._service].files[kind]
            noted = noted_of(self._store, kind, file)  # before the rows: see `order_bonuses`
            rows, without = _due(self._folder, self._store, self._service, kind)
            self._counts["unknown"] = max(self._counts["unknown"], without)
            if kind == KIND:
                cents = self._pay(rows, noted)
            else:
                self._decide(kind, rows)
        counts = self._counts
        return Sent(
            True, counts["approve"], counts["reject"], counts[KIND], cents / 100,
            self._folder.study.pay.currency, counts["earlier"],
            len(self._store.transfers("ordered", "accepted")),
            len(self._apart["unmatched"]), len(self._apart["elsewhere"]), counts["unknown"],
        )  # fmt: skip

    def _submission(self, code: str, due: Due) -> Submission | None:
        """Return the submission of a participant; None if the service has none."""
        if code not in self._submissions:
            submission = self._api.submission(due.facts.get(self._online.submission, ""))
            same = submission is not None and (submission.participant, submission.study) == (
                due.id, due.facts.get(self._online.study, ""),
            )  # fmt: skip
            self._submissions[code] = submission if same else None
        if self._submissions[code] is None:
            self._apart["unmatched"].add(code)
        return self._submissions[code]

    def _decide(self, kind: str, rows: Mapping[str, tuple[Due, int]]) -> None:
        """Approve or reject waiting submissions.

        Prolific ignores repeated requests, so that a decision can be noted after it was sent.
        """
        decided = "approved" if kind == "approve" else "rejected"
        for code, (due, _) in rows.items():
            submission = self._submission(code, due)
            if submission is None:
                continue
            if submission.state == "waiting":
                if kind == "approve":
                    self._api.approve(submission.id)
                else:
                    self._api.reject(submission.id, due.reasons, due.message)
                self._submissions.pop(code)
                self._counts[kind] += 1
            elif submission.state != decided:
                self._apart["elsewhere"].add(code)
                continue
            with self._store.transaction() as connection:
                note = {"code": code, "kind": kind, "cents": 0, "created": now_text()}
                connection.execute(PAYMENTS.insert().values(note))

    def _settle(self) -> None:
        """Record the outcomes of orders of earlier runs."""
        now = time.time()
        for one in self._store.transfers("ordered", "accepted"):
            submission = self._api.submission(one.submission)
            state = one.settled(one.before if submission is None else submission.bonus, now)
            self._store.settle_bonuses([one], state)
            self._counts["earlier"] += state == "paid"

    def _pay(self, rows: Mapping[str, tuple[Due, int]], noted: Mapping[str, int]) -> int:
        """Order bonuses on approved submissions, an order for each study of the service; return
        their sum in cents. People with a pending bonus get the next one when it has been paid."""
        open_codes = {one.code for one in self._store.transfers("ordered", "accepted")}
        orders: dict[str, list[Transfer]] = {}
        for code, (due, cents) in rows.items():
            submission = None if code in open_codes else self._submission(code, due)
            if submission is None:
                continue
            if submission.state != "approved":
                self._apart["elsewhere"].add(code)
                continue
            orders.setdefault(submission.study, []).append(
                Transfer(code, submission.id, cents, submission.bonus)
            )
        return sum(self._order(study, some, noted) for study, some in orders.items())

    def _order(self, study: str, transfers: list[Transfer], noted: Mapping[str, int]) -> int:
        total = sum(one.cents for one in transfers)
        order, amount = self._api.order(study, [(one.submission, one.cents) for one in transfers])
        if amount != total:
            raise ServiceError(
                f"the service counts bonuses of {amount / 100:.2f}, and the study owes "
                f"{total / 100:.2f}; nothing was paid"
            )
        self._store.order_bonuses(order, transfers, noted)
        outcome = self._api.pay(order)
        stored = self._store.transfers("ordered", order=order)
        if outcome == "refused":
            self._store.settle_bonuses(stored, "refused")
            raise ServiceError(
                f"the service refuses to pay bonuses of {total / 100:.2f} (order {order}); look "
                "at the balance there, and run the command again"
            )
        if outcome == "accepted":
            self._store.settle_bonuses(stored, "accepted")
        self._counts[KIND] += len(transfers)
        return total
