"""Contents of the pages of a task: a question, or a page without an item."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from html import escape
from typing import Any

from gfactor.studies.questionnaires.order.allocation import CHECK_OPTIONS, Step
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.prepared import QUESTION, RESULT
from gfactor.studies.questionnaires.pages.question_pages import question_views, right_in
from gfactor.studies.questionnaires.pages.views import View, turn_pictures
from gfactor.studies.questionnaires.perception.sight_screening import KINDS as SIGHT_KINDS
from gfactor.studies.questionnaires.perception.sight_screening import (
    Plate,
    answers_of,
    plates_of,
    screened_out,
)
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.storing.persons import ParticipantProgress
from gfactor.studies.questionnaires.study.page_definitions import Page, text_in

MOST_PREPARED = 300
"""Largest number of questions that are rendered when a server starts; others are rendered when they
are asked."""


def question(
    context: StudyContext,
    person: Participant,
    progress: ParticipantProgress,
    _: Mapping[str, list[str]],
) -> dict[str, Any]:
    """Return the values that the template of a question shows."""
    position, turn = progress.position, progress.turn
    step, number = person.form[position], person.numbers[position]
    return {
        **_alike(context, step, turn, _is_begun(context, person, position)),
        "view": context.view(step, turn=turn),
        "images": f"{context.images(person)}{position}/",
        "number": number,
        "done": number - 1,
        "count": _count(context, person, step),
    }


def question_part(
    context: StudyContext,
    person: Participant,
    progress: ParticipantProgress,
    form_token: str,
    elapsed: str,
) -> str:
    """Return the part of a page with a question and empty fields."""
    position, turn = progress.position, progress.turn
    step, number = person.form[position], person.numbers[position]
    facts, begun = context.facts_of(step), _is_begun(context, person, position)
    own_order, order = facts.orders(step)
    gaps = (
        form_token,
        str(position),
        str(number),
        str(number - 1),
        str(_count(context, person, step)),
        elapsed,
        escape(pictures_ahead(context, person, progress)),
        f"{context.images(person)}{position}/",
    )
    key = step.kind, step.item, step.page, turn, begun, own_order
    return context.prepared.text(
        QUESTION, key, gaps, order, lambda: _unanswered(context, step, turn, begun)
    )


def result_part(
    context: StudyContext,
    step: Step,
    numbers: tuple[int, int],
    answer: str,
    shared: tuple[str, str, str],
    review: tuple[bool, bool],
) -> str:
    """Return a question with the given answer for the page of results, without revealing the right
    answer.

    Parameters
    ----------
    numbers: position of the question, from 0, and its number among the results.
    shared: token of the forms, number of results, and path below which the pictures lie.
    review: True if its key was challenged; True if keys can be challenged.
    """
    own_order, order = context.facts_of(step).orders(step)
    (position, number), (form_token, count, images) = numbers, shared
    gaps = (form_token, str(position), str(number), count, f"{images}{position}/", escape(answer))
    key = step.item, review, own_order
    return context.prepared.text(
        RESULT, key, gaps, order, lambda: _reviewed(context, step, *review)
    )


def prepare_questions(context: StudyContext) -> None:
    """Render the questions of the first form, and their results, before the first participant
    comes."""
    form = context.plan.start(0)
    items = [step for step in form if step.has_item][:MOST_PREPARED]
    checks = {step.page for step in form if step.kind == "check"}
    every_check = [Step("check", option, page=page) for page in checks for option in CHECK_OPTIONS]
    for step in [*items, *every_check]:
        own_order = context.facts_of(step).orders(step)[0]
        if own_order:
            continue  # It is made anew for each order.
        key = step.kind, step.item, step.page, 0, False, own_order
        context.prepared.make(QUESTION, key, partial(_unanswered, context, step, 0, False))
        if step.kind == "item":
            key = step.item, (False, True), own_order
            context.prepared.make(RESULT, key, partial(_reviewed, context, step, False, True))


def _alike(context: StudyContext, step: Step, turn: int, begun: bool) -> dict[str, Any]:
    """Return the values of a question that are the same for all participants."""
    facts, practice = context.facts_of(step), step.kind == "practice"
    return {
        "part": QUESTION,
        "turn": turn,
        "turns": facts.turns,
        "practice": practice,
        "open": context.plan.open and not practice,
        "limit": facts.limit_s,
        "exposure": facts.exposure,
        "begun": begun,
    }


def _unanswered(context: StudyContext, step: Step, turn: int, begun: bool) -> dict[str, Any]:
    """Return the values of a question's template that are not in gaps."""
    plain = {"problem": "", "typed": {}, "step": ""}
    return {
        **_alike(context, step, turn, begun), **plain, "view": _made_of(context, step, turn),
    }  # fmt: skip


def _reviewed(context: StudyContext, step: Step, challenged: bool, is_open: bool) -> dict[str, Any]:
    """Return the values of a result's template that are not in gaps."""
    view = _made_of(context, step, None)
    return {"view": view, "keys": False, "challenged": challenged, "open": is_open}


def _made_of(context: StudyContext, step: Step, turn: int | None) -> View:
    """Return the view that a part is made of: with the options in their own order if their texts
    are filled in."""
    if step.has_item and context.facts_of(step).options == "texts":
        return context.plain_view(step, turn)
    return context.view(step, turn=turn)


def _is_begun(context: StudyContext, person: Participant, position: int) -> bool:
    """Return True if the pictures of a question, which are shown for a short time, were shown."""
    if context.facts_of(person.form[position]).exposure is None:
        return False
    return context.store.presentations.begun(person.code, position)


def _count(context: StudyContext, person: Participant, step: Step) -> int:
    """Return the number of questions with which a question is counted."""
    if step.kind == "practice":
        return sum(one.kind == "practice" for one in person.form)
    return context.plan.most(person.number)


def shown_page(
    context: StudyContext,
    person: Participant,
    progress: ParticipantProgress,
    typed: Mapping[str, list[str]],
) -> dict[str, Any]:
    """Return the values that the template of a page without an item shows."""
    page = context.page(person.form[progress.position])
    say, positions = context.words, _positions(context, person, page)
    folder, recording = context.images(person), context.recording(person.form[progress.position])
    rows = context.store.answers(person.code) if positions else []
    right, count = right_in(rows, positions)
    return {
        "part": "page.html.j2",
        "kind": page.kind,
        "asks": page,
        "plates": plates_in(context, person, person.form[progress.position]),
        "answers": answers_of(page),
        "images": f"{folder}{progress.position}/".replace("/image/", "/plate/", 1),
        "media": f"{folder}{progress.position}".replace("/image/", "/media/", 1),
        "recording": recording,
        "begun": recording is not None
        and recording.once
        and context.store.playbacks.begun(person.code, progress.position),
        "heading": text_in(page.heading, say.language) or say(f"{page.kind}_heading"),
        "text": text_in(page.text, say.language),
        "questions": question_views(page, say, typed),
        "feedback": say("feedback_right", right=right, count=count) if count else "",
        "count": context.plan.most(person.number),
        "open": context.plan.open,
    }


def plates_in(context: StudyContext, person: Participant, step: Step) -> tuple[Plate, ...]:
    """Return the pictures of a sight-screening page; none for other pages."""
    if step.kind != "page" or step.page is None or context.page(step).kind not in SIGHT_KINDS:
        return ()
    return plates_of(context.study, step.page, person.number)


def screened_by(context: StudyContext, person: Participant) -> Page | None:
    """Return the page that screened a participant out; None if no page did."""
    answers = context.store.answers(person.code)
    last = person.form[answers[-1]["position"]] if answers else None
    if last is None or last.kind != "page" or not (page := context.page(last)).screen_out:
        return None
    return page if screened_out(page, answers[-1]["text"]) else None


def _positions(context: StudyContext, person: Participant, page: Page) -> list[int]:
    """Return the positions of the questions on a feedback page; none on other pages."""
    if page.kind != "feedback":
        return []
    steps = [(k, s) for k, s in enumerate(person.form) if s.kind == "item"]
    return [k for k, s in steps if not page.blocks or context.page(s).name in page.blocks]


def pictures_ahead(
    context: StudyContext, person: Participant, progress: ParticipantProgress
) -> str:
    """Return the paths of the next turn's or question's pictures, each followed by a space.

    The browser loads these pictures ahead.
    """
    form, position = person.form, progress.position
    step, folder = form[position], f"{context.address.prefix}{context.images(person)}"
    if progress.turn + 1 < context.facts_of(step).turns:
        pictures = turn_pictures(context.item(step.item), progress.turn + 1)
        return "".join([f"{folder}{position}/{k} " for k in pictures])
    if position + 1 == len(form):
        return ""
    following = context.facts_of(form[position + 1])
    if following.is_timed:
        return ""  # sent once its clock runs
    return "".join([f"{folder}{position + 1}/{k} " for k in following.pictures])
