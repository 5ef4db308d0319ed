"""Interface of every vendor's batches: submitting, searching, watching, reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from gfactor.examinees.base import RenderedItem
from gfactor.examinees.http.batches.results import BatchResults
from gfactor.examinees.http.encoding import url_pieces
from gfactor.examinees.http.endpoint import Endpoint
from gfactor.examinees.http.payload import Dialect
from gfactor.examinees.http.wire import Wire

BATCH_WINDOW_S = 24 * 3600.0
"""Vendors answer a batch within this time."""

LONGEST_WAIT_S = 50 * 3600.0
"""Longest time to wait for a batch: vendors let batches expire after 24 hours, Google after 48.
"""

DISCOUNT = 0.5
"""Price of a batch as a share of the price of single requests (price lists of OpenAI, Anthropic and
Google, 2026).
"""

MOST_BYTES = 90 * 2**20
"""Largest size of the images of a batch that is sent as a file: vendors accept 200 to 256 MB."""

_CLOCKS = timedelta(minutes=10)
"""Largest difference between the clocks of a vendor and of this machine, in seconds."""

_SUBMITTING = timedelta(hours=1)
"""Time in seconds within which a stored batch is submitted, or not at all."""


@dataclass(frozen=True)
class Ticket:
    """A batch as it was noted before it was submitted.

    Parameters
    ----------
    token: mark of its requests.
    size: the number of its requests.
    noted: time at which it was noted, by the clock of the machine.
    """

    token: str
    size: int
    noted: datetime

    def may_be_of(self, created: datetime | None) -> bool:
        """Return False if a batch with this time of creation cannot be this one."""
        if created is None:
            return True
        return self.noted - _CLOCKS <= created <= self.noted + _SUBMITTING


@dataclass(frozen=True)
class Search:
    """Result of a search for a token.

    Parameters
    ----------
    batch: the vendor's id of the batch, None if no batch with the token was seen.
    undecided: ids of batches that may be the one; the vendor shows their token when they have
    ended.
    """

    batch: str | None = None
    undecided: tuple[str, ...] = ()


@dataclass(frozen=True)
class BatchProgress:
    """Progress of a batch.

    Parameters
    ----------
    ended: True if no more results will come. results: addresses of its results.
    detail: its state, with the vendor's reason if it failed.
    accepted: True if the vendor has checked it and put it into its queue.
    queue_full: True if it was refused because the vendor's queue is full.
    complete: True if the vendor says that it has processed every request.
    """

    ended: bool
    results: tuple[str, ...] = ()
    detail: str = ""
    accepted: bool = True
    queue_full: bool = False
    complete: bool = False


class RequestFiles(Protocol):
    """Interface for remembering which files of requests were uploaded."""

    async def find(self, digest: str) -> str:
        """Return the vendor's id of a file by the hash of its requests; "" if none is known."""
        ...

    async def note(self, token: str, digest: str, file: str) -> None:
        """Store which file the batch with a token is made from."""
        ...

    async def forget(self, digest: str) -> None:
        """Record that a file can no longer be used."""
        ...


class BatchFormat(Protocol):
    """Interface for submitting, searching, watching and reading a vendor's batches."""

    wire: Wire
    """Form of the requests of a batch."""

    most_bytes: int
    """Largest size of the images of a batch; base64 adds a third to the request."""

    async def submit(
        self, token: str, items: Sequence[RenderedItem], dialect: Dialect, files: RequestFiles
    ) -> str:
        """Submit questions; return the vendor's id of the batch.

        A format that uploads its requests as a file records it in `files`, and does not upload a
        file that is recorded there.

        Raises SubmissionLostError if it is not known whether the batch was created, and
        QueueFullError if the vendor accepts no more at the moment.
        """
        ...

    async def find(self, ticket: Ticket, taken: Sequence[str]) -> Search:
        """Search for the batch of a ticket; `taken` are ids of batches with other tokens."""
        ...

    async def progress(self, batch: str) -> BatchProgress:
        """Return the progress of a batch."""
        ...

    async def replies(self, prefix: str, size: int, progress: BatchProgress) -> BatchResults:
        """Read the responses of a batch that has ended, whose requests' ids begin with `prefix`. If
        all its requests were processed, each question has a verdict."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


def request_json(wire: Wire, endpoint: Endpoint, item: RenderedItem, dialect: Dialect) -> bytes:
    """Return the JSON of a single request, without streaming."""
    how = replace(dialect, stream=False), endpoint.detail, url_pieces
    return wire.body(endpoint.model, item, *how)


def moment(value: Any) -> datetime | None:
    """Parse a time in a vendor's notation (RFC 3339, or seconds since 1970); return None if it is
    not one."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value).astimezone()
        parsed = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        return None
    return parsed if parsed.tzinfo else None
