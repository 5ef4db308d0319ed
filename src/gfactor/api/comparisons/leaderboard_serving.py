"""A leaderboard that is served, and follows its journals while they grow."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gfactor.api.inputs.progress_bars import tell
from gfactor.api.inputs.serving import Serving
from gfactor.errors import GfactorError, JournalError
from gfactor.results import number_of
from gfactor.studies.web import Address
from gfactor.studies.web.extras import need
from gfactor.studies.web.operations import guarded
from gfactor.studies.web.serving import is_loopback


@dataclass(frozen=True)
class Leaderboard:
    """Summary of a leaderboard that was written.

    Parameters
    ----------
    path : Path
        The first page.
    models : int
        Number of examinees that have a page.
    items : int
        Number of items that have a page.
    pages : int
        Number of HTML files.
    bytes, picture_bytes : int
        Size of the site without pictures of items, and size of those pictures.
    digest : str
        Digest of all answers and examinees, as pages show it.
    warnings : tuple of str
        Sentences on examinees and people that cannot be compared with the others.

    Examples
    --------
    >>> from pathlib import Path
    >>> from gfactor.api.comparisons.leaderboard_serving import Leaderboard
    >>> Leaderboard(Path("site/index.html"), 3, 10, 19, 60_000, 0, "1f").to_dict()
    {'models': 3, 'items': 10, 'bytes': 60000, 'pages': 19}
    """

    path: Path
    models: int
    items: int
    pages: int
    bytes: int
    picture_bytes: int
    digest: str
    warnings: tuple[str, ...] = ()

    def summary(self) -> str:
        """Return the warnings and the size of the site, as text."""
        pictures = f", {self.picture_bytes / 1e6:.1f} MB of pictures" * bool(self.picture_bytes)
        warnings = "".join(f"warning: {one}\n" for one in self.warnings)
        return (
            f"{warnings}{self.path}: {number_of(self.models, 'examinee')}, "
            f"{number_of(self.items, 'item')}, "
            f"{number_of(self.pages, 'page')}, {self.bytes / 1e6:.1f} MB{pictures}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor leaderboard --json`."""
        return {name: getattr(self, name) for name in ("models", "items", "bytes", "pages")}


_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript",
          ".json": "application/json", ".csv": "text/csv", ".svg": "image/svg+xml",
          ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
          ".webp": "image/webp", ".gif": "image/gif"}  # fmt: skip
_DRAWN = "default-src 'none'; style-src 'unsafe-inline'"
"""Content security policy of a figure: it may use its own colors only."""

_WAITING = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="refresh" content="3"><title>Leaderboard</title>
<p>The journal holds no answers yet. This page looks again every three seconds.</p></html>
"""

LOOK_S = 2.0
"""Seconds between two looks at the journals."""


class Served:
    """A served site that is written again while its journals grow, alternating between two folders.

    Parameters
    ----------
    size : callable
        Function that returns what grows with the journals: answers, failed attempts and items of
        each.
    write : callable
        Writes the site to a folder.
    folder : Path
        Folder that holds both folders of the site.
    """

    def __init__(
        self, size: Callable[[], Any], write: Callable[[Path], Leaderboard], folder: Path
    ) -> None:
        self._look, self._write, self._folder = size, write, folder
        self._size: Any = None
        self._turn = 0
        self._done: Leaderboard | None = None
        self._ended = threading.Event()

    def refresh(self) -> None:
        """Write the site again if the journals have grown since it was written."""
        size = self._look()
        if size == self._size:
            return
        room = self._folder / f"state-{self._turn % 2}"
        shutil.rmtree(room, ignore_errors=True)
        try:
            self._done = self._write(room)
        except JournalError:
            if self._done is not None or any(answered for answered, _, _ in size):
                raise
        self._size, self._turn = size, self._turn + 1

    def _follow(self) -> None:
        while not self._ended.wait(LOOK_S):
            try:
                self.refresh()
            except GfactorError as error:
                tell(f"the site stays as it was: {error}")

    def application(self, host: str, address: Address | None = None) -> Any:
        """Return the web application that serves only the site's files."""
        responses, routing = need("starlette.responses"), need("starlette.routing")
        middleware = need("starlette.middleware")
        trusted = need("starlette.middleware.trustedhost").TrustedHostMiddleware

        async def page(request: Any) -> Any:
            name = request.path_params["path"] or "index.html"
            if self._done is None:
                return responses.HTMLResponse(_WAITING)
            room = self._done.path.parent.resolve()
            target = (room / name).resolve()
            if not target.is_relative_to(room) or not target.is_file():
                return responses.PlainTextResponse("There is no such page.", 404)
            kind = _KINDS.get(target.suffix, "application/octet-stream")
            headers = {"content-security-policy": _DRAWN} if target.suffix == ".svg" else {}
            return responses.Response(target.read_bytes(), media_type=kind, headers=headers)

        address = address or Address()
        hosts = ["127.0.0.1", "localhost", "[::1]"] if is_loopback(host) else ["*"]
        hosts += [re.sub(":[0-9]*$", "", address.host)] * bool(address.host)
        # Another site's name that leads to this machine is not let in.
        guard = middleware.Middleware(trusted, allowed_hosts=hosts, www_redirect=False)
        routes = [routing.Route("/{path:path}", page)]
        return guarded(routes, address, 0, middleware=[guard])

    def serve(self, serving: Serving) -> Leaderboard:
        """Serve until interrupted; return the site that was written last."""
        self.refresh()
        following = threading.Thread(target=self._follow, daemon=True)
        following.start()
        try:
            address = Address.of(serving.public_url, secure=serving.https)
            serving.run(self.application(serving.host, address))
        finally:
            self._ended.set()
            following.join()
        if self._done is None:
            raise JournalError("the journals had no answers when serving ended")
        return self._done
