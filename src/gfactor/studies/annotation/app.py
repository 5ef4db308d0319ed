"""The web application of the annotation workspace."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gfactor.studies.annotation.pages import commenting, editing, entry, labeling, overseeing
from gfactor.studies.annotation.project import Project
from gfactor.studies.annotation.workspace import WORKSPACE, Workspace, message, workspace_of
from gfactor.studies.web import Address, logged_in, route
from gfactor.studies.web.assets import picture, static_route
from gfactor.studies.web.logins import LOGINS
from gfactor.studies.web.operations import Log, guarded, health_route

LARGEST_POST = 1_000_000
"""Largest size of a draft in bytes; the longest exam items with their analyses have a tenth of
it."""


def application(
    project: Project | Path, *, secure: bool = False, public_url: str = "", log: Log | None = None
) -> Any:
    """Return the ASGI application of a project.

    Parameters
    ----------
    project: the project, or the path of its folder.
    secure: True if browsers reach it over HTTPS (through a proxy); cookies then demand it.
    public_url: address under which browsers reach it, "https://lab.example/workspace". The proxy
        may keep the path in requests or remove it. The scheme https means that browsers use HTTPS.
    log: log of requests; None to log nothing.

    Raises ParameterError if the folder is no project, or has lost its secrets.
    """
    opened = project if isinstance(project, Project) else Project.open(project)
    _ = (
        opened.secrets
    )  # Without the extra there are no pages; the error comes before the server starts.
    address = Address.of(public_url, secure=secure)
    workspace = Workspace(opened, opened.store(wait_s=0.0), address)
    routes = [*entry.routes(), *editing.routes(), *labeling.routes(), *_files()]
    routes += [*commenting.routes(), *overseeing.routes()]
    routes.append(health_route(workspace.store.assignments))
    globals_of_pages = {WORKSPACE: workspace, LOGINS: workspace.logins}
    handlers = {404: _not_found}
    return guarded(
        routes,
        address,
        LARGEST_POST,
        log,
        globals_of_pages,
        exception_handlers=handlers,
        lifespan=lambda _: _closing(workspace),
    )


@asynccontextmanager
async def _closing(workspace: Workspace) -> AsyncIterator[None]:
    """Close the history when the server ends."""
    try:
        yield
    finally:
        workspace.store.close()


async def _not_found(request: Any, _: Exception) -> Any:
    return message(request, "Not here", "There is no such page.", 404)


_STATIC = {
    "workspace.css": "text/css; charset=utf-8",
    "workspace.js": "text/javascript; charset=utf-8",
}


def _files() -> list[Any]:
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
