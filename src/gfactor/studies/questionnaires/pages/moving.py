"""Going on on another device: an address that opens the same participation, for a day."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.context import COOKIE, StudyContext
from gfactor.studies.questionnaires.pages.replies import (
    context_of,
    expired,
    for_participants,
    genuine,
    message,
    person_of,
    speak,
)
from gfactor.studies.questionnaires.participants import Participant
from gfactor.studies.web import csrf_token, redirect, route, with_session
from gfactor.studies.web.sessions import hashed, is_visitor, new_session, visitor_token

MOVE = "move"
"""Purpose of the token in the address."""

DAYS = 1


def routes() -> list[Any]:
    return [
        route("/move", show),
        route("/move/{token:str}", ask),
        route("/move/{token:str}", move, methods=["POST"]),
    ]


@for_participants
async def show(request: Any) -> Any:
    """The address to be opened on the other device."""
    context, person = context_of(request), person_of(request)
    address = context.address
    base = f"{'https' if address.secure else 'http'}://{address.host or request.url.netloc}"
    token = context.secrets.token(MOVE, person.code, dated=True)
    return context.pages.response("move.html.j2", url=f"{base}{address.prefix}/move/{token}")


async def ask(request: Any) -> Any:
    """On the other device: whether to go on there. Programs that look at addresses for a preview
    change nothing by that."""
    context, person = _moved(request)
    if person is None:
        return message(request, "link_heading", "link_bad", 400)
    token = context.session(request)
    # Whoever takes part in this browser goes on doing so until they say that they move.
    here = context.participant(request) is not None
    if not here and not is_visitor(context.secrets, token):
        token = visitor_token(context.secrets)
    response = context.pages.response(
        "move_here.html.j2",
        action=f"/move/{request.path_params['token']}",
        form_token=csrf_token(context.secrets, token),
    )
    return response if here else with_session(response, COOKIE, token, context.address)


async def move(request: Any) -> Any:
    """The participation is this browser's now, and the other's no more."""
    context, person = _moved(request)
    if person is None:
        return message(request, "link_heading", "link_bad", 400)
    if await genuine(request) is None:
        return expired(request)
    token = new_session()
    context.store.move(person.code, hashed(token))
    context.persons.forget_code(person.code)
    return with_session(redirect(request, "/task"), COOKIE, token, context.address)


def _moved(request: Any) -> tuple[StudyContext, Participant | None]:
    """Whose participation an address opens, in their language."""
    context = context_of(request)
    code = context.secrets.value_of(MOVE, request.path_params["token"], DAYS)
    person = context.store.by_code(code) if isinstance(code, str) else None
    if person is not None:
        context = speak(request, person.language)
    return context, person
