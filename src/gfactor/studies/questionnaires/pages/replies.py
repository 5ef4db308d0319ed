"""Replies that several pages give, and what guards them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from gfactor.studies.questionnaires.context import StudyContext
from gfactor.studies.questionnaires.store import Participant
from gfactor.studies.web import genuine_fields, redirect
from gfactor.studies.web.forms import Fields

Handler = Callable[[Any], Awaitable[Any]]


def context_of(request: Any) -> StudyContext:
    """The study, in the language of whoever makes the request."""
    return getattr(request.state, "context", request.app.state.context)


def is_finished(context: StudyContext, person: Participant) -> bool:
    """Whether somebody has answered all that they are asked."""
    return context.persons.progress(person).position >= len(person.form)


def message(request: Any, heading: str, text: str, status: int = 200) -> Any:
    """A page with one sentence; `heading` and `text` are keys of the words."""
    context = context_of(request)
    return context.pages.response(
        "message.html.j2", status, heading=context.words(heading), text=context.words(text)
    )


def expired(request: Any) -> Any:
    """The answer to a post that did not come from a page of this session."""
    return message(request, "expired_heading", "expired", 403)


async def genuine(request: Any) -> Fields | None:
    """The fields of a participant's post; None for a forged one."""
    context = context_of(request)
    return await genuine_fields(request, context.secrets, context.session(request))


def for_participants(handler: Handler) -> Handler:
    """A handler that only participants reach: others are sent to the first page."""

    @wraps(handler)
    async def guarded(request: Any) -> Any:
        context = context_of(request)
        person = context.participant(request)
        if person is None:
            return redirect(request, "/")
        if not context.requests.allows_request(request, person.code):
            return message(request, "expired_heading", "too_fast", 429)
        request.state.person = person
        request.state.context = context.speaking(person.language)
        return await handler(request)

    return guarded
