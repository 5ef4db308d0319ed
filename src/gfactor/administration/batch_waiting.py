"""Waiting for a vendor of batches: for room in its queue, for batches whose id never came back."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from gfactor.administration.claims import Tell
from gfactor.examinees.http.batches import BATCH_WINDOW_S, Ticket
from gfactor.examinees.http.limits import RunStoppedError

_REPORTING_S = 600.0
"""The same sentence about waiting is repeated after so long."""


class Waiting:
    """Waits without a known end: reported, and given up after a bound.

    Parameters
    ----------
    examinee: owner of the batches.
    poll_s: seconds between attempts.
    search_s: seconds to wait, when nothing else is left to do, for a batch that may be one whose
        id never came back.
    tell: called with sentences about it.
    """

    def __init__(self, examinee: str, poll_s: float, search_s: float, tell: Tell | None) -> None:
        self.refusal = ""
        """Why the vendor took no batch while none of ours was in its queue."""
        self._examinee, self._tell = examinee, tell or (lambda _: None)
        self._poll_s, self._search_s = poll_s, search_s
        self._refused_since = self._searched_since = math.inf
        self._asked_again = 0.0
        self._undecided: dict[str, str] = {}
        self._last_sentence, self._last_at = "", -math.inf

    def refuse(self, reason: str, wait_s: float | None = None) -> None:
        """Wait, since the vendor's queue is full of others' batches, or takes smaller ones only."""
        self.refusal = reason
        self._refused_since = min(self._refused_since, time.monotonic())
        self._asked_again = time.monotonic() + max(self._poll_s / 2, wait_s or 0.0)
        self._report(
            f"{self._examinee}: the vendor takes no batch at the moment ({reason.rstrip('. ')}); "
            f"trying again every {self._poll_s:g} s"
        )

    def accept(self) -> None:
        """Note that the vendor took a batch."""
        self.refusal, self._refused_since = "", math.inf

    def search(self, ticket: Ticket, undecided: Sequence[str]) -> None:
        """Wait for batches that may be one whose id never came back."""
        self._undecided[ticket.token] = (
            f"{ticket.size:,} questions may have been submitted at {ticket.noted:%H:%M} UTC "
            f"without an answer; of {', '.join(undecided)} the vendor does not show yet whether "
            "it holds them"
        )
        self._report(
            f"{self._examinee}: {self._undecided[ticket.token]}; everything else goes on, and "
            f"nothing is submitted twice"
        )

    def check(self, busy: bool, missing: Sequence[str]) -> None:
        """Raise RunStoppedError if a bound is reached.

        Parameters
        ----------
        busy: True if there is anything else to do.
        missing: tokens of the batches whose id never came back.
        """
        now = time.monotonic()
        if now >= self._asked_again:
            self.refusal = ""
        if now - self._refused_since > BATCH_WINDOW_S:
            raise RunStoppedError(
                f"{self._examinee}: the vendor took no batch for a day, the last time because: "
                f"{self._last_sentence}"
            )
        undecided = [self._undecided[one] for one in missing if one in self._undecided]
        if busy or not undecided:
            self._searched_since = math.inf
            return
        self._searched_since = min(self._searched_since, now)
        if now - self._searched_since > self._search_s:
            raise RunStoppedError(
                f"{self._examinee}: {undecided[0]}; run the same command again when that batch has "
                "ended"
            )

    def _report(self, sentence: str) -> None:
        now = time.monotonic()
        if sentence != self._last_sentence or now - self._last_at > _REPORTING_S:
            self._last_sentence, self._last_at = sentence, now
            self._tell(sentence)
