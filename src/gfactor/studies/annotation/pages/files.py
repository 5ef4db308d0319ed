"""Pictures of items for annotators, style and scripts."""

from __future__ import annotations

from typing import Any

from gfactor.studies.annotation.workspace import workspace_of
from gfactor.studies.web import logged_in, route
from gfactor.studies.web.assets import picture, static_route

_STATIC = {
    "workspace.css": "text/css; charset=utf-8",
    "workspace.js": "text/javascript; charset=utf-8",
}


def routes() -> list[Any]:
    return [
        route("/image/{item:number}/{number:number}", image),
        static_route("gfactor.studies.annotation", _STATIC),
    ]


@logged_in
async def image(request: Any) -> Any:
    workspace = workspace_of(request)
    ids, number = workspace.project.bank.ids, request.path_params["item"]
    images = workspace.item(ids[number]).images if number < len(ids) else ()
    return picture(images, request.path_params["number"])
