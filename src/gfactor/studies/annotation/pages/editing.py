"""Editing an item: the original beside the draft, rendered while typing; and adjudication."""

from __future__ import annotations

from typing import Any

from gfactor.errors import GfactorError
from gfactor.items import Item
from gfactor.studies.annotation.checking import (
    DraftProblem,
    hints_for,
    option_labels,
    problems,
    tidied,
    types_for,
)
from gfactor.studies.annotation.comments import comments_on
from gfactor.studies.annotation.difference import differences, differences_of_all
from gfactor.studies.annotation.draft import (
    LETTERS,
    SCALE,
    AnnotationDraft,
    DraftQuestion,
    completed,
    draft_of,
)
from gfactor.studies.annotation.state import ItemState, states
from gfactor.studies.annotation.workspace import (
    Workspace,
    form_of,
    message,
    original,
    page,
    posted,
    shown_pieces,
    workspace_of,
)
from gfactor.studies.web import logged_in, route
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields


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
    """Show the editor, with the annotator's own last draft, or the original."""
    workspace, number = workspace_of(request), request.path_params["number"]
    if number >= len(workspace.numbers):
        return message(request, "Not here", "There is no such item.", 404)
    state = _state(workspace, number)
    saved = state.drafts.get(workspace.logins.who(request))
    item = workspace.item(state.item)
    draft = completed(AnnotationDraft.from_json(saved.content), item) if saved else draft_of(item)
    return _editor(request, state, number, draft, "draft")


@logged_in
async def adjudicate(request: Any) -> Any:
    """Show two drafts side by side, and the editor with the chosen one."""
    workspace, number = workspace_of(request), request.path_params["number"]
    if workspace.role(workspace.logins.who(request)) != "adjudicator":
        return message(request, "Not yours", "Only an adjudicator decides between drafts.", 403)
    if number >= len(workspace.numbers):
        return message(request, "Not here", "There is no such item.", 404)
    state = _state(workspace, number)
    who = workspace.logins.who(request)
    if not state.drafts:
        return message(request, "Nothing to decide", "Nobody has edited this item yet.")
    if state.blind_for(who, "adjudicator"):
        return message(request, "Not yet", _waiting(state, who), 403)
    chosen = request.query_params.get("from", "")
    entry = state.drafts.get(chosen) or state.adjudication or next(iter(state.drafts.values()))
    draft = completed(AnnotationDraft.from_json(entry.content), workspace.item(state.item))
    return _editor(request, state, number, draft, "adjudication")


@logged_in
@posted
async def save(request: Any, fields: Fields) -> Any:
    """Add a draft or an adjudication to the history."""
    workspace, number = workspace_of(request), request.path_params["number"]
    who, kind = workspace.logins.who(request), fields.get("kind", "draft")
    if number >= len(workspace.numbers):
        return _json({"error": "There is no such item."}, 404)
    if kind not in ("draft", "adjudication") or (
        kind == "adjudication" and workspace.role(who) != "adjudicator"
    ):
        return _json({"error": "Only an adjudicator decides between drafts."}, 403)
    state = _state(workspace, number)
    if kind == "adjudication" and state.blind_for(who, "adjudicator"):
        return _json({"error": _waiting(state, who)}, 403)
    if kind == "draft" and workspace.role(who) != "adjudicator" and who not in state.assigned:
        return _json({"error": "This item is not assigned to you."}, 403)
    try:
        draft = AnnotationDraft.from_json(fields.get("draft"))
    except GfactorError as error:
        return _json({"error": str(error)}, 400)
    item = workspace.item(state.item)
    draft = tidied(draft, item)
    if flaws := problems(draft, item):
        return _json({"error": _sentence(flaws[0])}, 400)
    seconds = workspace.seconds_since_shown(who, state.item)
    workspace.store.add(state.item, who, kind, draft.to_json(), seconds=seconds)
    return _json({"saved": True, "status": _state(workspace, number).status})


@logged_in
@posted
async def preview(request: Any, fields: Fields) -> Any:
    """Return a preview of the draft, with a list of its flaws."""
    workspace, number = workspace_of(request), request.path_params["number"]
    if number >= len(workspace.numbers):
        return message(request, "Not here", "There is no such item.", 404)
    item = workspace.item(workspace.project.bank.ids[number])
    try:
        draft = AnnotationDraft.from_json(fields.get("draft"))
    except GfactorError as error:
        return _json({"error": str(error)}, 400)
    draft = tidied(draft, item)
    return workspace.pages.response(
        "preview.html.j2",
        **_display(item, number, draft),
    )


@logged_in
async def history(request: Any) -> Any:
    """Show the entries about an item, oldest first, each compared with the one before. Drafts of
    others are shown only when all drafts are complete.
    """
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
    with_changes = []
    for entry in entries:
        draft = completed(AnnotationDraft.from_json(entry.content), item)
        by = f"{entry.annotator}, entry {entry.id}"
        with_changes.append((entry, differences(last[0], draft, last[1], by)))
        last = draft, by
    return page(
        request, "history.html.j2", item=item, number=number, entries=with_changes, blind=blind
    )


def _editor(request: Any, state: ItemState, number: int, draft: AnnotationDraft, kind: str) -> Any:
    workspace = workspace_of(request)
    item, who = workspace.item(state.item), workspace.logins.who(request)
    workspace.show(who, state.item)
    blind = state.blind_for(who, workspace.role(who))
    queue = [
        workspace.numbers[s.item]
        for s in _all(workspace)
        if (s.status == "to adjudicate" if kind == "adjudication" else who in s.assigned)
    ]
    drafts = {
        n: completed(AnnotationDraft.from_json(e.content), item) for n, e in state.drafts.items()
    }
    after = [n for n in queue if n > number]
    before = [n for n in queue if n < number]
    return page(
        request,
        "editor.html.j2",
        item=item,
        number=number,
        state=state,
        **_display(item, number, draft),
        kind=kind,
        original=original(item, number),
        raw=draft_of(item),
        empty=DraftQuestion(),
        letters=[*option_labels(draft_of(item).parts[0], item), *LETTERS],
        hints=hints_for(item),
        drafts=drafts,
        differences=differences_of_all(drafts) if kind == "adjudication" and drafts else [],
        scale=SCALE,
        comments=comments_on(workspace.store, item.id, who if blind else ""),
        comment_at=f"/item/{number}/comment",
        next=after[0] if after else None,
        previous=before[-1] if before else None,
    )


def _display(item: Item, number: int, draft: AnnotationDraft) -> dict[str, Any]:
    """Return the values with which templates show a draft and its problems."""
    return {
        "draft": draft,
        "pieces": lambda text: shown_pieces(text, item, number),
        "labels_of": lambda part: option_labels(part, item),
        "types": types_for(item),
        "form": form_of("\n".join((draft.general, *(p.content for p in draft.parts))), item),
        "problems": [_sentence(problem) for problem in problems(draft, item)],
    }


def _waiting(state: ItemState, who: str) -> str:
    """The reason why drafts of an item are not shown yet, and the condition for showing them."""
    if not state.drafts:
        return "There is nothing to decide: nobody has edited this item yet."
    sentences = ["Drafts are shown and decided on when all are in, so that all are independent."]
    if who in state.missing:
        sentences.append("Your own draft of this item is missing: edit it first.")
    if others := ", ".join(name for name in state.missing if name != who):
        sentences.append(
            f"Missing: {others}. If they will not come, the owner of the project takes the items "
            "back with `gfactor annotate assign FOLDER NAME --take-back`."
        )
    return " ".join(sentences)


def _state(workspace: Workspace, number: int) -> ItemState:
    item_id = workspace.project.bank.ids[number]
    return states(workspace.store, [item_id])[item_id]


def _all(workspace: Workspace) -> list[ItemState]:
    return list(states(workspace.store, workspace.project.bank.ids).values())


def _sentence(problem: DraftProblem) -> str:
    return f"Question {problem.part}: {problem.sentence}" if problem.part else problem.sentence


def _json(value: dict[str, Any], status: int = 200) -> Any:
    return need("starlette.responses").JSONResponse(value, status_code=status)
