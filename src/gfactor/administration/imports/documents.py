"""JSON from other programs: read without raising anything but ValueError, and storable."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any

from gfactor.examinees import Outcome
from gfactor.items import Image, Segment

_DATA = re.compile(r"data:image/([\w.+-]+);base64,", re.ASCII)
_TIMEOUT = re.compile(r"time.?out|timed out|deadline", re.IGNORECASE)
_TRANSPORT = re.compile(
    r"connect|network|rate.?limit|overload|unavailable|http|api.?(?:status|error)|\b5\d\d\b",
    re.IGNORECASE,
)


def read_json(raw: bytes | str) -> Any:
    """Return the value of a JSON text; lone surrogates in its strings become escapes.

    Raises ValueError if it is not JSON or is nested too deeply. NaN and infinities are read.
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
    """Return the text in one line, without control characters, cut to a maximum length."""
    printable = "".join(c if c.isprintable() else " " for c in str(text)[: 4 * longest])
    return " ".join(printable.split())[:longest]


def image_of_uri(uri: str, name: str) -> Segment:
    """Return the image in a data URI, named by `name` and its type, or a text that replaces it if
    there is none.

    Logs that name a file or an address do not contain the image.
    """
    head = _DATA.match(uri)
    if head is None:
        return f"[image: {uri}]" if len(uri) < 200 else "[image]"
    try:
        data = base64.b64decode(uri[head.end() :], validate=True)
    except binascii.Error:
        return "[image]"
    return Image(data, f"{name}.{head[1].replace('jpeg', 'jpg')}")


def failed_outcome(message: str) -> Outcome:
    """Return the kind of failure that an error message describes."""
    if _TIMEOUT.search(message):
        return "timeout"
    return "transport_error" if _TRANSPORT.search(message) else "protocol_error"
