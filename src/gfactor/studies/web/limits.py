"""Rate limits: a token bucket per client, in memory, by a hash that changes with every start."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from gfactor.studies.web.extras import need
from gfactor.studies.web.headers import headers_of


class RateLimit:
    """A bucket of `burst` requests per client that fills by `per_second`.

    Clients are distinguished by a salted hash of their address or session, so that nothing is
    stored that could identify a person, and nothing is written to disk. At most `clients` are
    remembered; the one not seen for longest is forgotten first. `pseudonyms` is True if clients are
    named by pseudonyms of the server, which need no hash.
    """

    def __init__(
        self,
        per_second: float,
        burst: int,
        clients: int = 50_000,
        clock: Callable[[], float] = time.monotonic,
        *,
        pseudonyms: bool = False,
    ) -> None:
        self._per_second, self._burst, self._clients = per_second, burst, clients
        self._clock, self._pseudonyms = clock, pseudonyms
        self._salt = secrets.token_bytes(16)
        self._buckets: OrderedDict[str | bytes, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Return True if this client may make a request now, and count it then."""
        key = client if self._pseudonyms else self._hashed(client)
        now = self._clock()
        left, then = self._buckets.pop(key, (float(self._burst), now))
        left = min(self._burst, left + (now - then) * self._per_second)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        if len(self._buckets) > self._clients:
            self._buckets.popitem(last=False)
        return allowed

    def _hashed(self, client: str) -> bytes:
        return hashlib.blake2b(client.encode(), key=self._salt, digest_size=16).digest()

    def allows_request(self, request: Any, client: str) -> bool:
        """Return True if a request is allowed; one that is tried again because the database was
        busy counts once."""
        counted = request.scope.setdefault("gfactor.counted", [])
        if self in counted:
            return True
        counted.append(self)
        return self.allows(client)


def client_of(request: object) -> str:
    """Return the address of a request, for `RateLimit` only; for IPv6 its 64-bit network, because
    one client has all addresses of such a network."""
    client = getattr(request, "client", None)
    host = client.host if client else "unknown"
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


class SmallPosts:
    """ASGI middleware that refuses bodies above a size before it reads them."""

    def __init__(self, app: Any, largest: int) -> None:
        self._app, self._largest = app, largest

    def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        if scope["type"] == "http" and scope["method"] == "POST":
            size = headers_of(scope).get(b"content-length", b"")
            if not size.isdigit() or int(size) > self._largest:
                response = need("starlette.responses").PlainTextResponse(
                    "too large", status_code=413
                )
                return response(scope, receive, send)
        return self._app(scope, receive, send)
