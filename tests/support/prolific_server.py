"""A server that answers as Prolific's API is documented, and counts what would have been paid.

Paying an order a second time pays it a second time, as the documentation warns.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "a-key-of-a-researcher"
CATEGORIES = {
    "TOO_QUICKLY", "TOO_SLOWLY", "FAILED_INSTRUCTIONS", "INCOMP_LONGITUDINAL", "FAILED_CHECK",
    "LOW_EFFORT", "MALINGERING", "NO_CODE", "BAD_CODE", "NO_DATA", "UNSUPP_DEVICE", "OTHER",
}  # fmt: skip

Fault = Callable[[int, str], "tuple[str, int] | None"]
"""By the running number and the path of a request: when it fails ("before" or "after" it was
carried out) and with which status (0: the connection is closed without a reply)."""


@dataclass
class ProlificServer:
    """The running server.

    `rewards` counts approvals that paid, and `bonuses` cents, by participant; `slow` keeps bonuses
    on their way until `arrive`.
    """

    url: str = ""
    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    orders: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    rewards: Counter[str] = field(default_factory=Counter)
    bonuses: Counter[str] = field(default_factory=Counter)
    rejections: dict[str, tuple[str, str]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    fault: Fault = lambda number, path: None
    slow: bool = False
    balance: int = 10**9
    on_the_way: list[tuple[str, int]] = field(default_factory=list)

    def add(self, who: str, study: str = "s1", status: str = "AWAITING REVIEW") -> None:
        """Add the submission of a participant, whose id ends with "session"."""
        name = f"{who}session"
        self.submissions[name] = {
            "id": name, "participant": who, "study_id": study, "status": status,
            "bonus_payments": [],
        }  # fmt: skip

    def arrive(self) -> None:
        """Pay the bonuses that are on their way."""
        arriving, self.on_the_way = self.on_the_way, []
        for submission, cents in arriving:
            found = self.submissions[submission]
            found["bonus_payments"].append(float(cents))
            self.bonuses[found["participant"]] += cents

    def reply(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if found := re.fullmatch(r"/api/v1/submissions/(\w+)/", path):
            known = self.submissions.get(found[1])
            return (200, known) if known else (404, {"error": "no such submission"})
        if found := re.fullmatch(r"/api/v1/submissions/(\w+)/transition/", path):
            return self._decide(self.submissions[found[1]], body)
        if path == "/api/v1/submissions/bonus-payments/":
            lines = [line.split(",") for line in body["csv_bonuses"].splitlines()]
            if any(name not in self.submissions or not re.fullmatch(r"\d+\.\d\d", amount)
                   for name, amount in lines):  # fmt: skip
                return 400, {"error": "unknown ids"}
            order = [(name, round(100 * float(amount))) for name, amount in lines]
            name = f"order{len(self.orders)}"
            self.orders[name] = order
            return 201, {"id": name, "study": body["study_id"], "amount": sum(c for _, c in order)}
        if found := re.fullmatch(r"/api/v1/bulk-bonus-payments/(\w+)/pay/", path):
            total = sum(cents for _, cents in self.orders[found[1]])
            if total > self.balance:
                return 400, {"error": "insufficient funds"}
            self.on_the_way += self.orders[found[1]]
            if not self.slow:
                self.arrive()
            return 202, "Bonus payments are being processed"
        return 404, {"error": f"no {method} {path}"}

    def _decide(self, submission: dict[str, Any], body: Any) -> tuple[int, Any]:
        if body["action"] == "REJECT" and (
            len(body.get("message", "")) < 100 or body.get("rejection_category") not in CATEGORIES
        ):
            return 400, {"error": "a rejection needs a category and a message of 100 characters"}
        if submission["status"] == "AWAITING REVIEW":
            rejects = body["action"] == "REJECT"
            submission["status"] = "REJECTED" if rejects else "APPROVED"
            if rejects:
                given = body["rejection_category"], body["message"]
                self.rejections[submission["participant"]] = given
            else:
                self.rewards[submission["participant"]] += 1
        return 200, submission


@contextmanager
def prolific_server() -> Iterator[ProlificServer]:
    """Serve on a free loopback port until the block ends."""
    state = ProlificServer()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._handle("GET")

        def do_POST(self) -> None:
            self._handle("POST")

        def _handle(self, method: str) -> None:
            text = self.rfile.read(int(self.headers.get("content-length") or 0))
            with lock:
                number = len(state.requests)
                state.requests.append(f"{method} {self.path}")
                if self.headers.get("authorization") != f"Token {TOKEN}":
                    return self._send(401, {"error": "invalid token"})
                when, status = state.fault(number, self.path) or ("", 0)
                if when == "before":
                    return self._send(status, {"error": "fault"})
                reply = state.reply(method, self.path, json.loads(text) if text else None)
                self._send(*((status, {"error": "fault"}) if when == "after" else reply))

        def _send(self, status: int, value: Any) -> None:
            if not status:
                self.close_connection = True
                return
            data = json.dumps(value).encode()
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("location", f"{state.url}/elsewhere")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        state.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
