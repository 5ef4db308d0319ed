"""Files by which a recruiting service accepts and pays participants, each of them once."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from gfactor.errors import ParameterError
from gfactor.items.files import check_writable, replacing
from gfactor.studies.questionnaires.paying.pay import bonus, total
from gfactor.studies.questionnaires.results.exclusion import exclusions, message_to
from gfactor.studies.questionnaires.results.labels import marks
from gfactor.studies.questionnaires.results.rulings import Rulings
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.questionnaires.storing.tables import PAYMENTS, now_text
from gfactor.studies.questionnaires.study.folder import StudyFolder
from gfactor.studies.questionnaires.study.recruiting import SERVICES, Due, PaymentFile


@dataclass(frozen=True)
class Payments:
    """A payment file that was written.

    Parameters
    ----------
    path: path of the file; None if nobody is due a payment, so that no file was written.
    kind: kind of the file, as the service calls it: "bonus", "approve", "reject", "credit".
    people: number of rows.
    amount: the sum of its amounts, in the study's currency; 0 if it has none.
    currency: currency of the study.
    paid: number of people left out because earlier files hold all that they are due.
    excluded: number of people whom the study's rule excludes from payment; in a file of
        rejections, number of rejected people.
    unknown: number of people left out because the study has no service id of them.
    """

    path: Path | None
    kind: str
    people: int
    amount: float
    currency: str
    paid: int
    excluded: int
    unknown: int

    def summary(self) -> str:
        """Return the contents of the file, and the people left out, as text."""
        total = f", {self.amount:.2f} {self.currency}".rstrip() if self.amount else ""
        first = f"{self.path}: {self.people} participants ({self.kind}){total}"
        if self.path is None:
            first = f"nobody is due anything in a file of the kind {self.kind}; none was written"
        reasons = (
            (self.paid, "are in earlier files"),
            (0 if self.kind == "reject" else self.excluded,
             "are not paid by the study's rule (--kind reject lists them with reasons)"),
            (self.unknown, "have no id of a service that is still kept"),
        )  # fmt: skip
        lines = [f"  left out: {count} {reason}" for count, reason in reasons if count]
        return "\n".join([first, *lines])

    def to_dict(self) -> dict[str, object]:
        """Return the numbers as JSON holds them."""
        return {**vars(self), "path": None if self.path is None else str(self.path)}


def write_payments(
    folder: StudyFolder,
    path: Path,
    service: str,
    kind: str | None = None,
    *,
    again: bool = False,
) -> Payments:
    """Write the payments due to participants, and record them in the study, so that no later file
    repeats them.

    People whom the study's rule excludes (`Study.payment`) are only in the file of rejections.

    Parameters
    ----------
    folder: the study.
    path: path of the file; refused if it exists.
    service: a name of `SERVICES`.
    kind: kind of the file; the service's usual one by default.
    again: True to repeat the contents of earlier files, because one of them was lost.

    Raises ParameterError if the service has no such file, or the path cannot be written.
    """
    kind, file = SERVICES[service].file(kind)
    if path.exists():
        raise ParameterError(
            f"{str(path)!r} is there already, and may not have been paid; name another file"
        )
    check_writable(path)
    store = folder.store()
    try:
        store.purge(folder.study.retention_days)
        rows, left = due_of(folder, store, file)
        noted = noted_of(store, kind, file)
        owed = {code: cents - noted.get(code, 0) for code, (_, cents) in rows.items()}
        lists = file.amount == "none"
        new = {code: max(0, cents) for code, cents in owed.items()
               if cents > 0 or (lists and code not in noted)}  # fmt: skip
        amounts = (
            {code: cents for code, (_, cents) in rows.items() if cents or lists} if again else new
        )
        people = [_with_amount(rows[code][0], cents, file) for code, cents in amounts.items()]
        if people:
            # A file that is not recorded could be paid twice, so both are written or none.
            with store.transaction() as connection, replacing(path) as temporary:
                if new:
                    connection.execute(PAYMENTS.insert(), _notes(kind, new))
                _write(temporary, file, people)
    except OSError as error:
        raise ParameterError(f"cannot write {str(path)!r}: {error.strerror}") from error
    finally:
        store.close()
    return Payments(
        path if people else None,
        kind,
        len(people),
        sum(amounts.values()) / 100,
        folder.study.pay.currency,
        sum(code in noted and code not in amounts for code in rows),
        left["excluded"],
        left["unknown"],
    )


def due_of(
    folder: StudyFolder, store: Store, file: PaymentFile
) -> tuple[dict[str, tuple[Due, int]], Counter[str]]:
    """Return, by code, the total due in cents of everybody who has finished, or the rejected people
    with their reasons; and the numbers of people whom the rule excludes, and of people without a
    stored id.
    """
    study = folder.study
    with (
        store.snapshot()
    ):  # somebody may finish meanwhile; either all of their answers count, or none
        answers = Rulings(store.rulings(), folder.bank.item).apply(store.frame("answers"))
        people = store.frame("participants")
    given: dict[str, list[dict[Any, Any]]] = {
        str(code): part.to_dict("records") for code, part in answers.groupby("code")
    }
    left: Counter[str] = Counter()
    rows = {}
    marked = marks(answers, people, study.rules)
    excluded = exclusions(study, marked, store.paid_on_appeal())
    language = dict(zip(people["code"], people["language"], strict=True))
    for row in marked.to_dict("records"):
        if not row["finished"]:
            continue
        why = excluded.get(row["code"], ())
        left["excluded"] += bool(why)
        if bool(why) != file.rejects:
            continue
        external_id, facts = store.contact(row["code"])
        if not external_id:
            left["unknown"] += 1
        elif file.rejects:
            text = message_to(row, why, study, language[row["code"]])
            rows[row["code"]] = Due(external_id, facts, "", why, text), 0
        else:
            earned = {"bonus": bonus, "total": total}.get(file.amount, lambda *_: 0.0)
            cents = round(100 * earned(study.pay, given.get(row["code"], [])))
            rows[row["code"]] = Due(external_id, facts), cents
    return rows, left


def noted_of(store: Store, kind: str, file: PaymentFile) -> dict[str, int]:
    """Return the amounts of a kind in earlier files and orders, in cents, by code. In rejections,
    people who were accepted before a change of the rule stay accepted.
    """
    accepted = _noted(store, "approve") if file.rejects else {}
    return _noted(store, kind) | dict.fromkeys(accepted, 0)


def _noted(store: Store, kind: str) -> dict[str, int]:
    of_kind = sa.select(PAYMENTS.c.code, PAYMENTS.c.cents).where(PAYMENTS.c.kind == kind)
    noted: dict[str, int] = {}
    with store.transaction() as connection:
        for code, cents in connection.execute(of_kind):
            noted[code] = noted.get(code, 0) + cents
    return noted


def _notes(kind: str, owed: Mapping[str, int]) -> list[dict[str, Any]]:
    now = now_text()
    return [{"code": code, "kind": kind, "cents": cents, "created": now}
            for code, cents in owed.items()]  # fmt: skip


def _with_amount(due: Due, cents: int, file: PaymentFile) -> Due:
    return replace(due, amount=f"{cents / 100:.2f}" if file.amount != "none" else "")


def _write(path: Path, file: PaymentFile, people: Sequence[Due]) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened, lineterminator="\n")
        writer.writerows([file.columns] if file.columns else [])
        writer.writerows(map(file.row, people))
