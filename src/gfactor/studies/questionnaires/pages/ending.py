"""The end: the right answers and challenges of them, what was earned, the code to go back with."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.pages.replies import (
    expired,
    for_participants,
    genuine,
    room_of,
)
from gfactor.studies.questionnaires.pay import total
from gfactor.studies.questionnaires.room import Room
from gfactor.studies.questionnaires.store import Participant
from gfactor.studies.questionnaires.views import item_view, shown_text
from gfactor.studies.web import redirect
from gfactor.studies.web.extras import need

LONGEST_REASON = 5_000


def routes() -> list[Any]:
    route = need("starlette.routing").Route
    return [
        route("/results", results),
        route("/challenge", challenge, methods=["POST"]),
        route("/done", done),
    ]


@for_participants
async def results(request: Any) -> Any:
    """Every question with the given and the right answer; wrong ones may be challenged."""
    room, person = room_of(request), request.state.person
    if not _finished(room, person):
        return redirect("/task")
    room.store.shown(person.code, "results")
    if not room.study.disclose:
        return redirect("/done")
    rows = [row for row in room.store.answers(person.code) if row["kind"] == "item"]
    challenged = room.store.challenged(person.code)
    shown = [_row(room, person, number, row) for number, row in enumerate(rows, 1)]
    return room.pages.response(
        "results.html.j2",
        rows=shown,
        right=sum(row["right"] for row in rows),
        challenged=challenged,
        form_token=room.form_token(request),
    )


@for_participants
async def challenge(request: Any) -> Any:
    """Store why somebody thinks that a key is wrong."""
    room, person = room_of(request), request.state.person
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    item, reason = fields.get("item"), fields.get("reason").strip()
    own = {step.item for step in person.form if step.kind == "item"}
    if room.study.disclose and item in own and reason and _finished(room, person):
        room.store.challenge(person.code, item, reason[:LONGEST_REASON])
    return redirect(f"/results#item-{room.number(item)}" if item in own else "/results")


@for_participants
async def done(request: Any) -> Any:
    """Thanks, the sum and the completion code."""
    room, person = room_of(request), request.state.person
    if not _finished(room, person):
        return redirect("/task")
    room.store.shown(person.code, "done")
    pay = room.study.pay
    earned = total(pay, room.store.answers(person.code))
    paid = pay.base or pay.per_right
    return room.pages.response(
        "done.html.j2", sum=f"{earned:.2f} {pay.currency}".strip() if paid else ""
    )


def _finished(room: Room, person: Participant) -> bool:
    return room.persons.progress(person).position >= len(person.form)


def _row(room: Room, person: Participant, number: int, row: dict[str, Any]) -> dict[str, Any]:
    step = person.form[row["position"]]
    item = room.item(step.item)
    return {
        "number": number,
        "anchor": f"item-{room.number(item.id)}",
        "right": row["right"],
        "answer": shown_text(row["text"], item, step),
        "view": item_view(item, step, room.number(item.id)),
    }
