"""Fields of a posted form, read with limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

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
    body = (await request.body()).decode("utf-8", "replace")
    values: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return Fields({})
    for name, value in pairs:
        values.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return Fields(values)
