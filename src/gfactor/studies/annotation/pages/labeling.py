"""Labeling errors in models' responses."""

from __future__ import annotations

import json
from typing import Any

from gfactor.studies.annotation.comments import comments_on
from gfactor.studies.annotation.draft import draft_of
from gfactor.studies.annotation.state import queue
from gfactor.studies.annotation.workspace import (
    form_of,
    message,
    original,
    page,
    posted,
    shown_pieces,
    workspace_of,
)
from gfactor.studies.web import logged_in, redirect, route
from gfactor.studies.web.forms import Fields

LONGEST_SHOWN = 20_000
"""Largest number of characters of a response on a page; the project has the whole response."""


def routes() -> list[Any]:
    return [
        route("/responses", first),
        route("/responses/{number:number}", show),
        route("/responses/{number:number}", label, methods=["POST"]),
        route("/responses/{number:number}/feedback", feedback),
    ]


@logged_in
async def first(request: Any) -> Any:
    """Return the first response that one has not labeled yet."""
    workspace = workspace_of(request)
    name = workspace.logins.who(request)
    done = {int(item) for item, who in workspace.store.latest("label") if who == name}
    left = [number for number in queue(workspace.store, name) if number not in done]
    if not left:
        return message(request, "Nothing to label", "Every response has a label of yours.")
    return redirect(request, f"/responses/{left[0]}")


@logged_in
async def show(request: Any) -> Any:
    """Show a response with its item, pictures and key."""
    workspace, number = workspace_of(request), request.path_params["number"]
    table = workspace.store.responses()
    rows = table.loc[table["id"] == number].to_dict("records")
    if not rows:
        return message(request, "Not here", "There is no such response.", 404)
    row = rows[0]
    item = workspace.item(row["item"])
    who = workspace.logins.who(request)
    numbers = queue(workspace.store, who)
    if number not in numbers:
        return message(request, "Not yours", "This response is not assigned to you.", 403)
    label = workspace.store.latest("label").get((str(number), who))
    index = numbers.index(number)
    workspace.show(who, str(number))
    sees_all = label is not None or workspace.role(who) == "adjudicator"
    return page(
        request,
        "response.html.j2",
        # Labels are blind: the page is given neither examinee nor condition.
        row={name: row[name] for name in ("id", "item", "answer")}
        | {"text": row["text"][:LONGEST_SHOWN]},
        cut=len(row["text"]) > LONGEST_SHOWN,
        item=item,
        original=original(item, workspace.numbers[item.id]),
        pieces=lambda text: shown_pieces(text, item, workspace.numbers[item.id]),
        labels=[choice.label for choice in item.choices],
        key=draft_of(item).parts[0],
        form=form_of(draft_of(item).general, item),
        scheme=workspace.scheme,
        own=json.loads(label.content) if label else {"category": "", "abilities": [], "note": ""},
        place=index + 1,
        total=len(numbers),
        # Comments of others are shown after one's own label.
        comments=comments_on(workspace.store, str(number), "" if sees_all else who),
        comment_at=f"/responses/{number}/comment",
        next=numbers[index + 1] if index + 1 < len(numbers) else None,
        previous=numbers[index - 1] if index else None,
    )


@logged_in
@posted
async def label(request: Any, fields: Fields) -> Any:
    """Add a label to the history, and go on to the next response."""
    workspace, number = workspace_of(request), request.path_params["number"]
    who = workspace.logins.who(request)
    numbers = queue(workspace.store, who)
    category = fields.get("category")
    if number not in numbers or category not in workspace.scheme.categories:
        return message(request, "Not saved", "Choose one of the categories.", 400)
    content = {
        "category": category,
        "abilities": [a for a in fields.all("ability") if a in workspace.scheme.abilities],
        "note": fields.get("note").strip()[:5_000],
    }
    seconds = workspace.seconds_since_shown(who, str(number))
    text = json.dumps(content, ensure_ascii=False)
    workspace.store.add(str(number), who, "label", text, seconds=seconds)
    if number in workspace.store.gold():
        return redirect(request, f"/responses/{number}/feedback")
    return redirect(request, _after(numbers, number))


def _after(numbers: list[int], number: int) -> str:
    later = [n for n in numbers if n > number]
    return f"/responses/{later[0]}" if later else "/responses"


@logged_in
async def feedback(request: Any) -> Any:
    """Return the known category of a response, once somebody has labeled it."""
    workspace, number = workspace_of(request), request.path_params["number"]
    who, gold = workspace.logins.who(request), workspace.store.gold().get(number)
    entry = workspace.store.latest("label").get((str(number), who))
    if gold is None or entry is None:
        return message(request, "Not here", "There is no such page.", 404)
    category = json.loads(entry.content)["category"]
    return page(
        request, "feedback.html.j2", said=category, known=gold[0], why=gold[1],
        on=_after(queue(workspace.store, who), number),
    )  # fmt: skip
