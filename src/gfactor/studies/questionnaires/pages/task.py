"""The questions: each is shown once its pictures are ready, and stored before the next."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from gfactor.studies.questionnaires.allocation import CHECK_OPTIONS, Step, to_json
from gfactor.studies.questionnaires.context import Progress, StudyContext
from gfactor.studies.questionnaires.marking import Given, Marked, given, mark
from gfactor.studies.questionnaires.pages.replies import (
    context_of,
    expired,
    for_participants,
    genuine,
    message,
)
from gfactor.studies.questionnaires.store import Participant
from gfactor.studies.web import redirect, route
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields

GRACE_S = 5.0
"""Added to a time limit: what the network and a slow browser may take."""

EARLY_S = 0.5
"""How much earlier than the server's clock a browser's may say that the time is over."""


def routes() -> list[Any]:
    return [
        route("/task", show),
        route("/task", take, methods=["POST"]),
        route("/feedback/{position:number}", feedback),
    ]


@for_participants
async def show(request: Any) -> Any:
    """The next question as a page."""
    return _next(request, fragment=False)


@for_participants
async def take(request: Any) -> Any:
    """Store an answer; a post of a question already answered stores nothing and goes on."""
    context, person = context_of(request), request.state.person
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    fragment = request.headers.get("x-fragment") == "1"
    progress = context.persons.progress(person)
    if progress.position < len(person.form) and fields.get("position") == str(progress.position):
        position, step = progress.position, person.form[progress.position]
        problem = _take(context, person, progress, fields)
        if problem:
            words = ", ".join(_words(context, step))
            said = context.words(problem, words=words)
            return _next(request, fragment=fragment, problem=said, typed=fields.values)
        if step.kind == "practice" and progress.position > position:
            path = f"/feedback/{position}"
            return (
                _feedback(context, person, position, True) if fragment else redirect(request, path)
            )
        if fragment and progress.position > position:
            return _next(request, fragment=True, still_open=True)
    return _next(request, fragment=fragment) if fragment else redirect(request, "/task")


@for_participants
async def feedback(request: Any) -> Any:
    """Whether a practice answer was right, and what is."""
    context, person = context_of(request), request.state.person
    position = request.path_params["position"]
    practiced = position < context.persons.progress(person).position
    if not practiced or person.form[position].kind != "practice":
        return redirect(request, "/task")
    return _feedback(context, person, position, fragment=False)


def _take(context: StudyContext, person: Participant, progress: Progress, fields: Fields) -> str:
    """Store the answer in a form's fields and go on.

    Returns what is wrong with it, a key of the words, "" where it was stored. Only once the time
    limit is over, by the server's clock, is an answer stored as it stands, empty or unfinished.
    """
    position, limit = progress.position, context.study.time_limit_s
    step = person.form[position]
    if progress.since is None:
        # The server was started again since; or nobody has asked for the question at all.
        progress.since = context.store.shown(person.code, _page(position))
    elapsed = max(0.0, time.time() - progress.since)
    over = bool(limit and elapsed >= limit - EARLY_S)
    said = _given(context, step, fields)
    if not over and (said.problem or not said.text):
        return said.problem or "no_answer"
    marked = _marked(context, step, said)
    facts = {
        "kind": step.kind,
        "item": step.item,
        "text": marked.text,
        "place": marked.position,
        "earned": marked.earned,
        "possible": marked.possible,
        "right": marked.right,
        "seconds": _seconds(fields, "seconds"),
        "server_seconds": None if context.simulated else elapsed,
        "away_count": int(_seconds(fields, "away_count") or 0),
        "away_seconds": _seconds(fields, "away_seconds") or 0.0,
        "resized": int(_seconds(fields, "resized") or 0),
        "late": bool(limit and elapsed > limit + GRACE_S),
    }
    last = position + 1 == len(person.form)
    page = "" if last or step.kind == "practice" else _page(position + 1)
    stored, since = context.store.answer(person.code, position, facts, page, last=last)
    if not stored:
        # Closed, or answered by another process: the database knows where this person is.
        context.persons.forget_code(person.code)
        return ""
    progress.position, progress.since = position + 1, since if page else None
    return ""


def _given(context: StudyContext, step: Step, fields: Fields) -> Given:
    if step.kind == "check":
        chosen = next((o for o in CHECK_OPTIONS if o in fields.all("option")), "")
        return Given(chosen, CHECK_OPTIONS.index(chosen) if chosen else None)
    return given(context.item(step.item), step, fields.values)


def _marked(context: StudyContext, step: Step, said: Given) -> Marked:
    if step.kind == "check":
        return Marked(said.text, said.position, float(said.text == step.item), 1.0)
    return mark(context.item(step.item), said.text, said.position)


def _words(context: StudyContext, step: Step) -> tuple[str, ...]:
    fmt = context.item(step.item).output_format if step.kind != "check" else None
    return fmt.vocabulary if fmt else ()


def _next(
    request: Any,
    *,
    fragment: bool,
    problem: str = "",
    typed: Mapping[str, list[str]] | None = None,
    still_open: bool = False,
) -> Any:
    """The next question, or the end, as a page or as the part of it that changes; `typed` is what
    stands in the fields of a form that is shown again, `still_open` says that an answer was stored
    just now, so that the study is not closed."""
    context, person = context_of(request), request.state.person
    progress = context.persons.progress(person)
    if progress.position >= len(person.form):
        return _go(context, "/results") if fragment else redirect(request, "/results")
    if not still_open and context.store.ended() is not None:
        return (
            _go(context, "/") if fragment else message(request, "closed_heading", "closed_for_you")
        )
    if progress.since is None or not fragment:
        progress.since = context.store.shown(person.code, _page(progress.position))
    values = _question(context, person, progress)
    name = "question.html.j2" if fragment else "task.html.j2"
    return context.pages.response(
        name,
        **values,
        problem=problem,
        typed=typed or {},
        step=to_json([person.form[progress.position]]) if context.is_bot(request) else "",
        form_token=context.form_token(request),
    )


def _question(context: StudyContext, person: Participant, progress: Progress) -> Mapping[str, Any]:
    form, position = person.form, progress.position
    step = form[position]
    practice = next((k for k, s in enumerate(form) if s.kind != "practice"), len(form))
    following = form[position + 1] if position + 1 < len(form) else None
    folder, ahead = context.images(person), 0
    if following is not None and following.kind != "check":
        ahead = len(context.item(following.item).images)
    return {
        "view": context.view(step),
        "images": f"{folder}{position}/",
        "position": position,
        "practice": step.kind == "practice",
        "number": position + 1 - (0 if step.kind == "practice" else practice),
        "count": practice if step.kind == "practice" else len(form) - practice,
        "limit": context.study.time_limit_s,
        "elapsed": max(0.0, time.time() - progress.since) if progress.since else 0.0,
        "ahead": [f"{folder}{position + 1}/{k}" for k in range(ahead)],
    }


def _feedback(context: StudyContext, person: Participant, position: int, fragment: bool) -> Any:
    answer = context.store.answers(person.code)[position]
    return context.pages.response(
        "feedback_part.html.j2" if fragment else "feedback.html.j2",
        right=answer["right"],
        view=context.view(person.form[position], key=True),
    )


def _go(context: StudyContext, path: str) -> Any:
    """Tells the script of the page where to go."""
    headers = {"x-go": context.address.prefix + path}
    return need("starlette.responses").Response(status_code=204, headers=headers)


def _page(position: int) -> str:
    return f"question-{position + 1}"


def _seconds(fields: Fields, name: str) -> float | None:
    """A number that the browser measured; None where it is none or cannot be."""
    try:
        value = float(fields.get(name))
    except ValueError:
        return None
    return value if math.isfinite(value) and 0 <= value < 1e6 else None
