"""Replies that several pages give, and guards of handlers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any

from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.study.languages import languages_of, preferred
from gfactor.studies.questionnaires.study.recruiting import way_back
from gfactor.studies.web import csrf_token, genuine_fields, redirect
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields
from gfactor.studies.web.headers import header, with_policy

CONTEXT = "gfactor.context"
_PERSON = "gfactor.person"

Handler = Callable[[Any], Awaitable[Any]]


def context_of(request: Any) -> StudyContext:
    """Return the study's context in the language of the person who makes the request."""
    return request.scope[CONTEXT]


def person_of(request: Any) -> Participant:
    """Return the participant who makes a request, in a handler for participants."""
    return request.scope[_PERSON]


def set_person(request: Any, person: Participant) -> None:
    """Store the participant of a request, or its new state after an answer."""
    request.scope[_PERSON] = person


def speak(request: Any, language: str) -> StudyContext:
    """Set the language of a request; return the study's context in it."""
    request.scope[CONTEXT] = context = context_of(request).speaking(language)
    return context


def speak_to(request: Any, language: str = "") -> StudyContext:
    """Set the language of a request to the named one, to the participant's, or to the browser's
    preferred one among the study's; return the study's context in it."""
    context = context_of(request)
    person = context.participant(request)
    accepted = header(request, b"accept-language")
    languages = languages_of(context.folder.study)
    chosen = language or (person.language if person else preferred(accepted, languages))
    return speak(request, chosen)


def is_finished(context: StudyContext, person: Participant) -> bool:
    """Return True if somebody has answered all that they are asked."""
    progress = context.persons.progress(person)
    return progress.position >= len(person.form) and not progress.outcome


def message(request: Any, heading: str, text: str, status: int = 200) -> Any:
    """Return a page with one sentence; `heading` and `text` are keys of the words."""
    context = context_of(request)
    return context.pages.response(
        "message.html.j2", status, heading=context.words(heading), text=context.words(text)
    )


def way_out(
    request: Any,
    outcome: str,
    external_id: str = "",
    facts: Mapping[str, str] | None = None,
    *,
    code: str = "",
    text: str = "",
    receipt: str = "",
) -> Any:
    """Return the last page of a participant who is screened out, or whose quota is full, with the
    way back to the recruiting service. `code` and `text` replace the usual ones; `receipt` is the
    code with which the participant can request the stored data."""
    context = context_of(request)
    study = context.study
    if code:
        study = replace(study, codes={**(study.codes or {}), outcome: code})
    heading, usual = _WAYS_OUT[outcome]
    way = way_back(study, outcome, external_id, facts)
    response = context.pages.response(
        "exit.html.j2",
        heading=context.words(heading),
        text=context.words(text or usual),
        receipt=receipt,
        way=way,
    )
    return with_policy(response, forms_to=way.origin) if way.form else response


_WAYS_OUT = {
    "quota_full": ("full_heading", "full_text"),
    "screened_out": ("screened_heading", "screened"),
}


def expired(request: Any) -> Any:
    """Return the page for a post that did not come from a page of this session."""
    return message(request, "expired_heading", "expired", 403)


async def genuine(request: Any) -> Fields | None:
    """Return the fields of a participant's post; None for a forged one."""
    context = context_of(request)
    return await genuine_fields(request, context.secrets, context.session(request))


class GoneError(Exception):
    """A participation was deleted, or has moved to another session."""


def for_participants(handler: Handler) -> Handler:
    """Return a handler for participants only; others are sent to the first page."""
    return _guarded(handler, remembered=False)


def for_answers(handler: Handler) -> Handler:
    """Like `for_participants`, but using the memory only, for a handler that stores an answer: its
    transaction checks that the participation exists, or else calls `look_again`."""
    return _guarded(handler, remembered=True)


def _guarded(handler: Handler, *, remembered: bool) -> Handler:
    @wraps(handler)
    async def guarded(request: Any) -> Any:
        context = context_of(request)
        person = context.participant(request, remembered=remembered)
        if person is None:
            return redirect(request, "/")
        if not context.requests.allows_request(request, person.code):
            return message(request, "expired_heading", "too_fast", 429)
        set_person(request, person)
        speak(request, person.language)
        try:
            return await handler(request)
        except GoneError:
            return redirect(request, "/")

    return guarded


def look_again(request: Any) -> Participant:
    """Return the current state of the participant in the database.

    Raises GoneError if it has nobody for the session.
    """
    person = context_of(request).participant(request)
    if person is None:
        raise GoneError
    set_person(request, person)
    return person


def for_owners(handler: Handler) -> Handler:
    """Return a handler for owners of any role; others are sent to the login page.
    `request.state.owner` is the owner."""

    @wraps(handler)
    async def guarded(request: Any) -> Any:
        context = context_of(request)
        owner = context.store.owners.of_session(context.owners.who(request))
        if owner is None:
            return redirect(request, "/owner/login")
        request.state.owner = owner
        return await handler(request)

    return guarded


def changing(handler: Handler) -> Handler:
    """Return a handler for posts of people with the role of an owner, from a page of their session;
    `request.state.fields` are the fields."""

    @for_owners
    @wraps(handler)
    async def guarded(request: Any) -> Any:
        fields = await owners_fields(request)
        if fields is None:
            return expired(request)
        if request.state.owner.role != "owner":
            return message(request, "expired_heading", "viewers_read", 403)
        request.state.fields = fields
        return await handler(request)

    return guarded


async def owners_fields(request: Any) -> Fields | None:
    """Return the fields of an owner's post; None for a forged one."""
    context = context_of(request)
    return await genuine_fields(request, context.secrets, context.owners.token(request))


def owners_page(request: Any, template: str, status: int = 200, **values: Any) -> Any:
    """Return a page for owners, with the name of the person who is logged in."""
    context = context_of(request)
    token = csrf_token(context.secrets, context.owners.token(request))
    return context.pages.response(
        template, status, owner=request.state.owner, form_token=token, **values
    )


async def aside(work: Callable[..., Any], *given: Any) -> Any:
    """Run slow work in a thread, so that participants do not wait for it."""
    return await need("starlette.concurrency").run_in_threadpool(work, *given)
