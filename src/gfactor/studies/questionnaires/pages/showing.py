"""Contents of the pages of a task: a question, or a page without an item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gfactor.studies.questionnaires.allocation import Step
from gfactor.studies.questionnaires.context import StudyContext
from gfactor.studies.questionnaires.page_definitions import Page, text_in
from gfactor.studies.questionnaires.participants import Participant
from gfactor.studies.questionnaires.perception.sight_screening import KINDS as SIGHT_KINDS
from gfactor.studies.questionnaires.perception.sight_screening import (
    Plate,
    answers_of,
    plates_of,
    screened_out,
)
from gfactor.studies.questionnaires.persons import Progress
from gfactor.studies.questionnaires.question_pages import question_views, right_in
from gfactor.studies.questionnaires.views import turn_pictures


def question(
    context: StudyContext, person: Participant, progress: Progress, _: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Return the values that the template of a question shows."""
    form, position = person.form, progress.position
    step, turn = form[position], progress.turn
    facts = context.facts_of(step)
    exposure = facts.exposure
    is_practice = step.kind == "practice"
    practice = sum(s.kind == "practice" for s in form) if is_practice else 0
    return {
        "part": "question.html.j2",
        "view": context.view(step, turn=turn),
        "turn": turn,
        "turns": facts.turns,
        "images": f"{context.images(person)}{position}/",
        "practice": is_practice,
        "number": person.numbers[position],
        "done": person.numbers[position] - 1,
        "count": practice if is_practice else context.plan.most(person.number),
        "open": context.plan.open and not is_practice,
        "limit": facts.limit_s,
        "exposure": exposure,
        "begun": bool(exposure) and context.store.presentations.begun(person.code, position),
    }


def shown_page(
    context: StudyContext, person: Participant, progress: Progress, typed: Mapping[str, list[str]]
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
    """The pictures of a page that screens sight; none on other pages."""
    if step.kind != "page" or step.page is None or context.page(step).kind not in SIGHT_KINDS:
        return ()
    return plates_of(context.study, step.page, person.number)


def screened_by(context: StudyContext, person: Participant) -> Page | None:
    """The page by which a participant was screened out; None for others."""
    answers = context.store.answers(person.code)
    last = person.form[answers[-1]["position"]] if answers else None
    if last is None or last.kind != "page" or not (page := context.page(last)).screen_out:
        return None
    return page if screened_out(page, answers[-1]["text"]) else None


def _positions(context: StudyContext, person: Participant, page: Page) -> list[int]:
    """The positions of the questions about which a feedback tells; none on other pages."""
    if page.kind != "feedback":
        return []
    steps = [(k, s) for k, s in enumerate(person.form) if s.kind == "item"]
    return [k for k, s in steps if not page.blocks or context.page(s).name in page.blocks]


def pictures_ahead(context: StudyContext, person: Participant, progress: Progress) -> str:
    """Paths of the pictures of the next turn or question, loaded ahead; a space behind each."""
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
