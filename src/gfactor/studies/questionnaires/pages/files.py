"""Pictures of items for participants, style and scripts."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.pages.replies import context_of, for_participants
from gfactor.studies.questionnaires.store import Participant
from gfactor.studies.questionnaires.views import shown_images
from gfactor.studies.web import logged_in, route
from gfactor.studies.web.assets import picture, static_route

_STATIC = {
    "style.css": "text/css; charset=utf-8",
    "task.js": "text/javascript; charset=utf-8",
    "monitor.js": "text/javascript; charset=utf-8",
}


def routes() -> list[Any]:
    return [
        route("/image/{folder:str}/{position:number}/{number:number}", image),
        route("/owner/image/{code:str}/{position:number}/{number:number}", owners_image),
        static_route("gfactor.studies.questionnaires", _STATIC),
    ]


@for_participants
async def image(request: Any) -> Any:
    """A picture of a question that was reached, or of the one after it, which is loaded ahead."""
    context, person = context_of(request), request.state.person
    is_theirs = context.images(person) == f"/image/{request.path_params['folder']}/"
    reached = context.persons.progress(person).position + 2
    return shown_picture(request, person if is_theirs else None, reached)


@logged_in
async def owners_image(request: Any) -> Any:
    """A picture of a participant's question, for the page of challenges."""
    context = context_of(request)
    return shown_picture(request, context.store.by_code(request.path_params["code"]))


def shown_picture(request: Any, person: Participant | None, reached: int | None = None) -> Any:
    """The picture that the path names by `position` and `number` of a participant's form, of
    which the first questions up to `reached` may be seen; 404 where there is none."""
    context, position = context_of(request), request.path_params["position"]
    if person is None or position >= len(person.form[:reached]):
        return picture((), 0)
    step = person.form[position]
    if step.kind == "check":
        return picture((), 0)
    return picture(shown_images(context.item(step.item), step), request.path_params["number"])
