"""Fields of a posted form, read with limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus

from gfactor.studies.web.headers import header

MOST_FIELDS = 500

_READ = "gfactor.fields"


@dataclass(frozen=True)
class Fields:
    """Contents of a form: every field may have several values."""

    values: Mapping[str, list[str]]

    def get(self, name: str, default: str = "") -> str:
        """Return the first value of a field."""
        values = self.values.get(name)
        return values[0] if values else default

    def all(self, name: str) -> list[str]:
        """Return every value of a field."""
        return self.values.get(name, [])


async def fields_of(request: Any) -> Fields:
    """Return the fields of a post; none if the body is no form, or has more than `MOST_FIELDS`.

    Forms here are URL-encoded; the size of a body is limited by `SmallPosts`. A request that is
    tried again is read once.
    """
    scope = request.scope
    if _READ not in scope:
        scope[_READ] = await _read(request)
    return scope[_READ]


async def _read(request: Any) -> Fields:
    kind = header(request, b"content-type").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return Fields({})
    pieces, more = [], True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            return Fields({})  # The client has gone, and an incomplete form is not an answer.
        pieces.append(message.get("body", b""))
        more = message.get("more_body", False)
    body = b"".join(pieces).decode("utf-8", "replace")
    pairs = body.split("&")
    if len(pairs) > MOST_FIELDS:
        return Fields({})
    split = [pair.partition("=") for pair in pairs if pair]
    if "%" in body or "+" in body:
        split = [(_plain(name), "=", _plain(value)) for name, _, value in split]
    values = {name: [value] for name, _, value in split}
    if len(values) < len(split):
        values = _collected(split)
    return Fields(values)


def _collected(pairs: Iterable[tuple[str, str, str]]) -> dict[str, list[str]]:
    """Return all values by name, where one has several."""
    values: dict[str, list[str]] = {}
    for name, _, value in pairs:
        values.setdefault(name, []).append(value)
    return values


def _plain(text: str) -> str:
    """A name or value as it was before it was encoded."""
    return unquote_plus(text, errors="replace").replace("\r\n", "\n")
