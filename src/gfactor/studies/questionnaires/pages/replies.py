"""Replies that several pages give, and what guards them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from gfactor.studies.questionnaires.room import Room
from gfactor.studies.web import FORGERY_FIELD, FORGERY_HEADER, check_forgery
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields, fields_of

Handler = Callable[[Any], Awaitable[Any]]


def room_of(request: Any) -> Room:
    return request.app.state.room


def redirect(path: str) -> Any:
    """See other: the answer to a post, so that a reload posts nothing again."""
    return need("starlette.responses").RedirectResponse(path, status_code=303)


def message(request: Any, heading: str, text: str, status: int = 200) -> Any:
    """A page with one sentence; `heading` and `text` are keys of the words."""
    room = room_of(request)
    return room.pages.response(
        "message.html.j2", status, heading=room.words(heading), text=room.words(text)
    )


async def genuine(request: Any) -> Fields | None:
    """The fields of a post from a page of ours in the same session; None for a forged one."""
    room = room_of(request)
    fields = await fields_of(request)
    token = request.headers.get(FORGERY_HEADER) or fields.get(FORGERY_FIELD)
    return fields if check_forgery(room.secrets, request, room.session(request), token) else None


def for_participants(handler: Handler) -> Handler:
    """A handler that only participants reach: others are sent to the first page."""

    @wraps(handler)
    async def guarded(request: Any) -> Any:
        room = room_of(request)
        person = room.participant(request)
        if person is None:
            return redirect("/")
        if not room.requests.allows(person.code):
            return message(request, "expired_heading", "too_fast", 429)
        request.state.person = person
        return await handler(request)

    return guarded
