"""Pictures of items for participants, style and scripts."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.pages.replies import context_of, for_participants
from gfactor.studies.questionnaires.store import Participant
from gfactor.studies.questionnaires.views import shown_images, turn_pictures, turns_of
from gfactor.studies.web import logged_in, route
from gfactor.studies.web.assets import picture, static_route

_STATIC = {
    "style.css": "text/css; charset=utf-8",
    "task.js": "text/javascript; charset=utf-8",
    "screen.js": "text/javascript; charset=utf-8",
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
    """A picture of a question that was answered, of the one that is shown, or of the one after it,
    which is loaded ahead; of a conversation only of the turn that is shown and the next one."""
    context, person = context_of(request), request.state.person
    is_theirs = context.images(person) == f"/image/{request.path_params['folder']}/"
    return shown_picture(request, person if is_theirs and _reached(request, person) else None)


@logged_in
async def owners_image(request: Any) -> Any:
    """A picture of a participant's question, for the page of challenges."""
    context = context_of(request)
    return shown_picture(request, context.store.by_code(request.path_params["code"]))


def _reached(request: Any, person: Participant) -> bool:
    """Whether a participant may see the picture that the path names by now."""
    context, position = context_of(request), request.path_params["position"]
    progress = context.persons.progress(person)
    if position >= len(person.form) or not person.form[position].has_item:
        return False
    if position < progress.position:
        return True
    item = context.item(person.form[position].item)
    turns = range(progress.turn, min(progress.turn + 2, turns_of(item)))
    if position > progress.position:
        turns = range(1) if position == progress.position + 1 else range(0)
    return any(request.path_params["number"] in turn_pictures(item, turn) for turn in turns)


def shown_picture(request: Any, person: Participant | None) -> Any:
    """The picture that the path names by `position` and `number` of a participant's form; 404
    where there is none."""
    context, position = context_of(request), request.path_params["position"]
    if person is None or position >= len(person.form):
        return picture((), 0)
    step = person.form[position]
    if not step.has_item:
        return picture((), 0)
    return picture(shown_images(context.item(step.item), step), request.path_params["number"])
