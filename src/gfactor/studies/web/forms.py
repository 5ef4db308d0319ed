"""Fields of a posted form, read with limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus

MOST_FIELDS = 500


@dataclass(frozen=True)
class Fields:
    """What a form holds: every field may have several values."""

    values: Mapping[str, list[str]]

    def get(self, name: str, default: str = "") -> str:
        """The first value of a field."""
        return self.values.get(name, [default])[0]

    def all(self, name: str) -> list[str]:
        """Every value of a field."""
        return self.values.get(name, [])


async def fields_of(request: Any) -> Fields:
    """The fields of a post; none where the body is no form, or has more than `MOST_FIELDS`.

    Forms here are URL-encoded; the size of a body is limited by `SmallPosts`.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return Fields({})
    pairs = (await request.body()).decode("utf-8", "replace").split("&")
    if len(pairs) > MOST_FIELDS:
        return Fields({})
    values: dict[str, list[str]] = {}
    for pair in filter(None, pairs):
        name, _, value = pair.partition("=")
        values.setdefault(_plain(name), []).append(_plain(value))
    return Fields(values)


def _plain(text: str) -> str:
    """A name or value as it was before it was encoded, which most are still."""
    if "%" not in text and "+" not in text:
        return text
    return unquote_plus(text, errors="replace").replace("\r\n", "\n")
