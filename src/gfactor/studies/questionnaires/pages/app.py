"""The web application of a study."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from gfactor.studies.questionnaires.pages import (
    ending,
    entry,
    files,
    moving,
    owner,
    owner_tables,
    privacy,
    task,
)
from gfactor.studies.questionnaires.pages.amended import AmendedStudies, ServedStudy
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.showing import prepare_questions
from gfactor.studies.questionnaires.study.folder import StudyFolder
from gfactor.studies.web import Address, DatabaseBusyError
from gfactor.studies.web.extras import need
from gfactor.studies.web.logins import LOGINS
from gfactor.studies.web.operations import Log, guarded, health_route

LARGEST_POST = 200_000
"""Largest size of a form in bytes; an open answer of 20,000 Chinese characters fits."""

OFTEN = (
    "/task", "/image/{folder:str}/{position:number}/{number:number}",
    "/", "/start", "/instructions", "/results", "/done",
)  # fmt: skip
"""Pages that every participant requests; they are matched before others."""

PURGE_S = 3_600.0
"""Interval at which data past the retention are deleted while the server runs."""


def application(
    folder: StudyFolder | Path,
    *,
    secure: bool = False,
    public_url: str = "",
    simulated: bool = False,
    purge_s: float = PURGE_S,
    log: Log | None = None,
) -> Any:
    """Return the ASGI application of a study.

    Parameters
    ----------
    folder: the study, or the path of its folder.
    secure: True if browsers reach it over HTTPS (through a proxy); cookies then demand it.
    public_url: address under which browsers reach it, "https://lab.example/study". The proxy may
    keep the path in requests or remove it. The scheme https means that browsers use HTTPS.
    simulated: True if all visitors are bots of `study simulate`: their clocks are trusted, and no
    server times are stored. It must never be used for people. purge_s: seconds between two
    deletions of expired data that link answers to persons; the first is at the start.
    log: log of requests; None to log nothing.

    Raises ParameterError if the folder is not a study, has lost its secrets, or was changed after
    its first participant.
    """
    opened = folder if isinstance(folder, StudyFolder) else StudyFolder.open(folder)
    _ = (
        opened.secrets
    )  # Without the extra there are no pages; the error comes before the server starts.
    address = Address.of(public_url, secure=secure)
    context = StudyContext(opened, opened.store(wait_s=0.0), address, simulated)
    try:
        opened.purge(context.store)
        context.warm_up()
        prepare_questions(context)
    except BaseException:
        context.store.close()
        raise
    rooms = (task, files, entry, ending, moving, privacy, owner, owner_tables)
    routes = [route for room in rooms for route in room.routes()]
    routes.sort(key=lambda route: route.path not in OFTEN)
    routes.append(health_route(context.store.ended))
    served = ServedStudy(context)
    return guarded(
        routes,
        address,
        LARGEST_POST,
        log,
        {LOGINS: context.owners},
        middleware=[need("starlette.middleware").Middleware(AmendedStudies, served)],
        exception_handlers={404: entry.not_found},
        lifespan=lambda _: _purging(served, purge_s),
    )


@asynccontextmanager
async def _purging(served: ServedStudy, every_s: float) -> AsyncIterator[None]:
    """Delete data past the retention at regular intervals, as long as the server runs."""

    async def purge() -> None:
        while True:
            await asyncio.sleep(every_s)
            with suppress(DatabaseBusyError):  # the next time will do
                await asyncio.to_thread(served.context().folder.purge)

    running = asyncio.create_task(purge())
    try:
        yield
    finally:
        running.cancel()
        served.context().store.close()
