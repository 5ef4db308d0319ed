"""Prolific's API: submissions, their approval and rejection, bonuses.

References: docs.prolific.com, API Reference: "Retrieve a submission", "Approve or reject a
submission" (idempotent), "Set up bonuses" (amounts with decimals; pays nothing) and "Pay bonuses"
(asynchronous and not idempotent).
"""

from __future__ import annotations

import http.client
import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gfactor.studies.questionnaires.paying.payment_api import Outcome, ServiceError, Submission

TOKEN, ADDRESS = "PROLIFIC_TOKEN", "PROLIFIC_URL"
"""Environment variables with the key and, for tests, another address, as Prolific's own command
line names them."""

_HOME = "https://api.prolific.com"
_ID = re.compile(r"[0-9A-Za-z]{1,64}")
_STATES: Mapping[str, Any] = {
    "AWAITING REVIEW": "waiting",
    "APPROVED": "approved",
    "REJECTED": "rejected",
}
REJECTION: Mapping[str, str] = {
    "attention": "FAILED_CHECK",
    "speeding": "TOO_QUICKLY",
    "straightlining": "LOW_EFFORT",
}
"""Prolific's category of a rejection, by the study's reason."""

_PAUSES_S = (1.0, 4.0, 15.0)
_PATIENCE_S = 60.0


def home() -> str:
    """Return the address of Prolific's API; it must use HTTPS, except for a test on this machine.

    Raises ServiceError for any other address.
    """
    url = os.environ.get(ADDRESS, "").strip() or _HOME
    if not url.startswith(("https://", "http://127.0.0.1:", "http://localhost:")):
        raise ServiceError(f"{ADDRESS} is {url!r}; give an address that starts with https://")
    return url.rstrip("/")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Handler that follows no redirect, so that the key is sent only to Prolific."""

    def redirect_request(
        self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any
    ) -> None:
        return None


class ProlificApi:
    """Prolific's API with the key of a researcher.

    Parameters
    ----------
    token: the key; it is in no message and no file.
    url: address of the API, see `home`.
    pause: function that waits for so many seconds before something is asked for again.
    """

    def __init__(self, token: str, url: str, pause: Callable[[float], None] = time.sleep) -> None:
        self._token, self._url, self._pause = token, url, pause
        self._opener = urllib.request.build_opener(_NoRedirect)

    @classmethod
    def of_environment(cls) -> ProlificApi:
        """Return the API with the key of the environment.

        Raises ServiceError if there is none, and for an address without HTTPS.
        """
        token = os.environ.get(TOKEN, "").strip()
        if not token:
            raise ServiceError(
                f"no key of Prolific is set; put one (Settings, API tokens) into {TOKEN}, or pay "
                "by the files of `gfactor study payments`"
            )
        return cls(token, home())

    def submission(self, submission: str) -> Submission | None:
        """Return a submission; None if there is none with this id, or it is not an id of
        Prolific."""
        if not _ID.fullmatch(submission):
            return None
        status, reply = self._again("GET", f"submissions/{submission}/")
        if status == 404:
            return None
        return Submission(
            submission,
            str(reply.get("participant") or ""),
            str(reply.get("study_id") or ""),
            _STATES.get(str(reply.get("status") or ""), "other"),
            round(sum(reply.get("bonus_payments") or ())),
        )

    def approve(self, submission: str) -> None:
        """Approve a submission, which pays the reward."""
        self._again("POST", f"submissions/{submission}/transition/", {"action": "APPROVE"})

    def reject(self, submission: str, reasons: Sequence[str], message: str) -> None:
        """Reject a submission, with a message that the participant gets."""
        category = REJECTION[reasons[0]]
        body = {"action": "REJECT", "rejection_category": category, "message": message}
        self._again("POST", f"submissions/{submission}/transition/", body)

    def order(self, study: str, bonuses: Sequence[tuple[str, int]]) -> tuple[str, int]:
        """Set up bonuses without paying them; return the id of the order and its sum in cents."""
        lines = "\n".join(f"{submission},{cents / 100:.2f}" for submission, cents in bonuses)
        body = {"study_id": study, "csv_bonuses": lines}
        _, reply = self._again("POST", "submissions/bonus-payments/", body)
        order = str(reply.get("id") or "")
        if not re.fullmatch(r"[0-9A-Za-z-]{1,64}", order):
            raise ServiceError("Prolific set up bonuses without an id; nothing was paid")
        return order, round(reply.get("amount") or 0)

    def pay(self, order: str) -> Outcome:
        """Pay the bonuses of an order. The request is sent only once, even after a failure."""
        try:
            status, _ = self._once("POST", f"bulk-bonus-payments/{order}/pay/", {})
        except (OSError, http.client.HTTPException) as error:
            unreached = isinstance(getattr(error, "reason", None), ConnectionRefusedError)
            return "refused" if unreached else "unknown"
        if 200 <= status < 300:
            return "accepted"
        return "refused" if 400 <= status < 500 else "unknown"

    def _again(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        """Send a request, and repeat it if Prolific or the network fails; return the status and the
        object of the reply. Raises ServiceError for a refusal (except 404 of a GET), and if all
        attempts fail.
        """
        problem = ""
        for pause in (*_PAUSES_S, None):
            try:
                status, text = self._once(method, path, body)
            except (OSError, http.client.HTTPException) as error:
                problem = f"Prolific cannot be reached ({error})"
            else:
                if 200 <= status < 300 or (method, status) == ("GET", 404):
                    return status, _object(text)
                problem = _refusal(status, text)
                if status < 500 and status != 429:
                    break
            if pause is not None:
                self._pause(pause)
        raise ServiceError(problem)

    def _once(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Token {self._token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self._url}/api/v1/{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=_PATIENCE_S) as reply:
                return reply.status, reply.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode("utf-8", "replace")


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _refusal(status: int, text: str) -> str:
    if status in (401, 403):
        return f"Prolific refuses the key in {TOKEN}; make a new one (Settings, API tokens)"
    return f"Prolific replied {status}: {text.strip()[:300] or 'without a reason'}"
