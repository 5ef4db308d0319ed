"""Prolific: parameters of the study's address, completion codes, bulk bonuses.

References: docs.prolific.com, "The study object" (placeholders, completion codes), "Set up bonuses"
(`csv_bonuses`: lines of id and amount, decimals, no header) and "Retrieve JSON Web Key Set (JWKS)"
(keys with RS256; claims `exp`, `aud` and `prolific`). That page does not name the URL parameter:
`prolific_token` is how three public programs read it.
"""

from __future__ import annotations

from gfactor.studies.questionnaires.paying.prolific_api import REJECTION, ProlificApi, home
from gfactor.studies.questionnaires.study.recruiting import (
    SERVICES,
    Due,
    Online,
    PaymentFile,
    Service,
    Signing,
)


def _rejected(due: Due) -> tuple[str, ...]:
    return due.id, due.facts.get("SESSION_ID", ""), REJECTION[due.reasons[0]], due.message


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
            "reject": PaymentFile(
                ("participant_id", "submission_id", "category", "message"), _rejected, "none", True
            ),
        },
        back="https://app.prolific.com/submissions/complete?cc={code}",
        online=Online(ProlificApi.of_environment, submission="SESSION_ID", study="STUDY_ID"),
        signing=Signing(
            "prolific_token",
            lambda: f"{home()}/.well-known/study/jwks.json",
            claim="prolific",
            study="STUDY_ID",
        ),
    ),
)
