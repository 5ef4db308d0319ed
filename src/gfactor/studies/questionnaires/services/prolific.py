"""Prolific: parameters of the study's address, completion codes, bulk bonuses.

References: docs.prolific.com, "The study object" (placeholders, completion codes) and "Set up
bonuses" (`csv_bonuses`: lines of id and amount, decimals, no header).
"""

from __future__ import annotations

from gfactor.studies.questionnaires.recruiting import SERVICES, PaymentFile, Service

SERVICES.add(
    "prolific",
    Service(
        "Prolific",
        "PROLIFIC_PID",
        ("STUDY_ID", "SESSION_ID"),
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
        {
            "bonus": PaymentFile((), lambda due: (due.id, due.amount)),
            "approve": PaymentFile((), lambda due: (due.id,), "none"),
        },
        back="https://app.prolific.com/submissions/complete?cc={code}",
    ),
)
