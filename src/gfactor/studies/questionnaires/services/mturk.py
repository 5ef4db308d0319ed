"""Amazon Mechanical Turk: parameters that its tasks hand on, review and bonus files.

References: Mechanical Turk Requester Guide, "How Mechanical Turk tasks are rendered" (parameters,
and the assignment's id while a worker only looks); Requester UI Guide, "Reviewing Assignments
Offline" (Approve, Reject); API Reference, ExternalQuestion (frame, preview, and the form that is
posted to turkSubmitTo with the assignment's id and another field) and SendBonus (WorkerId,
AssignmentId, BonusAmount, Reason).
"""

from __future__ import annotations

from gfactor.studies.questionnaires.study.recruiting import (
    SERVICES,
    Due,
    Handover,
    PaymentFile,
    Service,
)


def _bonus(due: Due) -> tuple[str, ...]:
    reason = "Right answers in the study"
    return due.id, due.facts.get("assignmentId", ""), due.amount, reason


def _approved(due: Due) -> tuple[str, ...]:
    return due.facts.get("hitId", ""), due.facts.get("assignmentId", ""), due.id, "X", ""


def _rejected(due: Due) -> tuple[str, ...]:
    return due.facts.get("hitId", ""), due.facts.get("assignmentId", ""), due.id, "", due.message


_REVIEW = ("HITId", "AssignmentId", "WorkerId", "Approve", "Reject")

SERVICES.add(
    "mturk",
    Service(
        "Mechanical Turk",
        "workerId",
        ("assignmentId", "hitId", "turkSubmitTo"),
        "?workerId=${workerId}&assignmentId=${assignmentId}&hitId=${hitId}",
        {
            "approve": PaymentFile(_REVIEW, _approved, "none"),
            "reject": PaymentFile(_REVIEW, _rejected, "none", True),
            "bonus": PaymentFile(("WorkerId", "AssignmentId", "BonusAmount", "Reason"), _bonus),
        },
        preview=("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE"),
        handover=Handover(
            base="turkSubmitTo",
            path="/mturk/externalSubmit",
            field="assignmentId",
            origins=("https://www.mturk.com", "https://workersandbox.mturk.com"),
            frames=("https://worker.mturk.com", "https://workersandbox.mturk.com"),
        ),
    ),
)
