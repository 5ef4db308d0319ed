"""Pictures of items for participants, style and scripts."""

from __future__ import annotations

from typing import Any

from gfactor.studies.questionnaires.pages.replies import for_participants, room_of
from gfactor.studies.web.assets import picture, static_route
from gfactor.studies.web.extras import need

_STATIC = {
    "style.css": "text/css; charset=utf-8",
    "task.js": "text/javascript; charset=utf-8",
    "monitor.js": "text/javascript; charset=utf-8",
}


def routes() -> list[Any]:
    route = need("starlette.routing").Route
    return [
        route("/image/{item:int}/{number:int}", image),
        static_route("gfactor.studies.questionnaires", _STATIC),
    ]


@for_participants
async def image(request: Any) -> Any:
    room = room_of(request)
    return picture(request, room.folder.bank.ids, room.item)
