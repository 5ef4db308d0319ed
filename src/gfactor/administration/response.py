"""What became of one attempt to have an item answered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from gfactor.examinees import FAILED, Reply


@dataclass(frozen=True)
class Response:
    """A reply and its key: who answered which item under which condition, for the how manieth time.

    Parameters
    ----------
    examinee : str
        Canonical name.
    item_hash : str
        The item's identity (`Provenance.content_hash`).
    condition : str
        Key of the condition.
    occasion : int
        From 0.
    reply : Reply
        What came back.
    created : str
        When, UTC, ISO 8601.

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
        """A response that came back just now."""
        created = datetime.now(UTC).isoformat(timespec="milliseconds")
        return cls(examinee, item_hash, condition, occasion, reply, created)

    @property
    def failed(self) -> bool:
        """Whether the attempt failed, so that the item is to be asked again."""
        return self.reply.outcome in FAILED
