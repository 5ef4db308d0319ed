"""Editing an item: the original beside the draft, rendered while typing; and adjudication."""

from __future__ import annotations

from typing import Any

from gfactor.errors import GfactorError
from gfactor.studies.annotation.comments import comments_on
from gfactor.studies.annotation.difference import differences, differences_of_all
from gfactor.studies.annotation.draft import SCALE, TYPES, Draft, draft_of, problems
from gfactor.studies.annotation.state import ItemState, states
from gfactor.studies.annotation.workspace import (
    Workspace,
    expired,
    genuine,
    message,
    original,
    page,
    shown_pieces,
    workspace_of,
)
from gfactor.studies.web import logged_in, route
from gfactor.studies.web.extras import need


def routes() -> list[Any]:
    return [
        route("/item/{number:number}", edit),
        route("/item/{number:number}", save, methods=["POST"]),
        route("/item/{number:number}/preview", preview, methods=["POST"]),
        route("/item/{number:number}/history", history),
        route("/adjudicate/{number:number}", adjudicate),
    ]


@logged_in
async def edit(request: Any) -> Any:
    """The editor, with the annotator's own last draft, or the original."""
    workspace, number = workspace_of(request), request.path_params["number"]
    if number >= len(workspace.numbers):
        return message(request, "Not here", "There is no such item.", 404)
    state = _state(workspace, number)
    saved = state.drafts.get(workspace.logins.who(request))
    draft = Draft.from_json(saved.content) if saved else draft_of(workspace.item(state.item))
    return _editor(request, state, number, draft, "draft")


@logged_in
async def adjudicate(request: Any) -> Any:
    """Two drafts side by side, and the editor with the one chosen."""
    workspace, number = workspace_of(request), request.path_params["number"]
    if workspace.role(workspace.logins.who(request)) != "adjudicator":
        return message(request, "Not yours", "Only an adjudicator decides between drafts.", 403)
    if number >= len(workspace.numbers):
        return message(request, "Not here", "There is no such item.", 404)
    state = _state(workspace, number)
    who = workspace.logins.who(request)
    if state.blind_for(who, "adjudicator"):
        return message(
            request,
            "Not yet",
            "This item is assigned to you: drafts are shown when all are in.",
            403,
        )
    if not state.drafts:
        return message(request, "Nothing to decide", "Nobody has edited this item yet.")
    chosen = request.query_params.get("from", "")
    entry = state.drafts.get(chosen) or state.adjudication or next(iter(state.drafts.values()))
    return _editor(request, state, number, Draft.from_json(entry.content), "adjudication")


@logged_in
async def save(request: Any) -> Any:
    """Add a draft or an adjudication to the history."""
    workspace, number = workspace_of(request), request.path_params["number"]
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    who, kind = workspace.logins.who(request), fields.get("kind", "draft")
    if number >= len(workspace.numbers):
        return _json({"error": "There is no such item."}, 404)
    if kind not in ("draft", "adjudication") or (
        kind == "adjudication" and workspace.role(who) != "adjudicator"
    ):
        return _json({"error": "Only an adjudicator decides between drafts."}, 403)
    state = _state(workspace, number)
    if kind == "adjudication" and state.blind_for(who, "adjudicator"):
        return _json({"error": "Drafts of this item are decided on when all are in."}, 403)
    if kind == "draft" and workspace.role(who) != "adjudicator" and who not in state.assigned:
        return _json({"error": "This item is not assigned to you."}, 403)
    try:
        draft = Draft.from_json(fields.get("draft"))
    except GfactorError as error:
        return _json({"error": str(error)}, 400)
    flaws = problems(draft, len(workspace.item(state.item).images))
    if flaws:
        return _json({"error": _told(flaws[0])}, 400)
    seconds = workspace.seconds_since_shown(who, state.item)
    workspace.store.add(state.item, who, kind, draft.to_json(), seconds=seconds)
    return _json({"saved": True, "status": _state(workspace, number).status})


@logged_in
async def preview(request: Any) -> Any:
    """The draft as it will look, with what is wrong with it."""
    workspace, number = workspace_of(request), request.path_params["number"]
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    if number >= len(workspace.numbers):
        return message(request, "Not here", "There is no such item.", 404)
    item = workspace.item(workspace.project.bank.ids[number])
    try:
        draft = Draft.from_json(fields.get("draft"))
    except GfactorError as error:
        return _json({"error": str(error)}, 400)
    return workspace.pages.response(
        "preview.html.j2",
        draft=draft,
        pieces=lambda text: shown_pieces(text, item, number),
        types=TYPES,
        problems=[_told(problem) for problem in problems(draft, len(item.images))],
    )


@logged_in
async def history(request: Any) -> Any:
    """What was said of an item, oldest first, each beside what was said before; drafts of others
    only from when all are in."""
    workspace, number = workspace_of(request), request.path_params["number"]
    if number >= len(workspace.numbers):
        return message(request, "Not here", "There is no such item.", 404)
    state, who = _state(workspace, number), workspace.logins.who(request)
    blind = state.blind_for(who, workspace.role(who))
    item = workspace.item(state.item)
    entries = [
        e for e in workspace.store.history(item.id)
        if e.kind in ("draft", "adjudication") and (not blind or e.annotator == who)
    ]  # fmt: skip
    last = draft_of(item), "the original"
    shown = []
    for entry in entries:
        draft, by = Draft.from_json(entry.content), f"{entry.annotator}, entry {entry.id}"
        shown.append((entry, differences(last[0], draft, last[1], by)))
        last = draft, by
    return page(request, "history.html.j2", item=item, number=number, entries=shown, blind=blind)


def _editor(request: Any, state: ItemState, number: int, draft: Draft, kind: str) -> Any:
    workspace = workspace_of(request)
    item, who = workspace.item(state.item), workspace.logins.who(request)
    workspace.show(who, state.item)
    blind = state.blind_for(who, workspace.role(who))
    assigned = [
        workspace.numbers[s.item]
        for s in _all(workspace)
        if who in s.assigned or kind == "adjudication"
    ]
    drafts = {n: Draft.from_json(e.content) for n, e in state.drafts.items()}
    after = [n for n in assigned if n > number]
    before = [n for n in assigned if n < number]
    return page(
        request,
        "editor.html.j2",
        item=item,
        number=number,
        state=state,
        draft=draft,
        kind=kind,
        original=original(item, number),
        raw=draft_of(item),
        pieces=lambda text: shown_pieces(text, item, number),
        drafts=drafts,
        differences=differences_of_all(drafts) if kind == "adjudication" and drafts else [],
        types=TYPES,
        scale=SCALE,
        comments=comments_on(workspace.store, item.id, who if blind else ""),
        comment_at=f"/item/{number}/comment",
        next=after[0] if after else None,
        previous=before[-1] if before else None,
        problems=[_told(problem) for problem in problems(draft, len(item.images))],
    )


def _state(workspace: Workspace, number: int) -> ItemState:
    item_id = workspace.project.bank.ids[number]
    return states(workspace.store, [item_id])[item_id]


def _all(workspace: Workspace) -> list[ItemState]:
    return list(states(workspace.store, workspace.project.bank.ids).values())


def _told(problem: Any) -> str:
    return f"Question {problem.part}: {problem.sentence}" if problem.part else problem.sentence


def _json(value: dict[str, Any], status: int = 200) -> Any:
    return need("starlette.responses").JSONResponse(value, status_code=status)
