"""Address at which browsers reach an application: scheme, host and path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from gfactor.errors import ParameterError


@dataclass(frozen=True)
class Address:
    """Facts about the address at which browsers reach a server.

    Parameters
    ----------
    secure: True for HTTPS: cookies then require it, and a header tells browsers to stay there.
    prefix: the path below which all pages lie, "/study"; "" for the root.
    host: the host (and port) that posts must come from; "" if the request's own is right.
    """

    secure: bool = False
    prefix: str = ""
    host: str = ""

    @classmethod
    def of(cls, url: str, *, secure: bool = False) -> Address:
        """Return the address of a URL such as "https://lab.example/study"; for "", the server's own
        root.

        Raises ParameterError if the URL is not the address of a web server.
        """
        if not url:
            return cls(secure)
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.query:
            raise ParameterError(
                f"{url!r} is not a public address; give one such as https://lab.example/study"
            )
        host = parts.netloc.lower()  # As browsers write it, without the default port.
        host = host.removesuffix({"http": ":80", "https": ":443"}[parts.scheme])
        return cls(secure or parts.scheme == "https", parts.path.rstrip("/"), host)

    def comes_from_here(self, origin: str, host: str) -> bool:
        """Return True if the `Origin` of a post is this address; `host` is the request's."""
        try:
            return urlsplit(origin).netloc == (self.host or host)
        except ValueError:  # "http://[": no address at all
            return False


def address_of(request: Any) -> Address:
    """Return the address of the application that answers a request."""
    return request.scope["gfactor.address"]


class Prefixed:
    """ASGI middleware that finds pages below the address's prefix, even if a proxy removes the
    prefix from the path.

    `shared` is put into the scope of every request, for its handlers, and so is the address.
    """

    def __init__(self, app: Any, address: Address, shared: Mapping[str, Any]) -> None:
        self._app, self._prefix = app, address.prefix
        self._shared = {**shared, "gfactor.address": address}

    def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        if scope["type"] == "http":
            scope.update(self._shared)
            if self._prefix:
                path = scope["path"]
                if path != self._prefix and not path.startswith(f"{self._prefix}/"):
                    path = self._prefix + path
                if path == self._prefix:
                    path += "/"
                scope = {**scope, "path": path, "root_path": self._prefix}
        return self._app(scope, receive, send)  # awaited by the outermost layer
