"""The way in: consent, instructions; and the way out for those who withdraw."""

from __future__ import annotations

import re
from typing import Any

from gfactor.studies.questionnaires.pages.replies import (
    expired,
    for_participants,
    genuine,
    message,
    room_of,
)
from gfactor.studies.questionnaires.room import COOKIE
from gfactor.studies.web import forgery_token, redirect, with_session
from gfactor.studies.web.extras import need
from gfactor.studies.web.limits import client_of
from gfactor.studies.web.sessions import hashed, new_session

_EXTERNAL = re.compile(r"[A-Za-z0-9_-]{1,64}")


def routes() -> list[Any]:
    route = need("starlette.routing").Route
    return [
        route("/", consent),
        route("/start", start, methods=["POST"]),
        route("/instructions", instructions),
        route("/withdraw", ask_withdrawal),
        route("/withdraw", withdraw, methods=["POST"]),
    ]


async def consent(request: Any) -> Any:
    """The first page; those who have begun go on where they left."""
    room = room_of(request)
    if room.participant(request) is not None:
        return redirect("/task")
    room.store.count("visits")
    token = room.session(request) or new_session()
    response = room.pages.response(
        "consent.html.j2",
        text=room.study.consent or room.words("consent_text", days=room.study.retention_days),
        form_token=forgery_token(room.secrets, token),
        external_id=_external(request.query_params.get(room.study.external_id or "\0", "")),
        problem=room.words("agree_first") if "agree" in request.query_params else "",
    )
    return with_session(response, COOKIE, token, secure=room.secure)


async def start(request: Any) -> Any:
    """Consent given: a participant with a form."""
    room = room_of(request)
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    if not room.starts.allows(client_of(request)):
        return message(request, "expired_heading", "too_fast", 429)
    if room.participant(request) is not None:
        return redirect("/task")
    external = _external(fields.get("external_id"))
    if fields.get("agree") != "yes":
        query = f"&{room.study.external_id}={external}" if external else ""
        return redirect(f"/?agree=no{query}")
    if room.study.quota and room.store.completed() >= room.study.quota:
        room.store.count("full")
        return message(request, "full_heading", "full_text")
    person = room.store.start(
        hashed(room.session(request)),
        room.dealer.form,
        language=room.study.language,
        consent_version=room.study.consent_version,
        external_id=external,
    )
    return redirect("/instructions") if person else message(request, "full_heading", "taken")


@for_participants
async def instructions(request: Any) -> Any:
    room, person = room_of(request), request.state.person
    room.store.shown(person.code, "instructions")
    count = sum(step.kind != "practice" for step in person.form)
    return room.pages.response("instructions.html.j2", count=count)


@for_participants
async def ask_withdrawal(request: Any) -> Any:
    room = room_of(request)
    return room.pages.response("withdraw.html.j2", form_token=room.form_token(request))


@for_participants
async def withdraw(request: Any) -> Any:
    """Delete everything of this participant."""
    room, person = room_of(request), request.state.person
    if await genuine(request) is None:
        return expired(request)
    room.store.withdraw(person.code)
    room.persons.forget(hashed(room.session(request)))
    response = message(request, "withdrawn_heading", "withdrawn")
    response.delete_cookie(COOKIE)
    return response


async def not_found(request: Any, _: Exception) -> Any:
    return message(request, "not_found_heading", "not_found", 404)


def _external(text: str) -> str:
    """A recruiting service's id where it looks like one, else nothing."""
    return text if _EXTERNAL.fullmatch(text) else ""
