"""Costs of an examinee, and the amount at which requests without an answer are counted."""

from __future__ import annotations

import math
from dataclasses import dataclass

_ENOUGH = 10
"""Number of answers needed to estimate the cost of others."""


@dataclass(frozen=True)
class Unanswered:
    """Requests without an answer that may have been charged, and their largest possible cost."""

    requests: int = 0
    money: float = 0.0

    def __add__(self, other: Unanswered) -> Unanswered:
        return Unanswered(self.requests + other.requests, self.money + other.money)


NONE = Unanswered()


@dataclass(frozen=True)
class CostSums:
    """Sums over replies: their costs, the squared costs, and the number of replies with a cost."""

    money: float = 0.0
    squares: float = 0.0
    paid: int = 0

    def __add__(self, other: CostSums) -> CostSums:
        sums = self.money + other.money, self.squares + other.squares, self.paid + other.paid
        return CostSums(*sums)

    def likely(self, unanswered: Unanswered) -> float:
        """Return the expected cost of unanswered requests."""
        if self.paid < _ENOUGH:
            return unanswered.money
        mean = self.money / self.paid
        variance = max(0.0, self.squares / self.paid - mean**2)
        n = unanswered.requests
        return min(unanswered.money, n * mean + 3 * math.sqrt(variance * n))


@dataclass(frozen=True)
class Account:
    """Money of one examinee.

    Parameters
    ----------
    spent: the costs of all its replies in the journal.
    reserved: amount set aside by active processes. unanswered: amount counted for requests that may
    have been charged: they were sent and never answered, or their process was killed.
    """

    spent: float = 0.0
    reserved: float = 0.0
    unanswered: float = 0.0

    @property
    def counted(self) -> float:
        """Return the amount that counts against a cap."""
        return self.spent + self.reserved + self.unanswered
