"""Room in a vendor's queue of batches, as declared or as its refusals show."""

from __future__ import annotations

import math
import re

_LIMIT = re.compile(r"limit:?\s*([\d,]*\d)\s+enqueued tokens", re.IGNORECASE)
"""Pattern of OpenAI's message about the limit: "Limit: 90,000 enqueued tokens"."""

_GROWTH = 1.1
"""Factor by which the tried total grows after a batch was accepted in addition to others."""

_GROWTH_ALONE = 2.0
"""Factor by which the tried size grows after a batch was accepted while none waited."""

_HALVINGS = 4
"""Number of halvings of a batch that is refused while none waits. After these, it takes as many
refusals for each further halving: the queue may be full of other users' batches, and tiny batches
would take days."""


class QueueRoom:
    """The tokens that may wait in a vendor's queue.

    A vendor names its limit only when it refuses a batch, and some name none. A refused batch costs
    nothing. The tokens that waited at that time did fit, so no more are submitted until some of the
    waiting batches have ended.

    Parameters
    ----------
    most: largest number of tokens that may wait, None if unknown.

    Examples
    --------
    >>> room = QueueRoom()
    >>> room.refuse("Limit: 90,000 enqueued tokens", tokens=60_000, waiting=60_000)
    >>> room.fits(60_000, waiting=60_000), room.fits(30_000, waiting=60_000)
    (False, True)
    """

    def __init__(self, most: float | None = None) -> None:
        self._ceiling = math.inf if most is None else float(most)
        self.most = self._ceiling
        self._refusals = 0

    def fits(self, tokens: float, waiting: float) -> bool:
        """Return True if a batch may be submitted in addition to the waiting ones.

        If no batch is waiting, it may always be tried.
        """
        return not waiting or waiting + tokens <= self.most

    def accept(self, tokens: float, waiting: float) -> None:
        """Record that the vendor accepted a batch in addition to the waiting ones."""
        self._refusals = 0
        if self.most < self._ceiling:
            grown = _GROWTH * (waiting + tokens) if waiting else _GROWTH_ALONE * tokens
            self.most = min(self._ceiling, max(self.most, grown))

    def refuse(self, reason: str, tokens: float, waiting: float) -> None:
        """Record that the vendor refused a batch in addition to the waiting ones."""
        limit = named_limit(reason)
        if limit is not None:
            self._ceiling = min(self._ceiling, limit)
        others = limit is not None and not waiting and tokens < limit / 2
        if limit is not None and (waiting + tokens > limit or others):
            # A batch that certainly fits into an empty queue waits until other users' batches have
            # ended, and its file is used again; a smaller batch would need another upload.
            self.most = min(self.most, limit)
        elif waiting:
            self.most = min(self.most, waiting)
        else:
            self._refusals += 1
            if self._refusals <= _HALVINGS or not self._refusals % _HALVINGS:
                self.most = min(self.most, tokens / 2)


def named_limit(reason: str) -> float | None:
    """Return the limit in tokens that a vendor's refusal names; None if it names none."""
    match = _LIMIT.search(reason)
    return float(match[1].replace(",", "")) if match else None
