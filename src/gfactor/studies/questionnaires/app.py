"""The web application of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.studies.questionnaires.folder import StudyFolder
from gfactor.studies.questionnaires.pages import ending, entry, files, owner, task
from gfactor.studies.questionnaires.room import Room
from gfactor.studies.web import SecureHeaders, SmallPosts
from gfactor.studies.web.extras import need

LARGEST_POST = 200_000
"""Bytes of a form; an open answer of 20,000 Chinese characters fits."""


def application(folder: StudyFolder | Path, *, secure: bool = False) -> Any:
    """The ASGI application of a study.

    Parameters
    ----------
    folder: the study, or the path of its folder.
    secure: whether browsers reach it over HTTPS (through a proxy); cookies then demand it.

    What links answers to persons outside is deleted at the start where its time is over. Raises
    ParameterError where the folder is no study, or has lost its secrets.
    """
    opened = folder if isinstance(folder, StudyFolder) else StudyFolder.open(folder)
    _ = opened.secrets  # Without them there is no page; said before anybody comes.
    room = Room(opened, opened.store(), secure)
    room.store.purge(room.study.retention_days)
    applications = need("starlette.applications")
    routes = [*entry.routes(), *task.routes(), *ending.routes(), *owner.routes(), *files.routes()]
    app = applications.Starlette(routes=routes, exception_handlers={404: entry.not_found})
    app.state.room = room
    app.state.logins = room.owners
    return SecureHeaders(SmallPosts(app, LARGEST_POST))
