"""Rate limits: a bucket per client, in memory, by a hash that changes with every start."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable


class RateLimit:
    """A bucket of `burst` requests per client that fills by `per_second`.

    Clients are told apart by a salted hash of what names them (an address, a session): nothing
    that could identify a person is kept, and nothing is written anywhere. At most `clients` are
    remembered; the one not seen for longest is forgotten first.
    """

    def __init__(
        self,
        per_second: float,
        burst: int,
        clients: int = 50_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_second, self._burst, self._clients = per_second, burst, clients
        self._clock = clock
        self._salt = secrets.token_bytes(16)
        self._buckets: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Whether this client may make a request now; if so it is counted."""
        key = hashlib.blake2b(client.encode(), key=self._salt, digest_size=16).digest()
        now = self._clock()
        left, then = self._buckets.pop(key, (float(self._burst), now))
        left = min(self._burst, left + (now - then) * self._per_second)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        if len(self._buckets) > self._clients:
            self._buckets.popitem(last=False)
        return allowed


def client_of(request: object) -> str:
    """The address a request came from, for `RateLimit` only."""
    client = getattr(request, "client", None)
    return client.host if client else "unknown"
