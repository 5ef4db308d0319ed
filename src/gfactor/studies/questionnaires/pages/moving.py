"""Continuing on another device: by an address that opens the same participation, which a
participant makes for a day or an owner for a month, or by the receipt code."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.pages.context import COOKIE, StudyContext
from gfactor.studies.questionnaires.pages.receipts import participant_of
from gfactor.studies.questionnaires.pages.replies import (
    aside,
    context_of,
    expired,
    for_participants,
    genuine,
    message,
    person_of,
    speak,
    speak_to,
)
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.study.folder import RESUME, RESUME_DAYS
from gfactor.studies.web import csrf_token, redirect, route, with_session
from gfactor.studies.web.limits import client_of
from gfactor.studies.web.sessions import hashed, is_visitor, new_session, visitor_token

MOVE = "move"
"""Purpose of the token in the address."""

DAYS = 1


def routes() -> list[Any]:
    return [
        route("/move", show),
        route("/move/{token:str}", ask),
        route("/move/{token:str}", move, methods=["POST"]),
        route("/continue", go_on, methods=["POST"]),
    ]


@for_participants
async def show(request: Any) -> Any:
    """Show the address to open on the other device."""
    context, person = context_of(request), person_of(request)
    address = context.address
    base = f"{'https' if address.secure else 'http'}://{address.host or request.url.netloc}"
    token = context.secrets.token(MOVE, person.code, dated=True)
    return context.pages.response("move.html.j2", url=f"{base}{address.prefix}/move/{token}")


async def ask(request: Any) -> Any:
    """Ask on the other device for a confirmation to continue there, so that programs which open
    addresses for a preview change nothing."""
    context, person = _moved(request)
    if person is None:
        return message(request, "link_heading", "link_bad", 400)
    token = context.session(request)
    # A current participation in this browser continues until the move is confirmed.
    here = context.participant(request) is not None
    if not here and not is_visitor(context.secrets, token):
        token = visitor_token(context.secrets)
    response = context.pages.response(
        "move_here.html.j2",
        action=f"/move/{request.path_params['token']}",
        hidden={},
        form_token=csrf_token(context.secrets, token),
    )
    return response if here else with_session(response, COOKIE, token, context.address)


async def move(request: Any) -> Any:
    """Move the participation to this browser; the other one loses it."""
    person = _moved(request)[1]
    if person is None:
        return message(request, "link_heading", "link_bad", 400)
    if await genuine(request) is None:
        return expired(request)
    return _moved_here(request, person)


async def go_on(request: Any) -> Any:
    """Continue the participation of a receipt code, which proves the identity of somebody whose
    address could be guessed."""
    context, fields = context_of(request), await genuine(request)
    if fields is None:
        return expired(request)
    if not context.receipts.allows_request(request, client_of(request)):
        return message(request, "expired_heading", "too_fast", 429)
    person = await aside(participant_of, context, fields.get("receipt")[:100])
    if person is None:
        context = speak_to(request)
        token = csrf_token(context.secrets, context.session(request))
        problem = context.words("receipt_unknown")
        return context.pages.response("taken.html.j2", 404, form_token=token, problem=problem)
    return _moved_here(request, person)


def _moved_here(request: Any, person: Participant) -> Any:
    """Move the participation to this browser."""
    context, token = context_of(request), new_session()
    response = context.with_participant(request, redirect(request, "/task"), token)
    context.store.move(person.code, hashed(token))
    context.persons.forget_code(person.code)
    return response


def _moved(request: Any) -> tuple[StudyContext, Participant | None]:
    """Return the participation that an address opens, in its participant's language."""
    context = context_of(request)
    token = request.path_params["token"]
    code = context.secrets.value_of(MOVE, token, DAYS)
    code = code or context.secrets.value_of(RESUME, token, RESUME_DAYS)
    person = context.store.by_code(code) if isinstance(code, str) else None
    if person is not None:
        context = speak(request, person.language)
    return context, person
