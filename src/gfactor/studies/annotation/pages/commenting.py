"""Posts of comments on items and responses."""

from __future__ import annotations

from typing import Any

from gfactor.studies.annotation.comments import add_comment
from gfactor.studies.annotation.state import queue, states
from gfactor.studies.annotation.workspace import message, posted, workspace_of
from gfactor.studies.web import logged_in, redirect, route
from gfactor.studies.web.forms import Fields


def routes() -> list[Any]:
    return [
        route("/item/{number:number}/comment", on_item, methods=["POST"]),
        route("/responses/{number:number}/comment", on_response, methods=["POST"]),
    ]


@logged_in
@posted
async def on_item(request: Any, fields: Fields) -> Any:
    """Add a comment on an item, by a person it is assigned to or by an adjudicator."""
    workspace, number = workspace_of(request), request.path_params["number"]
    if number >= len(workspace.numbers):
        return message(request, "Not here", "There is no such item.", 404)
    item, who = workspace.project.bank.ids[number], workspace.logins.who(request)
    assigned = states(workspace.store, [item])[item].assigned
    if who not in assigned and workspace.role(who) != "adjudicator":
        return message(request, "Not yours", "This item is not assigned to you.", 403)
    add_comment(workspace.store, item, who, fields.get("comment"))
    return redirect(request, f"/item/{number}#comments")


@logged_in
@posted
async def on_response(request: Any, fields: Fields) -> Any:
    """Add a comment on a response in the person's queue."""
    workspace, number = workspace_of(request), request.path_params["number"]
    who = workspace.logins.who(request)
    if number not in queue(workspace.store, who) and workspace.role(who) != "adjudicator":
        return message(request, "Not here", "There is no such response for you.", 404)
    add_comment(workspace.store, str(number), who, fields.get("comment"))
    return redirect(request, f"/responses/{number}#comments")
