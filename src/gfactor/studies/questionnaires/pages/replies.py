"""Replies that several pages give, and what guards them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any

from gfactor.studies.questionnaires.context import StudyContext
from gfactor.studies.questionnaires.recruiting import way_back
from gfactor.studies.web import genuine_fields, redirect
from gfactor.studies.web.forms import Fields

_CONTEXT = "gfactor.context"

Handler = Callable[[Any], Awaitable[Any]]


def context_of(request: Any) -> StudyContext:
    """The study, in the language of whoever makes the request."""
    return request.scope.get(_CONTEXT) or request.app.state.context


def speak(request: Any, language: str) -> StudyContext:
    """Go on with a request in a language; the study in it."""
    request.scope[_CONTEXT] = context = context_of(request).speaking(language)
    return context


def message(request: Any, heading: str, text: str, status: int = 200) -> Any:
    """A page with one sentence; `heading` and `text` are keys of the words."""
    context = context_of(request)
    return context.pages.response(
        "message.html.j2", status, heading=context.words(heading), text=context.words(text)
    )


def way_out(
    request: Any, outcome: str, external_id: str = "", facts: Mapping[str, str] | None = None
) -> Any:
    """The last page of somebody who is screened out, or for whom a quota is full, with the way back
    to the service that sent them."""
    context = context_of(request)
    heading, text = _WAYS_OUT[outcome]
    return context.pages.response(
        "exit.html.j2",
        heading=context.words(heading),
        text=context.words(text),
        way=way_back(context.study, outcome, external_id, facts),
    )


_WAYS_OUT = {
    "quota_full": ("full_heading", "full_text"),
    "screened_out": ("screened_heading", "screened"),
}


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
        speak(request, person.language)
        return await handler(request)

    return guarded
