"""People and attackers at a study that is served in a process of its own."""

from __future__ import annotations

from typing import Any

import httpx2

from gfactor.studies.questionnaires.simulating.form import Form, forms

PATIENCE_S = 300.0
"""How long a reply may take: a machine that is busy with other things is no failure."""


class Visitor:
    """A browser without scripts: cookies, redirects, and the forms of the page it is on."""

    def __init__(self, base: str, **headers: str) -> None:
        self.client = httpx2.Client(
            base_url=base, follow_redirects=True, headers=headers, timeout=PATIENCE_S
        )
        self.prefix = ""

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(self.prefix + path, **more)

    def post(self, path: str, data: dict[str, Any], **more: Any) -> Any:
        return self.client.post(self.prefix + path, data=data, **more)

    def pretend(self, cookie: str, value: str) -> None:
        """Come with this cookie and no other."""
        self.client.cookies.clear()
        self.client.cookies.set(cookie, value, domain="127.0.0.1", path="/")

    def form(self, path: str, action: str = "") -> Form:
        """The form of a page that posts to `action`."""
        return next(f for f in forms(self.get(path).text) if f.action.endswith(action))

    def begin(self, entry: str = "/") -> Any:
        """Consent on the page at `entry`."""
        return self.post("/start", {**self.form(entry, "/start").hidden, "agree": "yes"})

    def answer(self, **fields: Any) -> Any:
        """Post these fields of the next question."""
        hidden = self.form("/task", "/task").hidden
        return self.post("/task", {**hidden, **fields})

    def finish(self, option: str = "A", **fields: Any) -> int:
        """Answer every question with the same option, as fast as replies come; how many."""
        for count in range(1_000):
            found = [f for f in forms(self.get("/task").text) if f.action.endswith("/task")]
            if not found:
                return count
            self.post("/task", {**found[0].hidden, "option": option, **fields})
        raise AssertionError("the study does not end")

    def log_in(self, password: str, **headers: str) -> Any:
        """As the owner."""
        hidden = self.form("/owner/login", "/owner/login").hidden
        return self.post("/owner/login", {**hidden, "password": password}, headers=headers)
