"""The owner's pages: participants' progress, challenged keys, and opening and ending a study."""

from __future__ import annotations

from typing import Any

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.replies import (
    aside,
    changing,
    context_of,
    expired,
    for_owners,
    message,
    owners_fields,
    owners_page,
)
from gfactor.studies.questionnaires.pages.views import shown_text
from gfactor.studies.questionnaires.results.monitor import Overview, overview
from gfactor.studies.questionnaires.results.rulings import VERDICTS, answer_in
from gfactor.studies.questionnaires.storing.owners import FIRST
from gfactor.studies.web import csrf_token, redirect, route

LONGEST_SENTENCE = 1_000


def routes() -> list[Any]:
    return [
        route("/owner/login", login_page),
        route("/owner/login", log_in, methods=["POST"]),
        route("/owner/logout", log_out, methods=["POST"]),
        route("/owner", monitor),
        route("/owner/monitor", monitor_part),
        route("/owner/pause", pause, methods=["POST"]),
        route("/owner/resume", resume, methods=["POST"]),
        route("/owner/close", close, methods=["POST"]),
        route("/owner/reopen", reopen, methods=["POST"]),
        route("/owner/challenges", challenges),
        route("/owner/challenges", decide, methods=["POST"]),
    ]


async def login_page(request: Any) -> Any:
    context = context_of(request)

    def page(token: str) -> Any:
        return context.pages.response(
            "login.html.j2",
            form_token=csrf_token(context.secrets, token),
            problem="wrong" in request.query_params,
        )

    return context.owners.with_token(request, page)


async def log_in(request: Any) -> Any:
    context = context_of(request)
    fields = await owners_fields(request)
    if fields is None:
        return expired(request)
    if not context.owners.may_guess(request):
        return message(request, "expired_heading", "too_fast", 429)
    name, password = fields.get("name").strip() or FIRST, fields.get("password")
    owner = await aside(context.store.owners.check, name, password, context.secrets)
    if owner is None:
        return redirect(request, "/owner/login?wrong=1")
    context.store.log.add(owner.name, "logged in")
    return context.owners.log_in(request, redirect(request, "/owner"), owner.session)


@for_owners
async def log_out(request: Any) -> Any:
    if await owners_fields(request) is not None:
        context_of(request).owners.log_out(request)
    return redirect(request, "/owner/login")


@for_owners
async def monitor(request: Any) -> Any:
    context = context_of(request)
    seen = await aside(_overview, context)
    state = {"ended": context.store.ended(), "paused": context.store.paused()}
    return owners_page(request, "monitor.html.j2", seen=seen, **state)


@for_owners
async def monitor_part(request: Any) -> Any:
    """Return the changing part of the monitor, which its script requests every few seconds."""
    context = context_of(request)
    seen = await aside(_overview, context)
    return context.pages.response("monitor_part.html.j2", seen=seen)


def _overview(context: StudyContext) -> Overview:
    return overview(context.store, context.study, plans=context.folder.plans)


@changing
async def pause(request: Any) -> Any:
    """Pause the study: nobody can begin, but participants who have begun may finish."""
    sentence = request.state.fields.get("sentence").strip()[:LONGEST_SENTENCE]
    context_of(request).store.pause(sentence, request.state.owner.name)
    return redirect(request, "/owner")


@changing
async def resume(request: Any) -> Any:
    context_of(request).store.resume(request.state.owner.name)
    return redirect(request, "/owner")


@changing
async def close(request: Any) -> Any:
    """Close the study, if the owner has ticked the confirmation."""
    if request.state.fields.get("sure") == "yes":
        context_of(request).store.end(request.state.owner.name)
    return redirect(request, "/owner")


@changing
async def reopen(request: Any) -> Any:
    """Open a closed study again, unless participants may have seen right answers since."""
    context = context_of(request)
    try:
        context.store.reopen(context.study.disclose, request.state.owner.name)
    except ParameterError as error:
        return owners_page(request, "owner_message.html.j2", 409, text=str(error))
    return redirect(request, "/owner")


@for_owners
async def challenges(request: Any) -> Any:
    """Show every challenge with the question as the participant saw it."""
    rows = await aside(_challenged, context_of(request))
    return owners_page(request, "challenges.html.j2", rows=rows, verdicts=VERDICTS)


def _challenged(context: StudyContext) -> list[dict[str, Any]]:
    rows = []
    for row in context.store.frame("challenges").to_dict("records"):
        person = context.store.by_code(str(row["code"]))
        if person is None:
            continue
        position = next(k for k, s in enumerate(person.form) if s.item == row["item"])
        step, item = person.form[position], context.item(row["item"])
        text = context.store.answers(person.code)[position]["text"]
        readable = answer_in(item, text) is not None
        texts = {
            "view": context.view(step, key=True),
            "answer": shown_text(text, item, step),
            "readable": readable,
        }
        rows.append({**row, **texts, "images": f"/owner/image/{person.code}/{position}/"})
    return rows


@changing
async def decide(request: Any) -> Any:
    """Store the owner's decision on a challenge, by which all scores are computed."""
    fields, context = request.state.fields, context_of(request)
    code, item, verdict, reply = (fields.get(n) for n in ("code", "item", "verdict", "reply"))
    person = context.store.by_code(code)
    items = [] if person is None else [s.item for s in person.form if s.kind == "item"]
    if person is None or item not in items or verdict not in VERDICTS:
        return redirect(request, "/owner/challenges")
    given = {row["item"]: row["text"] for row in context.store.answers(code)}
    answer = {"accept": given.get(item, ""), "void": ""}.get(verdict)
    if verdict == "accept" and answer_in(context.item(item), str(answer)) is None:
        return redirect(request, "/owner/challenges")
    by = request.state.owner.name
    context.store.decide(code, item, verdict, reply[:5_000], answer, by)
    return redirect(request, "/owner/challenges")
