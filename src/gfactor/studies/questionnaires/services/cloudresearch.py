"""CloudResearch Connect: parameters of the project's address, files to approve and to pay.

References: connect-researcher-help.cloudresearch.com, "Project Completion" (codes, partial
completes) and "Manage Participants" (approval and bonuses by CSV files).
"""

from __future__ import annotations

from gfactor.studies.questionnaires.study.recruiting import SERVICES, PaymentFile, Service

SERVICES.add(
    "cloudresearch",
    Service(
        "CloudResearch Connect",
        "participantId",
        ("assignmentId", "projectId"),
        "",  # Connect adds its parameters by itself.
        {
            "bonus": PaymentFile(
                ("participantId", "assignmentId", "amount"),
                lambda due: (due.id, due.facts.get("assignmentId", ""), due.amount),
            ),
            "approve": PaymentFile(
                ("participantId", "assignmentId"),
                lambda due: (due.id, due.facts.get("assignmentId", "")),
                "none",
            ),
            "reject": PaymentFile(
                ("participantId", "assignmentId", "reason"),
                lambda due: (due.id, due.facts.get("assignmentId", ""), due.message),
                "none",
                True,
            ),
        },
    ),
)
