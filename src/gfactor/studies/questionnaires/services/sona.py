"""Sona Systems: the survey code, completion by an address, credits.

References: sona-systems.com, "Using the SURVEY CODE Feature" and "External Study Credit Granting"
(the completion URL, whose survey_code is the one that the participant came with).
"""

from __future__ import annotations

from gfactor.studies.questionnaires.study.recruiting import SERVICES, PaymentFile, Service

SERVICES.add(
    "sona",
    Service(
        "Sona",
        "survey_code",
        (),
        "?survey_code=%SURVEY_CODE%",
        {
            "credit": PaymentFile(
                ("survey_code", "credits"), lambda due: (due.id, due.amount), "total"
            ),
            "reject": PaymentFile(
                ("survey_code", "reason"), lambda due: (due.id, due.message), "none", True
            ),
        },
        placeholder="XXXX",
    ),
)
