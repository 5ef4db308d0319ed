"""A recruiting service's API as a study needs it: submissions, decisions on them, payments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from gfactor.errors import ParameterError

Outcome = Literal["accepted", "refused", "unknown"]
"""Outcome of an order to pay: taken by the service, refused by it, or, after a failure on the way
or in the service, not known."""


class ServiceError(ParameterError):
    """A service cannot be reached, or refuses a request."""


@dataclass(frozen=True)
class Submission:
    """A participation as recorded by the service.

    Parameters
    ----------
    id: id of the submission.
    participant, study: the service's ids of the participant and of the study.
    state: "waiting" (to be decided on), "approved", "rejected", or "other".
    bonus: sum of all bonuses paid on it, in cents.
    """

    id: str
    participant: str
    study: str
    state: Literal["waiting", "approved", "rejected", "other"]
    bonus: int


class PaymentApi(Protocol):
    """API of a recruiting service. All methods except `pay` may be repeated without harm.

    Every method raises ServiceError if the service does not carry out the request.
    """

    def submission(self, submission: str) -> Submission | None:
        """Return a submission; None if the service has none with this id."""
        ...

    def approve(self, submission: str) -> None: ...

    def reject(self, submission: str, reasons: Sequence[str], message: str) -> None: ...

    def order(self, study: str, bonuses: Sequence[tuple[str, int]]) -> tuple[str, int]:
        """Prepare bonuses (submission and cents) without paying them; return the id of the order
        and its sum in cents by the service."""
        ...

    def pay(self, order: str) -> Outcome:
        """Pay the bonuses of an order, once; a repeated request would be paid again."""
        ...
