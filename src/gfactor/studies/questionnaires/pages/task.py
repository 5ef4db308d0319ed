"""The questions: each is shown once its pictures are ready, and stored before the next."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.items.formats import TURN_END
from gfactor.studies.questionnaires.order.allocation import CHECK_OPTIONS, Step, to_json
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.marking import GivenAnswer, Marked, given, seconds_in
from gfactor.studies.questionnaires.pages.question_pages import (
    NotAnsweredError,
    values_text,
)
from gfactor.studies.questionnaires.pages.replies import (
    context_of,
    expired,
    for_answers,
    for_participants,
    genuine,
    look_again,
    message,
    person_of,
    set_person,
)
from gfactor.studies.questionnaires.pages.showing import (
    pictures_ahead,
    plates_in,
    question,
    question_part,
    shown_page,
)
from gfactor.studies.questionnaires.pages.views import asks, turns_of
from gfactor.studies.questionnaires.perception.pages import read_page
from gfactor.studies.questionnaires.perception.presentation import read_presentation
from gfactor.studies.questionnaires.perception.sight_screening import screened_out
from gfactor.studies.questionnaires.storing.page_loads import page_of
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.storing.persons import ParticipantProgress
from gfactor.studies.questionnaires.storing.quotas import taken
from gfactor.studies.questionnaires.storing.tables import now_text
from gfactor.studies.questionnaires.study.groups import outcome_of
from gfactor.studies.web import redirect, route
from gfactor.studies.web.extras import need
from gfactor.studies.web.forms import Fields
from gfactor.studies.web.headers import header

GRACE_S = 5.0
"""Seconds added to a time limit, for the network and slow browsers."""

EARLY_S = 0.5
"""Tolerance in seconds of a browser's report that the time is over, by the server's clock."""


def routes() -> list[Any]:
    return [
        route("/task", take, methods=["POST"]),
        route("/task", show),
        route("/feedback/{position:number}", feedback),
    ]


@for_participants
async def show(request: Any) -> Any:
    """Return the next question as a page."""
    return _next(request, fragment=False)


@for_answers
async def take(request: Any) -> Any:
    """Store an answer, and continue; a post for a question that was answered before stores
    nothing."""
    context, person = context_of(request), person_of(request)
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    fragment = header(request, b"x-fragment") == "1"
    sent = fields.get("position"), fields.get("turn") or "0"
    if not _is_single(context, person, sent):
        person = look_again(request)
    progress = context.persons.progress(person)
    here = str(progress.position), str(progress.turn)
    asks = progress.position < len(person.form) and not progress.outcome
    if asks and sent == here and context.keeps_place(person):
        position, step = progress.position, person.form[progress.position]
        problem = _take(request, progress, fields)
        person = person_of(request)
        if problem:
            look_again(request)  # Nothing was stored, so the participation was not checked yet.
            return _next(request, fragment=fragment, problem=problem, typed=fields.values)
        if step.kind == "practice" and progress.position > position:
            path = f"/feedback/{position}"
            return (
                _feedback(context, person, position, True) if fragment else redirect(request, path)
            )
        if fragment and here != (str(progress.position), str(progress.turn)):
            return _next(request, fragment=True, still_open=True)
    return _next(request, fragment=fragment) if fragment else redirect(request, "/task")


@for_participants
async def feedback(request: Any) -> Any:
    """Show whether a practice answer was right, and the right answer."""
    context, person = context_of(request), person_of(request)
    position = request.path_params["position"]
    practiced = position < context.persons.progress(person).position
    if not practiced or person.form[position].kind != "practice":
        return redirect(request, "/task")
    return _feedback(context, person, position, fragment=False)


def _is_single(context: StudyContext, person: Participant, sent: tuple[str, str]) -> bool:
    """Return True if, by the data in memory, a post answers the whole question that is shown.
    Everything is then written by `Store.answer`, which checks that the participation exists.
    """
    progress = context.persons.progress(person)
    return (
        sent == (str(progress.position), "0")
        and progress.since is not None
        and not progress.outcome
        and progress.position < len(person.form)
        and context.facts_of(person.form[progress.position]).turns == 1
    )


def _take(request: Any, progress: ParticipantProgress, fields: Fields) -> str:
    """Store the answer in a form's fields and go on.

    Returns a sentence that says what is wrong with it, "" if it was stored. An empty or unfinished
    answer is stored only when the time limit is over by the server's clock.
    """
    context, person = context_of(request), person_of(request)
    position, step = progress.position, person.form[progress.position]
    step_facts = context.facts_of(step)
    limit, turns = step_facts.limit_s, step_facts.turns
    if progress.since is None:
        # The server was restarted since then, or the question was never requested.
        progress.since = context.store.pages.loaded(person.code, page_of(position))
    elapsed = max(0.0, time.time() - progress.since)
    if context.simulated:
        elapsed = max(elapsed, seconds_in(fields, "seconds") or 0.0)
    over = bool(limit and elapsed >= limit - EARLY_S)
    server = None if context.simulated else elapsed
    if step.kind == "page":
        try:
            plates = plates_in(context, person, step)
            values = read_page(context.page(step), fields.values, context.words, plates)
        except NotAnsweredError as error:
            return str(error)
        given = Marked(values_text(values), None, 0.0, 0.0)
        outcome = "screened_out" if screened_out(context.page(step), given.text) else ""
        if values and not outcome:
            counts = taken(context.folder.study, context.store, besides=person.code)
            outcome = outcome_of(context.study, values, counts)
        facts = _facts(step, given, fields, _measured(fields), server)
        _store(request, progress, facts, outcome)
        return ""
    reads = turns > 1 and context.view(step, turn=progress.turn).field == "nothing"
    given = GivenAnswer("") if reads else _given(context, step, fields)
    if not over and not reads and (given.problem or not given.text):
        words = ", ".join(_words(context, step))
        return context.words(given.problem or "no_answer", words=words)
    away = _measured(fields)
    reply = None
    if turns > 1:
        reply = {"turn": progress.turn, "text": given.text, **away}
        reply["seconds"] = seconds_in(fields, "seconds")
        if not over and progress.turn + 1 < turns:
            session = context.session_hash(request)
            if context.store.turn(session, person.code, position, reply):
                progress.turn += 1
                progress.seen = time.time()
            else:
                context.persons.forget_code(person.code)
                look_again(request)
            return ""
        # The first reply to a turn stays, also if a server was stopped before the answer.
        before = {row["turn"]: row for row in context.store.turns(person.code, position)}
        stored = {progress.turn: reply} | before
        given, away = _conversation(context, step, list(stored.values()))
    facts = _facts(step, _marked(context, step, given), fields, away, server)
    facts["late"] = bool(limit and elapsed > limit + GRACE_S)
    measured = read_presentation(fields.get("presentation")) if step_facts.exposure else ""
    _store(request, progress, facts, measured=measured, turn=reply)
    return ""


def _facts(
    step: Step, marked: Marked, fields: Fields, away: Mapping[str, float], server: float | None
) -> dict[str, Any]:
    """An answer as it is stored; `server` are the seconds by the server's clock."""
    return {
        "kind": step.kind,
        "item": step.item,
        "text": marked.text,
        "place": marked.position,
        "earned": marked.earned,
        "possible": marked.possible,
        "right": marked.right,
        "seconds": seconds_in(fields, "seconds"),
        "server_seconds": server,
        "away_count": away["away_count"],
        "away_seconds": away["away_seconds"],
        "resized": away["resized"],
        "late": False,
    }


def _store(
    request: Any,
    progress: ParticipantProgress,
    facts: dict[str, Any],
    outcome: str = "",
    measured: str = "",
    turn: Mapping[str, Any] | None = None,
) -> None:
    """Store an answer with the values `measured` for a timed picture, the last `turn` of a
    conversation, and, if the answer determines it, the next questions or the end of the
    participation."""
    context, person = context_of(request), person_of(request)
    position, code = progress.position, person.code
    longer = None if outcome else _longer(context, person, position, facts)
    last = not outcome and position + 1 == len(longer or person.form)
    session, now = context.session_hash(request), time.time()
    facts["created"] = now_text(now)
    more = {"outcome": outcome, "measured": measured, "turn": turn}
    if not context.store.answer(session, code, position, facts, last, longer, **more):
        # The study was closed, or another process has stored an answer: the database has the
        # person's progress.
        context.persons.forget_code(person.code)
        look_again(request)
        return
    if longer:
        set_person(request, context.persons.lengthen(person, longer))
    # The reply shows the next question, except after practice, whose reply is feedback.
    shows = not (last or outcome or facts["kind"] == "practice")
    progress.position, progress.since = position + 1, now if shows else None
    progress.turn, progress.outcome, progress.seen = 0, outcome, now


def _longer(
    context: StudyContext, person: Participant, position: int, facts: Mapping[str, Any]
) -> tuple[Step, ...] | None:
    """The form with the steps after its last answer, which has these facts; None if it does not
    grow."""
    if position + 1 < len(person.form) or not context.plan.open:
        return None
    answers = [*context.store.answers(person.code), {"position": position, **facts}]
    more = context.plan.after(person.number, person.form, answers)
    return (*person.form, *more) if more else None


_MEASURED = ("away_count", "away_seconds", "resized")


def _measured(fields: Fields) -> dict[str, float]:
    """Return how often and how long a participant left a page, and how often it was resized."""
    return {
        "away_count": int(seconds_in(fields, "away_count") or 0),
        "away_seconds": seconds_in(fields, "away_seconds") or 0.0,
        "resized": int(seconds_in(fields, "resized") or 0),
    }


def _conversation(
    context: StudyContext, step: Step, stored: Sequence[Mapping[str, Any]]
) -> tuple[GivenAnswer, Counter[str]]:
    """Join the replies to all turns to one answer, with "" for turns that the time limit cut off;
    return it with what was measured in all turns."""
    item = context.item(step.item)
    texts = {row["turn"]: row["text"] for row in stored}
    answers = [texts.get(k, "") for k in range(turns_of(item)) if asks(item, k)]
    away: Counter[str] = Counter()
    for row in stored:
        away.update({name: row[name] for name in _MEASURED})
    return GivenAnswer(TURN_END.join(answers) if any(answers) else ""), away


def _given(context: StudyContext, step: Step, fields: Fields) -> GivenAnswer:
    if step.kind == "check":
        chosen = next((o for o in CHECK_OPTIONS if o in fields.all("option")), "")
        return GivenAnswer(chosen, CHECK_OPTIONS.index(chosen) if chosen else None)
    return given(context.item(step.item), step, fields.values)


def _marked(context: StudyContext, step: Step, given: GivenAnswer) -> Marked:
    if step.kind == "check":
        return Marked(given.text, given.position, float(given.text == step.item), 1.0)
    return context.marked(step.item, given.text, given.position)


def _words(context: StudyContext, step: Step) -> tuple[str, ...]:
    fmt = context.item(step.item).output_format if step.has_item else None
    return fmt.vocabulary if fmt else ()


def _next(
    request: Any,
    *,
    fragment: bool,
    problem: str = "",
    typed: Mapping[str, list[str]] | None = None,
    still_open: bool = False,
) -> Any:
    """The next question, or the end, as a page or as the part of it that changes; `typed` are the
    contents of the fields of a form that is shown again, and `still_open` is True if an answer was
    stored just now, so that the study is not closed."""
    context, person = context_of(request), person_of(request)
    progress = context.persons.progress(person)
    if progress.outcome:
        return _go(context, "/done") if fragment else redirect(request, "/done")
    if progress.position >= len(person.form):
        return _go(context, "/results") if fragment else redirect(request, "/results")
    if not still_open and not context.keeps_place(person):
        return _go(context, "/done") if fragment else redirect(request, "/done")
    if not still_open and context.store.ended() is not None:
        return (
            _go(context, "/") if fragment else message(request, "closed_heading", "closed_for_you")
        )
    if progress.since is None or not fragment:
        progress.since = context.store.pages.loaded(person.code, page_of(progress.position))
    elapsed = f"{max(0.0, time.time() - progress.since) if progress.since else 0.0:.3f}"
    is_new = not (problem or typed or context.is_bot(request))
    if is_new and person.form[progress.position].kind != "page":
        part = question_part(context, person, progress, context.form_token(request), elapsed)
    else:
        part = _rendered(request, elapsed, problem, typed or {})
    pages = context.pages
    if not fragment:
        part = pages.filled("task.html.j2", {"content": pages.safe(part)})
    return pages.html(part)


def _rendered(request: Any, elapsed: str, problem: str, typed: Mapping[str, list[str]]) -> str:
    """Return the part of a page that changes: for a page without an item, for a form that is shown
    again, and for a bot."""
    context, person = context_of(request), person_of(request)
    progress = context.persons.progress(person)
    step = person.form[progress.position]
    shows = shown_page if step.kind == "page" else question
    values = shows(context, person, progress, typed) | {
        "position": progress.position,
        "elapsed": elapsed,
        "ahead": pictures_ahead(context, person, progress),
        "step": to_json([step]) if context.is_bot(request) else "",
        "form_token": context.form_token(request),
    }
    return context.pages.text(values["part"], **values, problem=problem, typed=typed)


def _feedback(context: StudyContext, person: Participant, position: int, fragment: bool) -> Any:
    answer = context.store.answers(person.code)[position]
    return context.pages.response(
        "feedback_part.html.j2" if fragment else "feedback.html.j2",
        right=answer["right"],
        view=context.view(person.form[position], key=True),
    )


def _go(context: StudyContext, path: str) -> Any:
    """Return the reply that tells the page's script the next address."""
    headers = {"x-go": context.address.prefix + path}
    return need("starlette.responses").Response(status_code=204, headers=headers)
