"""The study that a server shows: after an amendment the amended one, without a new start."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.replies import CONTEXT
from gfactor.studies.questionnaires.pages.showing import prepare_questions
from gfactor.studies.questionnaires.study.folder import StudyFolder
from gfactor.studies.web import DatabaseBusyError
from gfactor.studies.web.bounded import Bounded


class ServedStudy:
    """The context of a server, which is made again when a change of study.toml has been recorded by
    `gfactor study amend`.

    A change that is not recorded, or cannot be served, has no effect. The check costs one `stat` of
    study.toml per request, and a database query only while the file is different.
    """

    def __init__(self, context: StudyContext) -> None:
        self._context, self._stamp = context, context.folder.stamp()
        self._refused: Any = None

    def context(self) -> StudyContext:
        """Return the context of the current declaration of the study."""
        stamp = self._context.folder.stamp()
        if stamp != self._stamp:
            with suppress(DatabaseBusyError):  # The next request will do.
                self._look(stamp)
        return self._context

    def _look(self, stamp: Any) -> None:
        digest = self._context.store.amended_digest()
        now = self._context.folder.declaration.digest
        if digest in (None, now) or self._refused == (stamp, digest):
            return
        try:
            folder = StudyFolder.open(self._context.folder.path, pilot=self._context.folder.pilot)
            if folder.declaration.digest != digest:
                raise ParameterError("study.toml was changed again after the amendment")
            context = _amended(self._context, folder)
        except ParameterError:
            self._refused = stamp, digest
            return
        self._context, self._stamp = context, stamp


def _amended(context: StudyContext, folder: StudyFolder) -> StudyContext:
    """Return the context of an amended study; participants' progress, limits and logins stay."""
    folder.__dict__["secrets"] = context.secrets
    new = replace(
        context, folder=folder, views=Bounded(), marks=Bounded(), steps=Bounded(), others={}
    )
    new.__dict__.update(persons=context.persons, owners=context.owners)
    new.warm_up()
    prepare_questions(new)
    return new


class AmendedStudies:
    """ASGI middleware that puts the context of the current declaration of the study into each
    request.

    Parameters
    ----------
    app: the application.
    served: the study.
    """

    def __init__(self, app: Any, served: ServedStudy) -> None:
        self._app, self._served = app, served

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope[CONTEXT] = self._served.context()
        await self._app(scope, receive, send)
