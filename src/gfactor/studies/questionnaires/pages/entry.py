"""Consent and instructions, and withdrawal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from gfactor.studies.questionnaires.order.counterbalancing import condition_of
from gfactor.studies.questionnaires.pages.arrival import (
    SENT,
    RefusedError,
    external_of,
    names_anybody,
    sent_by,
    session_here,
)
from gfactor.studies.questionnaires.pages.context import COOKIE, StudyContext
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
    way_out,
)
from gfactor.studies.questionnaires.storing.participants import External, Participant
from gfactor.studies.questionnaires.storing.quotas import full_conditions, is_full
from gfactor.studies.questionnaires.study.languages import LanguageDraw, languages_of
from gfactor.studies.questionnaires.study.recruiting import SERVICES
from gfactor.studies.questionnaires.translations import words
from gfactor.studies.web import csrf_token, redirect, route, with_session
from gfactor.studies.web.headers import header, with_policy
from gfactor.studies.web.limits import client_of
from gfactor.studies.web.sessions import hashed, is_visitor, new_session, visitor_token


def routes() -> list[Any]:
    return [
        route("/", consent),
        route("/start", start, methods=["POST"]),
        route("/instructions", instructions),
        route("/withdraw", ask_withdrawal),
        route("/withdraw", withdraw, methods=["POST"]),
    ]


async def consent(request: Any) -> Any:
    """Show the first page. Participants who have begun continue where they stopped, by any of their
    addresses."""
    named = request.query_params.get("language", "")
    context = speak(request, named) if named else speak_to(request)
    person = context.participant(request)
    if (preview := _shown_by_service(request)) is not None:
        return preview
    if person is not None and not names_anybody(context, request):
        return redirect(request, "/task")
    try:
        sent = await sent_by(context, request)
    except RefusedError as error:
        return message(request, "link_heading", str(error), error.status)
    identity = context.secrets.value_of(SENT, sent) if sent else None
    external = external_of(context, identity)
    if person is not None and identity is None:
        return redirect(request, "/task")
    if external is not None:
        token = session_here(context, request, external)
        if token:
            response = redirect(request, "/task")
            return context.with_participant(request, response, token)
        if (code := context.store.continued(external)) is not None:
            return _go_on(request, code, sent)
    if context.store.ended() is not None:
        return message(request, "closed_heading", "closed")
    if (paused := context.store.paused()) is not None:
        return _paused(request, paused)
    # Another person may use the same browser now and begins with a separate consent.
    context.visited()
    return _with_form(request, partial(_consent_page, context, sent, _problem(context, request)))


def _consent_page(context: StudyContext, sent: str, problem: str, form_token: str) -> str:
    return context.pages.filled(
        "consent.html.j2",
        {"form_token": form_token, **({"sent": sent} if sent else {})},
        (bool(sent), problem),
        text=context.consent,
        sent=sent,
        languages=[(code, words(code)("name")) for code in languages_of(context.study)],
        reads=[(code, words(code)("name")) for code in context.study.random_languages or ()],
        problem=problem,
    )


def _shown_by_service(request: Any) -> Any | None:
    """Return what a service shows of the study before it begins: to somebody who only looks at the
    task that it has to be accepted first, and in a frame, where browsers keep no session, a link
    that opens it in a tab of its own; None for everybody else.
    """
    context = context_of(request)
    service = SERVICES[context.study.service] if context.study.service else None
    if service is None:
        return None
    handover = service.handover
    framed = handover is not None and header(request, b"sec-fetch-dest") == "iframe"
    if service.is_preview(request.query_params):
        response = message(request, "preview_heading", "preview")
    elif framed:
        query = urlencode(list(request.query_params.multi_items()))
        response = context.pages.response("framed.html.j2", query=query)
    else:
        return None
    return response if handover is None else with_policy(response, frames=handover.frames)


def _go_on(request: Any, code: str, sent: str) -> Any:
    """Ask whether to go on here with a participation that was begun elsewhere. Programs that look
    at addresses for a preview change nothing by that.
    """
    person = context_of(request).store.by_code(code)
    if person is not None:
        speak(request, person.language)
    context = context_of(request)
    hidden = {"sent": sent, "language": context.study.language, "agree": "yes"}
    hidden["reads"] = next(iter(context.study.random_languages or ()), "")
    page = partial(context.pages.text, "move_here.html.j2", action="/start", hidden=hidden)
    return _with_form(request, lambda token: page(form_token=token))


def _with_form(request: Any, page: Callable[[str], str]) -> Any:
    """A page with a form for this browser, made for the token of the form. A current participation
    in this browser continues until the form is sent."""
    context = context_of(request)
    token, here = context.session(request), context.participant(request) is not None
    if not here and not is_visitor(context.secrets, token):
        token = visitor_token(context.secrets)
    response = context.pages.html(page(csrf_token(context.secrets, token)))
    return response if here else with_session(response, COOKIE, token, context.address)


async def start(request: Any) -> Any:
    """Record consent; the participant gets a form and a new session."""
    context = context_of(request)
    here = context.participant(request)
    fields = await genuine(request)
    sent = fields.get("sent") if fields else ""
    identity = context.secrets.value_of(SENT, sent) if sent else None
    external = external_of(context, identity)
    if here is not None and (
        external is None or context.store.external_id(here.code) == external.id
    ):
        return redirect(request, "/task")
    context = speak(request, fields.get("language") if fields else "")
    genuine_visit = here is not None or is_visitor(context.secrets, context.session(request))
    if fields is None or not genuine_visit:
        return expired(request)
    if not context.starts.allows_request(request, client_of(request)):
        return message(request, "expired_heading", "too_fast", 429)
    reads = tuple(
        name for name in context.study.random_languages or () if name in fields.all("reads")
    )
    unsaid = context.study.random_languages is not None and not reads
    if fields.get("agree") != "yes" or unsaid:
        missing = "agree" if fields.get("agree") != "yes" else "reads"
        back = f"/?{missing}=no&language={context.study.language}"
        return redirect(request, f"{back}&sent={sent}" if identity else back)
    needed = {"required": identity is not None, "signed": bool(identity and identity[2])}
    if not needed.get(context.study.ids, True):
        return message(request, "link_heading", "id_missing", 400)
    again = external is not None and context.store.has_taken_part(external)
    if not again and (refused := _refused(request, external, reads)) is not None:
        return refused
    token = new_session()
    person = context.store.start(
        hashed(token),
        context.plan.start,
        language=context.study.language,
        consent_version=context.study.consent_version,
        declaration=context.folder.declaration,
        external=external,
        is_passed_over=_passed_over(context),
        draw=_draw(context, reads),
        consent=context.consent,
    )
    if person is None:
        taken = partial(context.pages.text, "taken.html.j2", problem="")
        return _with_form(request, lambda token: taken(form_token=token))
    context.persons.remember(hashed(token), person, is_new=external is None)
    response = redirect(request, _first(context, person))
    return context.with_participant(request, response, token)


def _refused(request: Any, external: External | None, reads: tuple[str, ...]) -> Any | None:
    """The reason why nobody may begin at the moment; None if people may."""
    context = context_of(request)
    if context.store.ended() is not None:
        return message(request, "closed_heading", "closed")
    if (paused := context.store.paused()) is not None:
        return _paused(request, paused)
    draw = _draw(context, reads)
    if is_full(context.study, context.store) if draw is None else not draw.available:
        context.store.count("full")
        identity = (external.id, dict(external.facts)) if external else ("", {})
        return way_out(request, "quota_full", *identity)
    return None


def _first(context: StudyContext, person: Participant) -> str:
    """Return the page where somebody goes on: the instructions before their first answer."""
    begun = context.persons.progress(person).position > 0
    return "/task" if begun or context.study.pages is not None else "/instructions"


@for_participants
async def instructions(request: Any) -> Any:
    context, person = context_of(request), person_of(request)
    context.store.pages.noted(person.code, "instructions")
    count = context.plan.most(person.number)
    is_open = context.plan.open
    page = context.pages.filled("instructions.html.j2", {"count": count}, open=is_open)
    return context.pages.html(page)


@for_participants
async def ask_withdrawal(request: Any) -> Any:
    context = context_of(request)
    return context.pages.response("withdraw.html.j2", form_token=context.form_token(request))


@for_participants
async def withdraw(request: Any) -> Any:
    """Delete everything of this participant."""
    context, person = context_of(request), person_of(request)
    if await genuine(request) is None:
        return expired(request)
    context.store.withdraw(person.code)
    context.persons.forget_code(person.code)
    await aside(context.store.erase_deleted)
    response = message(request, "withdrawn_heading", "withdrawn")
    response.delete_cookie(COOKIE, path=f"{context.address.prefix}/")
    return response


def _passed_over(context: StudyContext) -> Callable[[int], bool]:
    """Return a test of whether a number is skipped because the quota of its condition is full."""
    full = full_conditions(context.study, context.store)
    return lambda number: bool(full) and condition_of(context.study, number) in full


def _paused(request: Any, paused: Mapping[str, str]) -> Any:
    """Return the page for newcomers while the study is paused."""
    context = context_of(request)
    heading, text = context.words("paused_heading"), context.words("paused")
    return context.pages.response(
        "message.html.j2", heading=heading, text=paused["sentence"] or text
    )


def _draw(context: StudyContext, reads: tuple[str, ...]) -> LanguageDraw | None:
    """Return the draw of the language for a person who reads these; None if participants choose."""
    if not reads:
        return None
    study, store = context.study, context.store
    available = tuple(one for one in reads if not is_full(replace(study, language=one), store))
    return LanguageDraw(study, reads, available, context.folder.plans)


def _problem(context: StudyContext, request: Any) -> str:
    """Return the sentence about a field that was missing in the form."""
    for name, sentence in (("agree", "agree_first"), ("reads", "reads_missing")):
        if name in request.query_params:
            return context.words(sentence)
    return ""


async def not_found(request: Any, _: Exception) -> Any:
    return message(request, "not_found_heading", "not_found", 404)
