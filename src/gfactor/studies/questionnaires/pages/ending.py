"""The end of a participation: its answers, challenges, pay, and the completion code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gfactor.studies.questionnaires.order.allocation import Step
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.files import shown_picture
from gfactor.studies.questionnaires.pages.prepared import RESULT
from gfactor.studies.questionnaires.pages.receipts import receipt_of
from gfactor.studies.questionnaires.pages.replies import (
    context_of,
    expired,
    for_participants,
    genuine,
    is_finished,
    look_again,
    message,
    person_of,
    way_out,
)
from gfactor.studies.questionnaires.pages.showing import result_part, screened_by
from gfactor.studies.questionnaires.pages.views import shown_text
from gfactor.studies.questionnaires.paying.pay import total
from gfactor.studies.questionnaires.results.exclusion import exclusion_of
from gfactor.studies.questionnaires.results.labels import fails_checks
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.questionnaires.study.folder import RESULTS_DAYS
from gfactor.studies.questionnaires.study.recruiting import way_back
from gfactor.studies.web import redirect, route
from gfactor.studies.web.headers import with_policy

LONGEST_REASON = 5_000


def routes() -> list[Any]:
    return [
        route("/results", results),
        route("/results/{token:str}", results_by_link),
        route("/results/{token:str}/image/{position:number}/{number:number}", image_by_link),
        route("/challenge", challenge, methods=["POST"]),
        route("/done", done),
    ]


@for_participants
async def results(request: Any) -> Any:
    """Show every question with the given answer, for challenges. Right answers are shown only after
    the study is closed, and only if it declares this."""
    context, person = context_of(request), person_of(request)
    if not is_finished(context, person):
        return redirect(request, "/task")
    is_open = context.store.ended() is None
    if is_open:
        context.store.pages.noted(person.code, "results")
    keys = not is_open and context.keys_are_open()
    more = {"keys": keys, "open": is_open, "form_token": context.form_token(request)}
    return _results(context, person, context.images(person), more)


async def results_by_link(request: Any) -> Any:
    """Show a participant's answers beside the right ones, to anybody with the owner's signed
    link."""
    context, person = context_of(request), _linked(request)
    if person is None:
        return message(request, "link_heading", "link_bad", 400)
    images = f"/results/{request.path_params['token']}/image/"
    return _results(context, person, images, {"keys": True, "open": False, "form_token": ""})


async def image_by_link(request: Any) -> Any:
    person = _linked(request)
    if person is None:
        return message(request, "link_heading", "link_bad", 404)
    return shown_picture(request, person)


@for_participants
async def challenge(request: Any) -> Any:
    """Store a participant's challenge of a question."""
    context, person = context_of(request), person_of(request)
    fields = await genuine(request)
    if fields is None:
        return expired(request)
    person = look_again(request)  # Reading the fields may have taken some time.
    position, reason = fields.get("position"), fields.get("reason").strip()
    counted = [str(k) for k, step in enumerate(person.form) if step.kind == "item"]
    if position not in counted:
        return redirect(request, "/results")
    if reason and is_finished(context, person) and context.store.ended() is None:
        item = person.form[int(position)].item
        context.store.challenge(person.code, item, reason[:LONGEST_REASON])
    return redirect(request, f"/results#question-{counted.index(position) + 1}")


@for_participants
async def done(request: Any) -> Any:
    """Show thanks, the completion code, and the payment if it reveals nothing about the keys."""
    context, person = context_of(request), person_of(request)
    outcome = context.persons.progress(person).outcome
    sent_by = context.store.contact(person.code)
    if outcome:
        page = screened_by(context, person)
        code, text = (page.screen_out, "screened_text") if page else ("", "")
        receipt = receipt_of(context.secrets, person.code)
        return way_out(request, outcome, *sent_by, code=code, text=text, receipt=receipt)
    if not is_finished(context, person):
        return redirect(request, "/task")
    if context.store.ended() is None:
        context.store.pages.noted(person.code, "done")
    pay, judged = context.study.pay, context.store.judged(person.code)
    excluded = exclusion_of(context.store, context.study, person.code, judged)
    failed = bool(excluded) or fails_checks(judged, context.study.rules)
    # A sum that grows with right answers would reveal the keys to somebody who can take part
    # repeatedly.
    tells = context.study.ids == "signed" or context.keys_are_open() or not pay.per_right
    paid = (pay.base or pay.per_right) and not excluded
    earned = 0.0
    if paid and tells:
        earned = total(pay, context.rulings().applied(context.store.answers(person.code)))
    way = way_back(context.study, "failed_checks" if failed else "", *sent_by)
    values = {
        "sum": f"{earned:.2f} {pay.currency}".strip() if paid and tells else "",
        "later": not tells and not excluded,
        "debriefing": context.text_of("debriefing"),
        "way": way,
    }
    key = values["sum"], values["later"], way.code, way.url, way.form, (*way.fields.items(),)
    gaps = {"receipt": receipt_of(context.secrets, person.code)}
    response = context.pages.html(context.pages.filled("done.html.j2", gaps, key, **values))
    return with_policy(response, forms_to=way.origin) if way.form else response


def _linked(request: Any) -> Participant | None:
    """Return the participant whose results the owner's signed link shows."""
    context = context_of(request)
    code = context.secrets.value_of("results", request.path_params["token"], RESULTS_DAYS)
    return context.store.by_code(code) if isinstance(code, str) else None


def _results(
    context: StudyContext, person: Participant, images: str, more: Mapping[str, Any]
) -> Any:
    """The page of results.

    Parameters
    ----------
    images: path below which the pictures of all questions lie.
    more: `keys` (True if it shows the answers that were not right, beside the right ones), `open`
        (True if keys can be challenged), `form_token` ("" if nothing can be sent).
    """
    pages, keys, goes_on = context.pages, more["keys"], bool(more["form_token"])
    if keys:
        right, count, parts = _corrected(context, person, images, more)
    else:
        parts = _reviewed(context, person, images, more)
        right, count = 0, len(parts)
    gaps = {"right": right, "count": count, "rows": pages.safe("".join(parts))}
    text = pages.filled("results.html.j2", gaps, (keys, goes_on), keys=keys, goes_on=goes_on)
    return pages.html(text)


def _reviewed(
    context: StudyContext, person: Participant, images: str, more: Mapping[str, Any]
) -> list[str]:
    """Return the parts of the page of results with every answer, without revealing keys."""
    rows, challenged = context.store.reviewed(person.code), context.store.challenged(person.code)
    shared, is_open = (more["form_token"], str(len(rows)), images), more["open"]
    parts = []
    for number, (position, text, chosen) in enumerate(rows, 1):
        step = person.form[position]
        answer, review = _answer(context, step, text, chosen), (step.item in challenged, is_open)
        parts.append(result_part(context, step, (position, number), answer, shared, review))
    return parts


def _corrected(
    context: StudyContext, person: Participant, images: str, more: Mapping[str, Any]
) -> tuple[int, int, list[str]]:
    """Return how many answers were right, of how many, and the parts of the page of results with
    those that were not, beside the right ones."""
    answers = context.rulings().applied(context.store.answers(person.code))
    rows = [row for row in answers if row["kind"] == "item"]
    challenged, parts = context.store.challenged(person.code), list[str]()
    for number, row in enumerate(rows, 1):
        position, step = row["position"], person.form[row["position"]]
        if not row["right"]:
            values = {
                "number": number,
                "count": len(rows),
                "position": position,
                "challenged": step.item in challenged,
                "images": f"{images}{position}/",
                "answer": _answer(context, step, row["text"], row["place"]),
                "view": context.view(step, key=True),
                **more,
            }
            parts.append(context.pages.text(RESULT, **values))
    return sum(row["right"] for row in rows), len(rows), parts


def _answer(context: StudyContext, step: Step, text: str, chosen: int | None) -> str:
    """Return an answer as the participant gave it; `chosen` is the place of a single option."""
    if chosen is not None:
        return context.facts_of(step).labels[chosen]
    return shown_text(text, context.item(step.item), step) if text else context.words("none")
