"""The owner's pages: who is where, what is slow, who drops out, which keys are challenged."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.dealing import from_json
from gfactor.studies.questionnaires.monitor import overview
from gfactor.studies.questionnaires.pages.replies import expired, message, room_of
from gfactor.studies.questionnaires.views import key_of
from gfactor.studies.web import forgery_token, genuine_fields, logged_in, redirect
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields

VERDICTS = ("upheld", "rejected")


def routes() -> list[Any]:
    route = need("starlette.routing").Route
    return [
        route("/owner/login", login_page),
        route("/owner/login", log_in, methods=["POST"]),
        route("/owner/logout", log_out, methods=["POST"]),
        route("/owner", monitor),
        route("/owner/monitor", monitor_part),
        route("/owner/challenges", challenges),
        route("/owner/challenges", decide, methods=["POST"]),
    ]


async def login_page(request: Any) -> Any:
    room = room_of(request)

    def page(token: str) -> Any:
        return room.pages.response(
            "login.html.j2",
            form_token=forgery_token(room.secrets, token),
            problem="wrong" in request.query_params,
        )

    return room.owners.with_token(request, page, secure=room.secure)


async def log_in(request: Any) -> Any:
    room = room_of(request)
    fields = await _genuine(request)
    if fields is None:
        return expired(request)
    if not room.owners.may_guess(request):
        return message(request, "expired_heading", "too_fast", 429)
    if not room.secrets.is_password(fields.get("password")):
        return redirect("/owner/login?wrong=1")
    return room.owners.log_in(redirect("/owner"), "owner", secure=room.secure)


@logged_in
async def log_out(request: Any) -> Any:
    if await _genuine(request) is not None:
        room_of(request).owners.log_out(request)
    return redirect("/owner/login")


@logged_in
async def monitor(request: Any) -> Any:
    room = room_of(request)
    return room.pages.response(
        "monitor.html.j2", seen=overview(room.store, room.study), form_token=_token(request)
    )


@logged_in
async def monitor_part(request: Any) -> Any:
    """The part of the monitor that changes; its script asks for it every few seconds."""
    room = room_of(request)
    return room.pages.response("monitor_part.html.j2", seen=overview(room.store, room.study))


@logged_in
async def challenges(request: Any) -> Any:
    room = room_of(request)
    found = room.store.frame("challenges").to_dict("records")
    people = room.store.frame("participants")
    forms = dict(zip(people["code"], map(from_json, people["form"]), strict=True))
    rows = []
    for row in found:
        step = next(s for s in forms[row["code"]] if s.item == row["item"])
        item = room.item(row["item"])
        rows.append({**row, "question": item.text, "key": key_of(item, step)})
    return room.pages.response(
        "challenges.html.j2", rows=rows, verdicts=VERDICTS, form_token=_token(request)
    )


@logged_in
async def decide(request: Any) -> Any:
    """Store the owner's word on a challenge."""
    fields = await _genuine(request)
    if fields is None:
        return expired(request)
    verdict = fields.get("verdict")
    if verdict in VERDICTS:
        code, item, reply = (fields.get(name) for name in ("code", "item", "reply"))
        room_of(request).store.decide(code, item, verdict, reply[:5_000])
    return redirect("/owner/challenges")


def _token(request: Any) -> str:
    room = room_of(request)
    return forgery_token(room.secrets, room.owners.token(request))


async def _genuine(request: Any) -> Fields | None:
    """The fields of the owner's post; None for a forged one."""
    room = room_of(request)
    return await genuine_fields(request, room.secrets, room.owners.token(request))
