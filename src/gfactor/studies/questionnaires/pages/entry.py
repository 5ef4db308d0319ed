"""The way in: consent, instructions; and the way out for those who withdraw."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.folder import LINK, can_be_kept
from gfactor.studies.questionnaires.pages.replies import (
    expired,
    for_participants,
    genuine,
    message,
    room_of,
)
from gfactor.studies.questionnaires.room import COOKIE, Room
from gfactor.studies.questionnaires.store import External
from gfactor.studies.web import forgery_token, redirect, route, with_session
from gfactor.studies.web.limits import client_of
from gfactor.studies.web.sessions import hashed, is_visitor, new_session, visitor_token

SENT = "sent_by"
"""Purpose of the token that carries whom the address names from the consent to the start."""


class _RefusedError(Exception):
    """An address whose id cannot be kept; the key of the sentence that says so."""


def routes() -> list[Any]:
    return [
        route("/", consent),
        route("/start", start, methods=["POST"]),
        route("/instructions", instructions),
        route("/withdraw", ask_withdrawal),
        route("/withdraw", withdraw, methods=["POST"]),
    ]


async def consent(request: Any) -> Any:
    """The first page; those who have begun go on where they left."""
    room, person = room_of(request), room_of(request).participant(request)
    if person is not None and not _names_anybody(room, request):
        return redirect(request, "/task")
    if room.store.ended() is not None:
        return message(request, "closed_heading", "closed")
    try:
        sent = _sent(room, request)
    except _RefusedError as error:
        return message(request, "link_heading", str(error), 400)
    named = room.secrets.value_of(SENT, sent)[0] if sent else None
    if person is not None and named in (None, room.store.external_id(person.code)):
        return redirect(request, "/task")
    # Somebody else may sit at the same browser now: they begin with a consent of their own.
    room.visited()
    token = room.session(request)
    if not is_visitor(room.secrets, token):
        token = visitor_token(room.secrets)
    response = room.pages.response(
        "consent.html.j2",
        text=room.study.consent or room.words("consent_text", days=room.study.retention_days),
        form_token=forgery_token(room.secrets, token),
        sent=sent,
        problem=room.words("agree_first") if "agree" in request.query_params else "",
    )
    return with_session(response, COOKIE, token, room.address)


async def start(request: Any) -> Any:
    """Consent given: a participant with a form, and a session that nobody knew before."""
    room = room_of(request)
    if room.participant(request) is not None:
        return redirect(request, "/task")
    fields = await genuine(request)
    if fields is None or not is_visitor(room.secrets, room.session(request)):
        return expired(request)
    if not room.starts.allows_request(request, client_of(request)):
        return message(request, "expired_heading", "too_fast", 429)
    sent = fields.get("sent")
    known = room.secrets.value_of(SENT, sent) if sent else None
    if fields.get("agree") != "yes":
        return redirect(request, f"/?agree=no&sent={sent}" if known else "/?agree=no")
    needed = {"required": known is not None, "signed": bool(known and known[2])}
    if not needed.get(room.study.ids, True):
        return message(request, "link_heading", "id_missing", 400)
    if room.store.ended() is not None:
        return message(request, "closed_heading", "closed")
    external = _external(room, known)
    again = external is not None and room.store.has_taken_part(external)
    if not again and room.study.quota and room.store.completed() >= room.study.quota:
        room.store.count("full")
        return message(request, "full_heading", "full_text")
    token = new_session()
    person = room.store.start(
        hashed(token),
        room.dealer.form,
        language=room.study.language,
        consent_version=room.study.consent_version,
        declaration=room.folder.declaration,
        external=external,
    )
    if person is None:
        return message(request, "full_heading", "taken")
    room.persons.forget_code(person.code)
    return with_session(redirect(request, "/instructions"), COOKIE, token, room.address)


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
    room.persons.forget_code(person.code)
    response = message(request, "withdrawn_heading", "withdrawn")
    response.delete_cookie(COOKIE, path=f"{room.address.prefix}/")
    return response


async def not_found(request: Any, _: Exception) -> Any:
    return message(request, "not_found_heading", "not_found", 404)


def _sent(room: Room, request: Any) -> str:
    """Whom the address names, as a token that the form carries; "" where it names nobody.

    Raises _RefusedError for an id that cannot be kept as it is, and where one is missing.
    """
    query, name = request.query_params, room.study.external_id
    again = query.get("sent", "")
    if again and room.secrets.value_of(SENT, again) is not None:
        return again
    if LINK in query:
        signed = room.secrets.value_of("participant", query[LINK])
        if not isinstance(signed, str):
            raise _RefusedError("link_bad")
        return room.secrets.token(SENT, [signed, [], True])
    if room.study.ids == "signed":
        raise _RefusedError("link_missing")
    if not name or name not in query:
        if room.study.ids == "required":
            raise _RefusedError("id_missing")
        return ""
    given = query.getlist(name)
    if len(given) != 1 or not can_be_kept(given[0]):
        raise _RefusedError("id_bad")
    facts = [[n, query[n]] for n in room.study.external_facts if n in query]
    if not all(can_be_kept(value) for _, value in facts):
        raise _RefusedError("id_bad")
    return room.secrets.token(SENT, [given[0], facts, False])


def _names_anybody(room: Room, request: Any) -> bool:
    """Whether the address says who comes."""
    query = request.query_params
    return LINK in query or (bool(room.study.external_id) and room.study.external_id in query)


def _external(room: Room, known: Any) -> External | None:
    if known is None:
        return None
    external_id, facts, signed = known
    return room.folder.external(external_id, signed=signed, facts=[tuple(f) for f in facts])
