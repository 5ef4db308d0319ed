"""Waiting for room in a vendor's queue of batches: reported, and given up after a day."""

from __future__ import annotations

import math
import time

from gfactor.administration.sharing.claims import Tell
from gfactor.examinees.http.batches import BATCH_WINDOW_S
from gfactor.examinees.http.calls import LONGEST_ASKED_S
from gfactor.examinees.http.limits import RunStoppedError

_REPORTING_S = 600.0
"""Seconds after which the same sentence about waiting is repeated."""


_MOST_DOUBLINGS = 20
"""Largest number of doublings of the time between attempts to submit a batch."""


class Waiting:
    """Waiting for room in the vendor's queue, with reports, and given up after a time limit.

    Parameters
    ----------
    examinee: owner of the batches.
    poll_s: seconds between attempts.
    tell: called with sentences about it.
    """

    def __init__(self, examinee: str, poll_s: float, tell: Tell | None) -> None:
        self.refusal = ""
        """The reason why the vendor accepted no batch while none of this examinee was in its
        queue."""
        self._examinee, self._tell = examinee, tell or (lambda _: None)
        self._poll_s, self._refused_since, self._asked_again = poll_s, math.inf, 0.0
        self._last_sentence, self._last_at, self._refusals = "", -math.inf, 0

    def refuse(self, reason: str, wait_s: float | None = None) -> None:
        """Wait because the vendor's queue is full of others' batches, or accepts only smaller
        ones."""
        if (wait_s or 0.0) > LONGEST_ASKED_S:
            raise RunStoppedError(
                f"{self._examinee}: the vendor takes no batch ({reason.rstrip('. ')}) and asks to "
                f"wait {wait_s:,.0f} s; what was submitted is noted, run the same command again "
                "then"
            )
        self.refusal = reason
        self._refused_since = min(self._refused_since, time.monotonic())
        # Each attempt sends all requests again, so attempts get rarer.
        pause = max(self._poll_s, min(LONGEST_ASKED_S, self._poll_s * 2**self._refusals))
        pause, self._refusals = max(pause, wait_s or 0.0), min(self._refusals + 1, _MOST_DOUBLINGS)
        # Half an interval earlier, so that the look at that time makes an attempt.
        earliest = max(pause - self._poll_s / 2, wait_s or 0.0)
        self._asked_again = time.monotonic() + earliest
        self.report(
            f"{self._examinee}: the vendor takes no batch at the moment ({reason.rstrip('. ')}); "
            f"trying again in {pause:g} s"
        )

    def accept(self) -> None:
        """Record that the vendor accepted a batch."""
        self.refusal, self._refused_since, self._refusals = "", math.inf, 0

    def check(self) -> None:
        """Try again if it is time; raise RunStoppedError after a day without success."""
        now = time.monotonic()
        if now >= self._asked_again:
            self.refusal = ""
        if now - self._refused_since > BATCH_WINDOW_S:
            raise RunStoppedError(
                f"{self._examinee}: the vendor took no batch for a day, the last time because: "
                f"{self._last_sentence}"
            )

    def report(self, sentence: str) -> None:
        """Report a sentence, and repeat the same one only after a while."""
        now = time.monotonic()
        if sentence != self._last_sentence or now - self._last_at > _REPORTING_S:
            self._last_sentence, self._last_at = sentence, now
            self._tell(sentence)
