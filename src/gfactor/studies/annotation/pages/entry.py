"""Logging in and out, and the list of tasks."""

from __future__ import annotations

import hmac
from typing import Any

from gfactor.studies.annotation.state import states
from gfactor.studies.annotation.workspace import expired, genuine, message, page, workspace_of
from gfactor.studies.web import csrf_token, logged_in, redirect, route
from gfactor.studies.web.secrets import hashed_password

PER_PAGE = 100
STATUSES = ("open", "half done", "alike", "to adjudicate", "adjudicated")


def routes() -> list[Any]:
    return [
        route("/login", login_page),
        route("/login", log_in, methods=["POST"]),
        route("/logout", log_out, methods=["POST"]),
        route("/", overview),
    ]


async def login_page(request: Any) -> Any:
    workspace = workspace_of(request)

    def login_page(token: str) -> Any:
        return workspace.pages.response(
            "login.html.j2",
            who="",
            role="",
            form_token=csrf_token(workspace.project.secrets, token),
            problem="wrong" in request.query_params,
        )

    return workspace.logins.with_token(request, login_page)


async def log_in(request: Any) -> Any:
    workspace, fields = workspace_of(request), await genuine(request)
    if fields is None:
        return expired(request)
    if not workspace.logins.may_guess(request):
        return message(request, "Too many tries", "Please wait a minute and try again.", 429)
    name = fields.get("name")
    row = workspace.store.annotators().get(name)
    # An unknown name takes as much time as a wrong password, so that names cannot be found out.
    given = hashed_password(fields.get("password"), row.salt if row is not None else b"nobody")
    if row is None or not hmac.compare_digest(given, row.password_hash):
        return redirect(request, "/login?wrong=1")
    return workspace.logins.log_in(request, redirect(request, "/"), name)


@logged_in
async def log_out(request: Any) -> Any:
    if await genuine(request) is not None:
        workspace_of(request).logins.log_out(request)
    return redirect(request, "/login")


@logged_in
async def overview(request: Any) -> Any:
    """Show items with their state: annotators see their own items, adjudicators all."""
    workspace = workspace_of(request)
    who = workspace.logins.who(request)
    item_states = states(workspace.store, workspace.project.bank.ids)
    counts = {status: 0 for status in STATUSES}
    for state in item_states.values():
        counts[state.status] += 1
    wanted = request.query_params.get("status", "")
    adjudicates = workspace.role(who) == "adjudicator"
    rows = [
        {
            "item": state.item,
            "number": workspace.numbers[state.item],
            "status": state.status,
            "done": who in state.drafts,
            "people": ", ".join(state.assigned),
        }
        for state in item_states.values()
        if (adjudicates or who in state.assigned) and (not wanted or state.status == wanted)
    ]
    start = max(0, _whole(request.query_params.get("start", "0")))
    return page(
        request,
        "overview.html.j2",
        counts=counts,
        rows=rows[start : start + PER_PAGE],
        total=len(rows),
        start=start,
        per_page=PER_PAGE,
        wanted=wanted,
        responses=len(workspace.store.responses()),
    )


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
