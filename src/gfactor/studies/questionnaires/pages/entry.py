"""The way in: consent, instructions; and the way out for those who withdraw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gfactor.studies.questionnaires.context import COOKIE, StudyContext
from gfactor.studies.questionnaires.counterbalancing import condition_of
from gfactor.studies.questionnaires.folder import LINK, can_be_kept
from gfactor.studies.questionnaires.languages import LanguageDraw, languages_of
from gfactor.studies.questionnaires.pages.replies import (
    context_of,
    expired,
    for_participants,
    genuine,
    message,
    person_of,
    speak,
    way_out,
)
from gfactor.studies.questionnaires.participants import External
from gfactor.studies.questionnaires.quotas import full_conditions, is_full
from gfactor.studies.questionnaires.recruiting import SERVICES
from gfactor.studies.questionnaires.translations import words
from gfactor.studies.web import csrf_token, redirect, route, with_session
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
    context = speak(request, request.query_params.get("language", ""))
    person = context.participant(request)
    service = context.study.service
    if service and SERVICES[service].is_preview(request.query_params):
        return message(request, "preview_heading", "preview")
    if person is not None and not _names_anybody(context, request):
        return redirect(request, "/task")
    if context.store.ended() is not None:
        return message(request, "closed_heading", "closed")
    if (paused := context.store.paused()) is not None:
        return _paused(request, paused)
    try:
        sent = _sent(context, request)
    except _RefusedError as error:
        return message(request, "link_heading", str(error), 400)
    named = context.secrets.value_of(SENT, sent)[0] if sent else None
    if person is not None and named in (None, context.store.external_id(person.code)):
        return redirect(request, "/task")
    # Somebody else may sit at the same browser now: they begin with a consent of their own.
    context.visited()
    token = context.session(request)
    if not is_visitor(context.secrets, token):
        token = visitor_token(context.secrets)
    response = context.pages.response(
        "consent.html.j2",
        text=context.consent,
        form_token=csrf_token(context.secrets, token),
        sent=sent,
        languages=[(code, words(code)("name")) for code in languages_of(context.study)],
        reads=[(code, words(code)("name")) for code in context.study.random_languages or ()],
        problem=_problem(context, request),
    )
    return with_session(response, COOKIE, token, context.address)


async def start(request: Any) -> Any:
    """Consent given: a participant with a form, and a session that nobody knew before."""
    context = context_of(request)
    if context.participant(request) is not None:
        return redirect(request, "/task")
    fields = await genuine(request)
    context = speak(request, fields.get("language") if fields else "")
    if fields is None or not is_visitor(context.secrets, context.session(request)):
        return expired(request)
    if not context.starts.allows_request(request, client_of(request)):
        return message(request, "expired_heading", "too_fast", 429)
    sent = fields.get("sent")
    known = context.secrets.value_of(SENT, sent) if sent else None
    reads = tuple(
        name for name in context.study.random_languages or () if name in fields.all("reads")
    )
    unsaid = context.study.random_languages is not None and not reads
    if fields.get("agree") != "yes" or unsaid:
        missing = "agree" if fields.get("agree") != "yes" else "reads"
        back = f"/?{missing}=no&language={context.study.language}"
        return redirect(request, f"{back}&sent={sent}" if known else back)
    needed = {"required": known is not None, "signed": bool(known and known[2])}
    if not needed.get(context.study.ids, True):
        return message(request, "link_heading", "id_missing", 400)
    if context.store.ended() is not None:
        return message(request, "closed_heading", "closed")
    if (paused := context.store.paused()) is not None:
        return _paused(request, paused)
    external = _external(context, known)
    again = external is not None and context.store.has_taken_part(external)
    draw = _draw(context, reads)
    full = is_full(context.study, context.store) if draw is None else not draw.available
    if not again and full:
        context.store.count("full")
        sent_by = (external.id, dict(external.facts)) if external else ("", {})
        return way_out(request, "quota_full", *sent_by)
    token = new_session()
    person = context.store.start(
        hashed(token),
        context.plan.start,
        language=context.study.language,
        consent_version=context.study.consent_version,
        declaration=context.folder.declaration,
        external=external,
        is_passed_over=_passed_over(context),
        draw=draw,
        consent=context.consent,
    )
    if person is None:
        return message(request, "full_heading", "taken")
    context.persons.forget_code(person.code)
    first = "/instructions" if context.study.pages is None else "/task"
    return with_session(redirect(request, first), COOKIE, token, context.address)


@for_participants
async def instructions(request: Any) -> Any:
    context, person = context_of(request), person_of(request)
    context.store.pages.loaded(person.code, "instructions")
    count = context.plan.most(person.number)
    return context.pages.response("instructions.html.j2", count=count, open=context.plan.open)


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
    response = message(request, "withdrawn_heading", "withdrawn")
    response.delete_cookie(COOKIE, path=f"{context.address.prefix}/")
    return response


def _passed_over(context: StudyContext) -> Callable[[int], bool]:
    """Whether nobody gets a number, since the quota of its condition is full."""
    full = full_conditions(context.study, context.store)
    return lambda number: bool(full) and condition_of(context.study, number) in full


def _paused(request: Any, paused: Mapping[str, str]) -> Any:
    """What newcomers read while the study is paused."""
    context = context_of(request)
    heading, text = context.words("paused_heading"), context.words("paused")
    return context.pages.response(
        "message.html.j2", heading=heading, text=paused["sentence"] or text
    )


def _draw(context: StudyContext, reads: tuple[str, ...]) -> LanguageDraw | None:
    """Who draws the language of somebody who reads these; None where everybody chooses theirs."""
    if not reads:
        return None
    study, store = context.study, context.store
    available = tuple(one for one in reads if not is_full(replace(study, language=one), store))
    return LanguageDraw(study, reads, available, context.folder.plans)


def _problem(context: StudyContext, request: Any) -> str:
    """What was missing when the form was sent."""
    for name, sentence in (("agree", "agree_first"), ("reads", "reads_missing")):
        if name in request.query_params:
            return context.words(sentence)
    return ""


async def not_found(request: Any, _: Exception) -> Any:
    return message(request, "not_found_heading", "not_found", 404)


def _sent(context: StudyContext, request: Any) -> str:
    """Whom the address names, as a token that the form carries; "" where it names nobody.

    Raises _RefusedError for an id that cannot be kept as it is, and where one is missing.
    """
    query, name = request.query_params, context.study.external_id
    again = query.get("sent", "")
    if again and context.secrets.value_of(SENT, again) is not None:
        return again
    if LINK in query:
        signed = context.secrets.value_of("participant", query[LINK])
        if not isinstance(signed, str):
            raise _RefusedError("link_bad")
        return context.secrets.token(SENT, [signed, [], True])
    if context.study.ids == "signed":
        raise _RefusedError("link_missing")
    if not name or name not in query:
        if context.study.ids == "required":
            raise _RefusedError("id_missing")
        return ""
    given = query.getlist(name)
    if len(given) != 1 or not can_be_kept(given[0]):
        raise _RefusedError("id_bad")
    facts = [[n, query[n]] for n in context.study.external_facts if n in query]
    if not all(can_be_kept(value) for _, value in facts):
        raise _RefusedError("id_bad")
    return context.secrets.token(SENT, [given[0], facts, False])


def _names_anybody(context: StudyContext, request: Any) -> bool:
    """Whether the address says who comes."""
    query = request.query_params
    return LINK in query or (bool(context.study.external_id) and context.study.external_id in query)


def _external(context: StudyContext, known: Any) -> External | None:
    if known is None:
        return None
    external_id, facts, signed = known
    return context.folder.external(external_id, signed=signed, facts=[tuple(f) for f in facts])
