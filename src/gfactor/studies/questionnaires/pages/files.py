"""Pictures of items, style and script: nothing is looked up by a name that a request gives."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from gfactor.studies.questionnaires.pages.replies import for_participants, room_of
from gfactor.studies.web.extras import need
from gfactor.studies.web.pictures import kind_of

_STATIC = {
    "style.css": "text/css; charset=utf-8",
    "task.js": "text/javascript; charset=utf-8",
    "monitor.js": "text/javascript; charset=utf-8",
}


def routes() -> list[Any]:
    route = need("starlette.routing").Route
    return [
        route("/image/{item:int}/{number:int}", image),
        route("/static/{name:str}", static),
    ]


@for_participants
async def image(request: Any) -> Any:
    """An item's picture, by the item's number in the bank and the picture's in the item."""
    room = room_of(request)
    response = need("starlette.responses").Response
    item, number = request.path_params["item"], request.path_params["number"]
    ids = room.folder.bank.ids
    if item >= len(ids) or number >= len(images := room.item(ids[item]).images):
        return response(status_code=404)
    data = images[number].data
    kind = kind_of(data)
    if kind is None:
        return response(status_code=404)
    headers = {"cache-control": "private, max-age=86400, immutable"}
    return response(data, media_type=kind, headers=headers)


async def static(request: Any) -> Any:
    """A file of ours, from a list."""
    response = need("starlette.responses").Response
    name = request.path_params["name"]
    if name not in _STATIC:
        return response(status_code=404)
    headers = {"cache-control": "public, max-age=300"}
    return response(_content(name), media_type=_STATIC[name], headers=headers)


@cache
def _content(name: str) -> bytes:
    return files("gfactor.studies.questionnaires").joinpath("static", name).read_bytes()
