"""A campaign as a live page: how far it is, and questions, replies and failures as they come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Unpack

from gfactor.administration import Journal
from gfactor.api.campaign.declaring import read_campaign
from gfactor.api.campaign.looking import journal_of, look_closely
from gfactor.api.campaign.survey import open_campaign
from gfactor.api.inputs.serving import Serving, ServingOptions
from gfactor.parameters import Port
from gfactor.results import plain
from gfactor.studies.web import Address, Pages
from gfactor.studies.web.assets import static_route
from gfactor.studies.web.extras import need
from gfactor.studies.web.operations import guarded

_RECENT = 50
"""Answers and failed attempts that are shown at once, the newest."""

_LONGEST = 2000
"""Characters of a question and of a reply that are shown."""

_LOOK_SECONDS, _SHARE_OF_LOOKING = 3.0, 0.1
"""The status is made anew so often at most, and in so small a share of the time."""


def view(
    file: Path | str,
    *,
    host: str = "127.0.0.1",
    port: Port = 8020,
    ready: Callable[[str], None] | None = None,
    **web: Unpack[ServingOptions],
) -> None:
    """Serve a live page of a campaign until interrupted; no model is asked.

    The page shows the status, and items, replies and failures as they arrive. Everybody who can
    reach the address can read it; by default only this machine can (`host`).

    Parameters
    ----------
    file : path
        TOML file of the campaign.
    host : str
        Address to listen at.
    port : int
        Port to listen at; 0 for any free port.
    ready : callable, optional
        Function that is called with the address once the port is bound.
    **web : any
        Options for how browsers reach the site: `https`, `public_url`, `proxies` and
        `insecure_http`, as `ServingOptions` describes them.

    Raises
    ------
    ParameterError
        If the file has a mistake, or the port is in use.

    Examples
    --------
    >>> import gfactor as gf
    >>> gf.campaign.view("campaign.toml", port=8020)  # doctest: +SKIP
    """
    serving = Serving.of(host, port, ready, web)
    serving.run(application(file, secure=serving.https, public_url=serving.public_url))


def application(file: Path | str, *, secure: bool = False, public_url: str = "") -> Any:
    """Return the ASGI application of a campaign's live page."""
    progress_page = _ProgressPage(file)
    pages = Pages(__name__)
    json_response = need("starlette.responses").JSONResponse
    route = need("starlette.routing").Route
    address = Address.of(public_url, secure=secure)

    async def page(request: Any) -> Any:
        state = await asyncio.to_thread(progress_page.state, 0, 0)
        return pages.response("live.html.j2", state=state, root=address.prefix)

    async def state(request: Any) -> Any:
        answered, failed = (_number(request.query_params.get(n)) for n in ("answer", "failure"))
        return json_response(await asyncio.to_thread(progress_page.state, answered, failed))

    kinds = {"live.js": "text/javascript", "live.css": "text/css"}
    routes = [route("/", page), route("/state", state), static_route(__name__, kinds)]
    return guarded(routes, address, 0)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 18 else 0


class _ProgressPage:
    """Content of the page about a campaign."""

    def __init__(self, file: Path | str) -> None:
        self._declared = read_campaign(file)
        self._campaign = open_campaign(self._declared)
        self._journal: Journal | None = None
        self._status: dict[str, Any] = {}
        self._until = 0.0

    def state(self, answered: int, failed: int) -> dict[str, Any]:
        """The status, and what came in after an answer and a failed attempt of these numbers."""
        if self._journal is None:
            self._journal = journal_of(self._declared)
        began = time.monotonic()
        if began >= self._until:
            status = look_closely(self._campaign, self._journal)
            notes = [str(note) for note in status.diagnostics]
            tables = plain(status.tables)
            self._status = {"title": status.title, "notes": notes, **plain(status.facts), **tables}
            took = time.monotonic() - began
            self._until = began + max(_LOOK_SECONDS, took / _SHARE_OF_LOOKING)
        events: list[dict[str, Any]] = []
        if self._journal is not None:
            events = self._journal.newest(_RECENT, answered, failed)
        for event in events:
            for name in ("question", "text", "detail"):
                if len(event[name]) > _LONGEST:
                    event[name] = event[name][:_LONGEST] + " ..."
        return {**self._status, "events": events}
