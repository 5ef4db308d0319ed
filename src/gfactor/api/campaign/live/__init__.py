"""A campaign as a live page: how far it is, and questions, replies and failures as they come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gfactor.administration import Journal
from gfactor.api.campaign.declaring import read_campaign
from gfactor.api.campaign.looking import journal_of, look
from gfactor.api.campaign.survey import open_campaign
from gfactor.parameters import Port
from gfactor.results import plain
from gfactor.studies.web import Address, Pages
from gfactor.studies.web import serve as serve_application
from gfactor.studies.web.assets import static_route
from gfactor.studies.web.extras import need
from gfactor.studies.web.operations import guarded
from gfactor.studies.web.serving import check_transport

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
    https: bool = False,
    public_url: str = "",
    proxies: Sequence[str] = (),
    insecure_http: bool = False,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a live page of a campaign until interrupted; it asks no model anything.

    The page shows the status, and items, replies and failures as they arrive. Everybody who
    reaches the address can read it; therefore by default only this machine can reach it (`host`).

    Parameters
    ----------
    file : path
        The campaign's TOML file.
    host : str
        Address to listen at.
    port : int
        Port to listen at; 0 for any free port.
    https : bool
        Assume that browsers connect over HTTPS, through a proxy.
    public_url : str
        Address under which browsers reach the page: "https://lab.example/campaign".
    proxies : list of str
        Addresses of trusted proxies, whose header X-Forwarded-For is used.
    insecure_http : bool
        Serve plain HTTP even at addresses that other machines reach.
    ready : callable, optional
        Function that is called with the address once the port is bound.

    Raises
    ------
    ParameterError
        If the file has a mistake, or the port is in use.

    Examples
    --------
    >>> import gfactor as gf
    >>> gf.campaign.view("campaign.toml", port=8020)  # doctest: +SKIP
    """
    check_transport(host, https=https, public_url=public_url, insecure_http=insecure_http)
    app = application(file, secure=https, public_url=public_url)
    serve_application(app, host, port, ready, tuple(proxies), public_url)


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
            status = look(self._campaign, self._journal)
            self._status = {"title": status.title, **plain(status.facts), **plain(status.tables)}
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
