"""JSON from other programs: read without raising anything but ValueError, and storable."""

from __future__ import annotations

import json
from typing import Any


def read_json(raw: bytes | str) -> Any:
    """The value of a JSON text; lone surrogates in its strings become escapes.

    Raises ValueError where it is no JSON or is nested too deeply. NaN and infinities are read.
    """
    try:
        return _storable(json.loads(raw))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [_storable(v) for v in value]
    if isinstance(value, dict):
        return {_storable(k): _storable(v) for k, v in value.items()}
    return value


def one_line(text: object, longest: int = 300) -> str:
    """The text without line breaks and control characters, cut where it is longer."""
    kept = "".join(c if c.isprintable() else " " for c in str(text)[: 4 * longest])
    return " ".join(kept.split())[:longest]
