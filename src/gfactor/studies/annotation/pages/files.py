"""Pictures, style and scripts: nothing is looked up by a name that a request gives."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from gfactor.studies.annotation.desk import desk_of
from gfactor.studies.web import logged_in
from gfactor.studies.web.extras import need
from gfactor.studies.web.pictures import kind_of

_STATIC = {
    "desk.css": "text/css; charset=utf-8",
    "desk.js": "text/javascript; charset=utf-8",
}


def routes() -> list[Any]:
    route = need("starlette.routing").Route
    return [
        route("/image/{item:int}/{number:int}", image),
        route("/static/{name:str}", static),
    ]


@logged_in
async def image(request: Any) -> Any:
    """An item's picture, by the item's number in the bank and the picture's in the item."""
    desk = desk_of(request)
    response = need("starlette.responses").Response
    item, number = request.path_params["item"], request.path_params["number"]
    ids = desk.project.bank.ids
    if item >= len(ids) or number >= len(images := desk.item(ids[item]).images):
        return response(status_code=404)
    kind = kind_of(images[number].data)
    if kind is None:
        return response(status_code=404)
    return response(images[number].data, media_type=kind)


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
    return files("gfactor.studies.annotation").joinpath("static", name).read_bytes()
