"""Pages with figures: open decisions, annotators' work and agreement, and their consensus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gfactor.errors import GfactorError
from gfactor.studies.annotation.agreeing import agreement_table
from gfactor.studies.annotation.difference import differences_of_all
from gfactor.studies.annotation.draft import AnnotationDraft, completed
from gfactor.studies.annotation.project import response_unit
from gfactor.studies.annotation.quality import ASPECTS, annotators_table, consensus_of
from gfactor.studies.annotation.state import ItemState, queue, states
from gfactor.studies.annotation.workspace import Workspace, message, page, workspace_of
from gfactor.studies.web import logged_in, route
from gfactor.studies.web.extras import need

MOST_ROWS = 200
"""Largest number of rows of a table on a page; the commands write all."""

OF = {
    "category": "Categories of responses", "difficulty": "Difficulty", "quality": "Quality",
    "dropped": "Whether to drop", "type": "Types of answers", "key": "Whether the key is right",
}  # fmt: skip
"""Subjects of a consensus, in words."""


def routes() -> list[Any]:
    return [
        route("/review", review),
        route("/people", people),
        route("/agreement", agreement),
        route("/consensus", consensus),
    ]


@logged_in
async def review(request: Any) -> Any:
    """Show the items that an adjudicator has to decide, those with the largest differences between
    drafts first, and the items that wait for a draft.
    """
    workspace = workspace_of(request)
    who = workspace.logins.who(request)
    if workspace.role(who) != "adjudicator":
        return message(request, "Not yours", "Only an adjudicator decides between drafts.", 403)
    all_states = list(states(workspace.store, workspace.project.bank.ids).values())
    rows = [
        {"item": state.item, "number": workspace.numbers[state.item], "drafts": list(state.drafts),
         "fields": _differing_fields(workspace, state)}
        for state in all_states
        if state.status == "to adjudicate" and not state.blind_for(who, "adjudicator")
    ]  # fmt: skip
    rows.sort(key=lambda row: (-len(row["fields"]), row["number"]))
    waiting = [
        {"item": state.item, "number": workspace.numbers[state.item], "missing": state.missing}
        for state in all_states
        if state.status == "half done"
    ]
    return page(
        request, "review.html.j2", rows=rows[:MOST_ROWS], count=len(rows),
        waiting=waiting[:MOST_ROWS], waiting_count=len(waiting),
        decided=sum(state.final is not None for state in all_states), total=len(all_states),
    )  # fmt: skip


def _differing_fields(workspace: Workspace, state: ItemState) -> list[str]:
    item = workspace.item(state.item)
    drafts = {
        name: completed(AnnotationDraft.from_json(entry.content), item)
        for name, entry in state.drafts.items()
    }
    return list(dict.fromkeys(row.field for row in differences_of_all(drafts)))


@logged_in
async def people(request: Any) -> Any:
    """Show the work of annotators: all rows for adjudicators, their own row for others."""
    workspace = workspace_of(request)
    who = workspace.logins.who(request)
    table = await _aside(annotators_table, workspace.project)
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    everybody = workspace.role(who) == "adjudicator"
    rows = [row for row in rows if everybody or row["annotator"] == who]
    return page(request, "people.html.j2", rows=rows, everybody=everybody)


@logged_in
async def agreement(request: Any) -> Any:
    """Show the agreement of annotators on the items that they graded and the labels they gave."""
    workspace = workspace_of(request)
    table = await _aside(agreement_table, workspace.store, workspace.project.bank)
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    return page(request, "agreement.html.j2", rows=rows)


@logged_in
async def consensus(request: Any) -> Any:
    """Show the reliability-weighted consensus beside the majority, for responses that are no longer
    blind to the reader."""
    workspace = workspace_of(request)
    who = workspace.logins.who(request)
    if workspace.role(who) != "adjudicator":
        text = "A consensus tells what others say; only adjudicators see it."
        return message(request, "Not yours", text, 403)
    what = request.query_params.get("of", "category")
    what = what if what in ASPECTS else "category"
    values: dict[str, Any] = {"asked": OF, "what": what, "problem": "", "rows": [], "raters": [],
                             "notes": [], "hidden": 0, "count": 0}  # fmt: skip
    try:
        result = await _aside(consensus_of, workspace.project, what)
    except GfactorError as error:
        return page(request, "consensus.html.j2", **{**values, "problem": str(error)})
    units = result.units.reset_index()
    units = units.astype(object).where(units.notna(), None)
    open_to = _open_units(workspace, what, who)
    name = "response" if what == "category" else "item"
    own_queue = set(queue(workspace.store, who))
    rows = [
        {**row, "unit": row[name], "path": _path(workspace, row[name], own_queue)}
        for row in units.to_dict("records")
        if open_to(str(row[name]))
    ]
    rows.sort(key=lambda row: (row["probability"], str(row["unit"])))
    raters = result.raters.astype(object).where(result.raters.notna(), None)
    return page(request, "consensus.html.j2", **{
        **values, "rows": rows[:MOST_ROWS], "count": len(rows), "hidden": len(units) - len(rows),
        "raters": raters.to_dict("records"),
        "notes": [str(entry) for entry in result.diagnostics],
    })  # fmt: skip


def _open_units(workspace: Workspace, what: str, who: str) -> Callable[[str], bool]:
    """Return a test of whether somebody may see others' judgments of an item or response: not if
    they are still to judge it themselves.
    """
    if what == "category":
        done = {unit for unit, name in workspace.store.latest("label") if name == who}
        waiting = {unit for unit, name in workspace.store.assignments() if name == who}
        return lambda unit: unit in done or response_unit(int(unit)) not in waiting
    all_states = states(workspace.store, workspace.project.bank.ids)
    return lambda unit: not all_states[unit].blind_for(who, "adjudicator")


def _path(workspace: Workspace, unit: str, own_queue: set[int]) -> str:
    """Return the address of an item, or of a response in one's own queue; "" for other ones."""
    if unit in workspace.numbers:
        return f"/adjudicate/{workspace.numbers[unit]}"
    return f"/responses/{unit}" if int(unit) in own_queue else ""


async def _aside(work: Callable[..., Any], *given: Any) -> Any:
    """Run slow work in a thread, so that others need not wait for it."""
    with np.errstate(all="ignore"):
        return await need("starlette.concurrency").run_in_threadpool(work, *given)
