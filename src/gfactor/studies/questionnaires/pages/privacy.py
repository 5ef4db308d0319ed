"""Privacy pages for participants: data protection, and their data by receipt code."""

from __future__ import annotations

import json
from typing import Any

from gfactor.studies.questionnaires.pages.context import COOKIE, StudyContext
from gfactor.studies.questionnaires.pages.receipts import (
    consent_receipt,
    participant_of,
    person_data,
    receipt_of,
)
from gfactor.studies.questionnaires.pages.replies import (
    aside,
    context_of,
    expired,
    genuine,
    message,
    speak_to,
)
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.study.page_definitions import question_text, text_in
from gfactor.studies.questionnaires.study.settings import Conduct
from gfactor.studies.web import csrf_token, redirect, route, with_session
from gfactor.studies.web.extras import need
from gfactor.studies.web.limits import client_of
from gfactor.studies.web.sessions import is_visitor, visitor_token

BY_RECEIPT = "participant (receipt code)"
"""Name in the log of a participant who deletes."""


def routes() -> list[Any]:
    return [
        route("/privacy", privacy),
        route("/receipt", receipt_page),
        route("/receipt", by_receipt, methods=["POST"]),
        route("/receipt/consent", own_consent),
    ]


async def privacy(request: Any) -> Any:
    """Show the page on data protection, from the study file: controllers, data, purposes, storage
    times and rights."""
    context = _spoken(request)
    return context.pages.response("privacy.html.j2", sections=sections(context))


def sections(context: StudyContext) -> list[tuple[str, list[str]]]:
    """Return headings and paragraphs of the page on data protection; empty ones are left out."""
    study, say = context.study, context.words
    conduct = study.conduct or Conduct()

    def conduct_text(name: str) -> str:
        return text_in(getattr(conduct, name), study.language)

    questions = [q for page in study.pages or () for q in page.questions]
    question_list = "".join(f"\n- {question_text(q, say)}" for q in questions)
    has_ids = bool(study.external_id) or study.ids == "signed"
    parts = {
        "privacy_who": [conduct_text("controller")],
        "privacy_why": [conduct_text("purpose") or say("privacy_why_text")],
        "privacy_what": [
            say("privacy_what_text"),
            f"{say('privacy_asked')}\n{question_list}" if question_list else "",
            say("privacy_id") if has_ids else "",
        ],
        "privacy_basis": [conduct_text("legal_basis") or say("privacy_basis_text")],
        "privacy_recipients": [conduct_text("recipients") or say("privacy_recipients_text")],
        "privacy_how_long": [
            say("privacy_how_long_text"),
            say("privacy_how_long_ids", days=study.retention_days) if has_ids else "",
        ],
        "privacy_rights": [say("privacy_rights_text")],
        "privacy_contact": [study.contact],
        "privacy_officer": [conduct_text("officer")],
        "privacy_authority": [conduct_text("authority")],
        "privacy_ethics": [conduct.ethics],
    }
    filled = {heading: [text for text in texts if text] for heading, texts in parts.items()}
    return [(say(heading), texts) for heading, texts in filled.items() if texts]


async def receipt_page(request: Any) -> Any:
    """Show the form for a receipt code; a participant in this browser sees their own code."""
    return _page(request)


async def by_receipt(request: Any) -> Any:
    """Return everything stored under a receipt code as a file, or delete it, if this is ticked."""
    context = _spoken(request)
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    if not context.receipts.allows_request(request, client_of(request)):
        return message(request, "expired_heading", "too_fast", 429)
    person = await aside(participant_of, context, fields.get("receipt")[:100])
    if person is None:
        return _page(request, "receipt_unknown", fields.get("receipt")[:100], 404)
    if fields.get("do") != "delete":
        spoken = context.speaking(person.language)
        return _file(context, "data", await aside(person_data, spoken, person))
    if fields.get("sure") != "yes":
        return _page(request, "receipt_not_sure", fields.get("receipt")[:100])
    context.store.withdraw(person.code, BY_RECEIPT)
    context.persons.forget_code(person.code)
    await aside(context.store.erase_deleted)
    return message(request, "withdrawn_heading", "withdrawn")


async def own_consent(request: Any) -> Any:
    """Return a receipt of the consent of the participant in this browser, as a file."""
    context, person = context_of(request), context_of(request).participant(request)
    if person is None:
        return redirect(request, "/receipt")
    return _file(context, "consent", consent_receipt(context, person))


def _page(request: Any, problem: str = "", typed: str = "", status: int = 200) -> Any:
    context = _spoken(request)
    person: Participant | None = context.participant(request)
    token = context.session(request)
    if person is None and not is_visitor(context.secrets, token):
        token = visitor_token(context.secrets)
    code = receipt_of(context.secrets, person.code) if person else ""
    response = context.pages.response(
        "receipt.html.j2",
        status,
        receipt=code,
        typed=typed or code,
        problem=context.words(problem) if problem else "",
        form_token=csrf_token(context.secrets, token),
    )
    return response if person else with_session(response, COOKIE, token, context.address)


def _spoken(request: Any) -> StudyContext:
    """The study in the language that the address names, or the participant reads."""
    return speak_to(request, request.query_params.get("language", ""))


def _file(context: StudyContext, name: str, document: dict[str, Any]) -> Any:
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    disposition = f'attachment; filename="{context.study.id}-{name}.json"'
    headers = {"content-disposition": disposition}
    return need("starlette.responses").Response(
        text, media_type="application/json", headers=headers
    )
