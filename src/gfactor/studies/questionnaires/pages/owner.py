"""The owner's pages: who is where, what is slow, who drops out, which keys are challenged."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.context import StudyContext
from gfactor.studies.questionnaires.monitor import Overview, overview
from gfactor.studies.questionnaires.pages.replies import context_of, expired, message
from gfactor.studies.questionnaires.rulings import VERDICTS, answer_in
from gfactor.studies.questionnaires.views import shown_text
from gfactor.studies.web import csrf_token, genuine_fields, logged_in, redirect, route
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields


def routes() -> list[Any]:
    return [
        route("/owner/login", login_page),
        route("/owner/login", log_in, methods=["POST"]),
        route("/owner/logout", log_out, methods=["POST"]),
        route("/owner", monitor),
        route("/owner/monitor", monitor_part),
        route("/owner/close", close, methods=["POST"]),
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
    fields = await _genuine(request)
    if fields is None:
        return expired(request)
    if not context.owners.may_guess(request):
        return message(request, "expired_heading", "too_fast", 429)
    if not await _aside(context.secrets.is_password, fields.get("password")):
        return redirect(request, "/owner/login?wrong=1")
    return context.owners.log_in(request, redirect(request, "/owner"), "owner")


@logged_in
async def log_out(request: Any) -> Any:
    if await _genuine(request) is not None:
        context_of(request).owners.log_out(request)
    return redirect(request, "/owner/login")


@logged_in
async def monitor(request: Any) -> Any:
    context = context_of(request)
    seen = await _aside(_overview, context)
    ended = context.store.ended() is not None
    return context.pages.response(
        "monitor.html.j2", seen=seen, ended=ended, form_token=_token(request)
    )


@logged_in
async def monitor_part(request: Any) -> Any:
    """The part of the monitor that changes; its script asks for it every few seconds."""
    context = context_of(request)
    seen = await _aside(_overview, context)
    return context.pages.response("monitor_part.html.j2", seen=seen)


def _overview(context: StudyContext) -> Overview:
    return overview(context.store, context.study, plans=context.folder.plans)


@logged_in
async def close(request: Any) -> Any:
    """Close the study for good, where the owner has ticked that that is meant."""
    fields = await _genuine(request)
    if fields is None:
        return expired(request)
    if fields.get("sure") == "yes":
        context_of(request).store.end()
    return redirect(request, "/owner")


@logged_in
async def challenges(request: Any) -> Any:
    """Every challenge with the question as the participant saw it."""
    context = context_of(request)
    rows = await _aside(_challenged, context)
    return context.pages.response(
        "challenges.html.j2", rows=rows, verdicts=VERDICTS, form_token=_token(request)
    )


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
        shown = {
            "view": context.view(step, key=True),
            "answer": shown_text(text, item, step),
            "readable": readable,
        }
        rows.append({**row, **shown, "images": f"/owner/image/{person.code}/{position}/"})
    return rows


@logged_in
async def decide(request: Any) -> Any:
    """Store the owner's word on a challenge; everybody's score follows from it."""
    fields, context = await _genuine(request), context_of(request)
    if fields is None:
        return expired(request)
    code, item, verdict, reply = (fields.get(n) for n in ("code", "item", "verdict", "reply"))
    person = context.store.by_code(code)
    asked = [] if person is None else [s.item for s in person.form if s.kind == "item"]
    if person is None or item not in asked or verdict not in VERDICTS:
        return redirect(request, "/owner/challenges")
    given = {row["item"]: row["text"] for row in context.store.answers(code)}
    answer = {"accept": given.get(item, ""), "void": ""}.get(verdict)
    if verdict == "accept" and answer_in(context.item(item), str(answer)) is None:
        return redirect(request, "/owner/challenges")
    context.store.decide(code, item, verdict, reply[:5_000], answer)
    return redirect(request, "/owner/challenges")


async def _aside(work: Any, *given: Any) -> Any:
    """Do what takes a while in a thread, so that participants need not wait for it."""
    return await need("starlette.concurrency").run_in_threadpool(work, *given)


def _token(request: Any) -> str:
    context = context_of(request)
    return csrf_token(context.secrets, context.owners.token(request))


async def _genuine(request: Any) -> Fields | None:
    """The fields of the owner's post; None for a forged one."""
    context = context_of(request)
    return await genuine_fields(request, context.secrets, context.owners.token(request))
