"""Pages for owners: times, answers as they come, a person's answers as they were shown, payments,
the log; and the export as a download.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.question_pages import answers_in_words
from gfactor.studies.questionnaires.pages.replies import (
    aside,
    changing,
    context_of,
    for_owners,
    message,
    owners_page,
)
from gfactor.studies.questionnaires.pages.views import shown_text
from gfactor.studies.questionnaires.paying.pay import payments
from gfactor.studies.questionnaires.results.exclusion import exclusion_of, exclusions
from gfactor.studies.questionnaires.results.exporting import export_study
from gfactor.studies.questionnaires.results.labels import marks
from gfactor.studies.questionnaires.results.monitor import (
    QUANTILES,
    item_times,
    latest_answers,
    marked_person,
    page_times,
)
from gfactor.studies.questionnaires.results.page_names import by_person
from gfactor.studies.questionnaires.storing.participants import Participant
from gfactor.studies.web import redirect, route
from gfactor.studies.web.extras import need

LONGEST_REASON = 5_000
LATEST = 100
"""Number of answers on the page of answers."""


def routes() -> list[Any]:
    return [
        route("/owner/times", times),
        route("/owner/answers", answers),
        route("/owner/answers/latest", answers_part),
        route("/owner/person/{code:str}", person_page),
        route("/owner/person/{code:str}/{position:number}", shown_item),
        route("/owner/appeal", appeal, methods=["POST"]),
        route("/owner/pay", pay),
        route("/owner/log", log),
        route("/owner/export", export, methods=["POST"]),
    ]


@for_owners
async def times(request: Any) -> Any:
    """Show median and quantiles of the seconds per page and item."""
    context = context_of(request)

    def read() -> Any:
        with context.store.snapshot():
            loads, given = context.store.pages.frame(), context.store.frame("answers")
            names = by_person(context.study, context.store.frame("participants"))
        return [
            (name, table.columns[0], table.to_dict("records"))
            for name, table in (("Pages", page_times(loads, names)), ("Items", item_times(given)))
        ]

    tables = await aside(read)
    return owners_page(request, "times.html.j2", tables=tables, quantiles=list(QUANTILES))


@for_owners
async def answers(request: Any) -> Any:
    """Show the latest answers; the page's script, or a reload, loads the next ones."""
    rows = await aside(_latest, context_of(request))
    return owners_page(request, "answers.html.j2", rows=rows)


@for_owners
async def answers_part(request: Any) -> Any:
    context = context_of(request)
    return context.pages.response("answers_part.html.j2", rows=await aside(_latest, context))


def _latest(context: StudyContext) -> list[dict[str, Any]]:
    people: dict[str, Participant | None] = {}
    rows = []
    for row in latest_answers(context.store, LATEST):
        code = row["code"]
        if code not in people:
            people[code] = context.store.by_code(code)
        rows.append({**row, "answer": _answer_text(context, people[code], row)})
    return rows


def _answer_text(context: StudyContext, person: Participant | None, row: Any) -> str:
    """An answer in the labels that the participant saw."""
    step = None if person is None else person.form[row["position"]]
    if step is not None and step.kind == "page":
        return answers_in_words(context.page(step), row["text"], context.words)
    if step is None or not step.has_item:
        return row["text"]
    return shown_text(row["text"], context.item(step.item), step)


@for_owners
async def person_page(request: Any) -> Any:
    """Show one participant: marks with their reasons, and all answers."""
    context = context_of(request)
    person = context.store.by_code(request.path_params["code"])
    if person is None:
        return message(request, "not_found_heading", "not_found", 404)

    def read() -> Any:
        given = context.store.answers(person.code)
        rows = [{**row, "answer": _answer_text(context, person, row)} for row in given]
        marked = marked_person(context.store, context.study, person.code)
        excluded = exclusion_of(context.store, context.study, person.code)
        appeals = context.store.rows("appeals", person.code)
        return {"known": marked, "rows": rows, "excluded": excluded, "appeals": appeals}

    values = await aside(read)
    problem = "reason" in request.query_params
    return owners_page(request, "person.html.j2", person=person, problem=problem, **values)


@changing
async def appeal(request: Any) -> Any:
    """Pay a participant although the study's rule excludes them, or revoke such a decision."""
    context, fields = context_of(request), request.state.fields
    code, reason = fields.get("code"), fields.get("reason").strip()[:LONGEST_REASON]
    if context.store.by_code(code) is None:
        return message(request, "not_found_heading", "not_found", 404)
    back = f"/owner/person/{code}"
    if not reason:
        return redirect(request, f"{back}?reason=no")
    upheld = fields.get("verdict") == "uphold"
    if upheld != (code in context.store.paid_on_appeal()):
        by = request.state.owner.name
        context.store.appeal(code, reason, paid=upheld, by=by)
    return redirect(request, back)


@for_owners
async def shown_item(request: Any) -> Any:
    """Return a question as this participant saw it, with the answer and the right one."""
    context, position = context_of(request), request.path_params["position"]
    person = context.store.by_code(request.path_params["code"])
    given = [] if person is None else context.store.answers(person.code)
    row = next((row for row in given if row["position"] == position), None)
    if person is None or row is None or person.form[position].kind == "page":
        return message(request, "not_found_heading", "not_found", 404)
    step = person.form[position]
    return owners_page(
        request,
        "shown_item.html.j2",
        row={**row, "answer": _answer_text(context, person, row)},
        person=person,
        view=context.view(step, key=step.has_item),
        images=f"/owner/image/{person.code}/{position}/",
    )


@for_owners
async def pay(request: Any) -> Any:
    """Show the payment of every participant; recruiting ids are in the export, if requested."""
    context = context_of(request)

    def read() -> Any:
        with context.store.snapshot():
            given = context.rulings().apply(context.store.frame("answers"))
            marked = marks(given, context.store.frame("participants"), context.study.rules)
        excluded = exclusions(context.study, marked, context.store.paid_on_appeal())
        return payments(context.study.pay, given, marked, excluded)

    rows = await aside(read)
    total = sum(float(row["total"]) for row in rows)
    return owners_page(request, "pay.html.j2", rows=rows, total=f"{total:.2f}")


@for_owners
async def log(request: Any) -> Any:
    """Show the actions of owners, the latest first, and the integrity of the log."""
    store = context_of(request).store
    actions, problem = store.log.read()
    everybody = store.owners.all()
    return owners_page(
        request, "log.html.j2", actions=actions[::-1], problem=problem, everybody=everybody
    )


@changing
async def export(request: Any) -> Any:
    """Return the export as a ZIP file; with recruiting ids only if that is ticked."""
    context = context_of(request)
    identifiers = request.state.fields.get("identifiers") == "yes"
    try:
        content = await aside(_zipped, context, identifiers)
    except ParameterError as error:
        return owners_page(request, "owner_message.html.j2", 409, text=str(error))
    what = "with recruiting ids" if identifiers else "without recruiting ids"
    context.store.log.add(request.state.owner.name, "exported", what)
    name = f'attachment; filename="{context.study.id}.zip"'
    return need("starlette.responses").Response(
        content, media_type="application/zip", headers={"content-disposition": name}
    )


def _zipped(context: StudyContext, identifiers: bool) -> bytes:
    buffer = io.BytesIO()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / context.study.id
        export_study(context.folder, folder, identifiers=identifiers)
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.suffix not in (".db-wal", ".db-shm"):
                    archive.write(path, path.relative_to(name))
    return buffer.getvalue()
