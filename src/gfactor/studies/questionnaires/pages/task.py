"""The questions: each is shown once its pictures are ready, and stored before the next."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from gfactor.studies.questionnaires.dealing import CHECK_OPTIONS, Step
from gfactor.studies.questionnaires.marking import Marked, given, mark
from gfactor.studies.questionnaires.pages.replies import (
    expired,
    for_participants,
    genuine,
    room_of,
)
from gfactor.studies.questionnaires.room import Progress, Room
from gfactor.studies.questionnaires.store import Participant
from gfactor.studies.questionnaires.views import check_view, image_paths, item_view
from gfactor.studies.web import redirect
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields

GRACE_S = 5.0
"""Added to a time limit: what the network and a slow browser may take."""


def routes() -> list[Any]:
    route = need("starlette.routing").Route
    return [
        route("/task", show),
        route("/task", take, methods=["POST"]),
        route("/feedback/{position:int}", feedback),
    ]


@for_participants
async def show(request: Any) -> Any:
    """The next question as a page."""
    return _next(request, fragment=False)


@for_participants
async def take(request: Any) -> Any:
    """Store an answer; a post of a question already answered stores nothing and goes on."""
    room, person = room_of(request), request.state.person
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    fragment = request.headers.get("x-fragment") == "1"
    progress = room.persons.progress(person)
    if progress.position < len(person.form) and fields.get("position") == str(progress.position):
        position, step = progress.position, person.form[progress.position]
        if not _take(room, person, progress, fields):
            return _next(request, fragment=fragment, problem=room.words("no_answer"))
        if step.kind == "practice":
            path = f"/feedback/{position}"
            return _feedback(room, person, position, True) if fragment else redirect(path)
    return _next(request, fragment=fragment) if fragment else redirect("/task")


@for_participants
async def feedback(request: Any) -> Any:
    """Whether a practice answer was right, and what is."""
    room, person = room_of(request), request.state.person
    position = request.path_params["position"]
    practiced = position < room.persons.progress(person).position
    if not practiced or person.form[position].kind != "practice":
        return redirect("/task")
    return _feedback(room, person, position, fragment=False)


def _take(room: Room, person: Participant, progress: Progress, fields: Fields) -> bool:
    """Store the answer in a form's fields and go on; False where it is empty."""
    position, limit = progress.position, room.study.time_limit_s
    step = person.form[position]
    elapsed = time.time() - progress.since if progress.since is not None else None
    late = bool(limit and elapsed is not None and elapsed > limit + GRACE_S)
    marked = _marked(room, step, fields)
    if not marked.text and fields.get("over") != "1" and not late:
        return False
    facts = {
        "kind": step.kind,
        "item": step.item,
        "text": marked.text,
        "place": marked.place,
        "earned": marked.earned,
        "possible": marked.possible,
        "right": marked.right,
        "seconds": _seconds(fields, "seconds"),
        "server_seconds": elapsed,
        "away_count": int(_seconds(fields, "away_count") or 0),
        "away_seconds": _seconds(fields, "away_seconds") or 0.0,
        "resized": int(_seconds(fields, "resized") or 0),
        "late": late,
    }
    following = position + 1 < len(person.form) and step.kind != "practice"
    page = _page(position + 1) if following else ""
    _, since = room.store.answer(person.code, position, facts, page)
    progress.position, progress.since = position + 1, since if page else None
    return True


def _marked(room: Room, step: Step, fields: Fields) -> Marked:
    if step.kind == "check":
        chosen = next((o for o in CHECK_OPTIONS if o in fields.all("option")), "")
        place = CHECK_OPTIONS.index(chosen) if chosen else None
        return Marked(chosen, place, float(chosen == step.item), 1.0)
    item = room.item(step.item)
    return mark(item, *given(item, step, fields.values))


def _next(request: Any, *, fragment: bool, problem: str = "") -> Any:
    """The next question, or the end, as a page or as the part of it that changes."""
    room, person = room_of(request), request.state.person
    progress = room.persons.progress(person)
    if progress.position >= len(person.form):
        room.store.finish(person.code)
        return _go("/results") if fragment else redirect("/results")
    if progress.since is None or not fragment:
        progress.since = room.store.shown(person.code, _page(progress.position))
    values = _question(room, person, progress.position)
    name = "question.html.j2" if fragment else "task.html.j2"
    return room.pages.response(name, **values, problem=problem, form_token=room.form_token(request))


def _question(room: Room, person: Participant, position: int) -> Mapping[str, Any]:
    form, step = person.form, person.form[position]
    practice = sum(s.kind == "practice" for s in form)
    following = form[position + 1] if position + 1 < len(form) else None
    view = (
        check_view(step, room.words)
        if step.kind == "check"
        else item_view(room.item(step.item), step, room.number(step.item))
    )
    ahead = (
        ()
        if following is None or following.kind == "check"
        else image_paths(room.item(following.item), room.number(following.item))
    )
    return {
        "view": view,
        "position": position,
        "practice": step.kind == "practice",
        "number": position + 1 - (0 if step.kind == "practice" else practice),
        "count": practice if step.kind == "practice" else len(form) - practice,
        "limit": room.study.time_limit_s,
        "ahead": ahead,
    }


def _feedback(room: Room, person: Participant, position: int, fragment: bool) -> Any:
    answer = room.store.answers(person.code)[position]
    step = person.form[position]
    item = room.item(step.item)
    return room.pages.response(
        "feedback_part.html.j2" if fragment else "feedback.html.j2",
        right=answer["right"],
        view=item_view(item, step, room.number(step.item)),
    )


def _go(path: str) -> Any:
    """Tells the script of the page where to go."""
    return need("starlette.responses").Response(status_code=204, headers={"x-go": path})


def _page(position: int) -> str:
    return f"question-{position + 1}"


def _seconds(fields: Fields, name: str) -> float | None:
    """A number that the browser measured; None where it is none or cannot be."""
    try:
        value = float(fields.get(name))
    except ValueError:
        return None
    return value if math.isfinite(value) and 0 <= value < 1e6 else None
