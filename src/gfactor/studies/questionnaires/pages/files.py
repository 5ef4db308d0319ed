"""Pictures of items for participants, style and scripts."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.pages.replies import for_participants, room_of
from gfactor.studies.web import logged_in, route
from gfactor.studies.web.assets import picture, static_route
from gfactor.studies.web.extras import need

_STATIC = {
    "style.css": "text/css; charset=utf-8",
    "task.js": "text/javascript; charset=utf-8",
    "monitor.js": "text/javascript; charset=utf-8",
}


def routes() -> list[Any]:
    return [
        route("/image/{item:int}/{number:int}", image),
        route("/owner/image/{item:int}/{number:int}", owners_image),
        static_route("gfactor.studies.questionnaires", _STATIC),
    ]


@for_participants
async def image(request: Any) -> Any:
    """A picture of a question that was reached, or of the one after it, which is loaded ahead."""
    room, person = room_of(request), request.state.person
    reached = person.form[: room.persons.progress(person).position + 2]
    numbers = {room.number(step.item) for step in reached if step.kind != "check"}
    if request.path_params["item"] not in numbers:
        return need("starlette.responses").Response(status_code=404)
    return picture(request, room.folder.bank.ids, room.item)


@logged_in
async def owners_image(request: Any) -> Any:
    room = room_of(request)
    return picture(request, room.folder.bank.ids, room.item)
