"""Response to one attempt to have an item answered."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from gfactor.examinees import FAILED, Reply
from gfactor.frozen import quickly_made


@quickly_made
@dataclass(frozen=True)
class Response:
    """A reply and its key: examinee, item, condition and number of the occasion.

    Parameters
    ----------
    examinee : str
        Canonical name.
    item_hash : str
        The item's identity (`Provenance.content_hash`).
    condition : str
        Key of the condition.
    occasion : int
        Number of the occasion, from 0.
    reply : Reply
        Reply of the examinee.
    created : str
        Time of the response: UTC, ISO 8601.

    Examples
    --------
    >>> from gfactor.administration import Response
    >>> from gfactor.examinees import Reply
    >>> Response.now("observer:ideal", "abc", "default", 0, Reply("A")).failed
    False
    """

    examinee: str
    item_hash: str
    condition: str
    occasion: int
    reply: Reply
    created: str

    @classmethod
    def now(
        cls, examinee: str, item_hash: str, condition: str, occasion: int, reply: Reply
    ) -> Response:
        """Return a response that came back just now."""
        seconds, milliseconds = divmod(time.time_ns() // 1_000_000, 1000)
        created = f"{_second(seconds)}.{milliseconds:03d}+00:00"
        return cls(examinee, item_hash, condition, occasion, reply, created)

    @property
    def failed(self) -> bool:
        """Return True if the attempt failed, so that the item is to be asked again."""
        return self.reply.outcome in FAILED


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    """Return a second since 1970 in ISO 8601; many answers come in within the same one."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
