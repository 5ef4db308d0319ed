"""The web application of the annotation desk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.studies.annotation.desk import Desk, message
from gfactor.studies.annotation.pages import editing, entry, files, labeling
from gfactor.studies.annotation.project import Project
from gfactor.studies.web import SecureHeaders, SmallPosts
from gfactor.studies.web.extras import need

LARGEST_POST = 1_000_000
"""Bytes of a draft; the longest exam items with their analyses have a tenth of that."""


def application(project: Project | Path, *, secure: bool = False) -> Any:
    """The ASGI application of a project.

    Parameters
    ----------
    project: the project, or the path of its folder.
    secure: whether browsers reach it over HTTPS (through a proxy); cookies then demand it.

    Raises ParameterError where the folder is no project, or has lost its secrets.
    """
    opened = project if isinstance(project, Project) else Project.open(project)
    _ = opened.secrets  # Without them there is no page; said before anybody comes.
    desk = Desk(opened, opened.store(), secure)
    routes = [*entry.routes(), *editing.routes(), *labeling.routes(), *files.routes()]
    applications = need("starlette.applications")
    app = applications.Starlette(routes=routes, exception_handlers={404: _not_found})
    app.state.desk = desk
    app.state.logins = desk.logins
    return SecureHeaders(SmallPosts(app, LARGEST_POST))


async def _not_found(request: Any, _: Exception) -> Any:
    return message(request, "Not here", "There is no such page.", 404)
