"""Completions in pieces (server-sent events), for servers that only answer in this form."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:data:|event:|id:|retry:|:)")

_DONE: dict[str, Any] = {"done": True}
"""Object that represents the [DONE] at the end of a stream."""


def is_stream(raw: bytes) -> bool:
    """Return True if a body is a stream of events."""
    return _BEGINS.match(raw) is not None


def events_of(raw: bytes) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in the events of a stream, up to the first event without one."""
    for event in _objects(raw):
        if event is None:
            return
        if event is not _DONE:
            yield event


def _objects(raw: bytes) -> Iterator[dict[str, Any] | None]:
    """The objects of a stream, `_DONE` for the sign of its end, None if one is not an object.

    An object may span several lines of an event, and some servers put no empty line between
    events. Lines without content keep the connection alive.
    """
    data_lines: list[bytes] = []
    for line in (*raw.removeprefix(codecs.BOM_UTF8).splitlines(), b""):
        if line.startswith(b"data:"):
            if line[5:].strip():
                data_lines.append(line[5:])
        elif not line and data_lines:
            whole = _object(b"\n".join(data_lines))
            yield from [whole] if whole is not None else map(_object, data_lines)
            data_lines.clear()


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return _DONE if text.strip() == b"[DONE]" else None
    return event if isinstance(event, dict) else None


def completion_of(raw: bytes) -> dict[str, Any] | None:
    """Return the completion in a stream; None if the stream ended early.

    It is complete if a choice has a finish reason, or the last event is [DONE]. An error in the
    stream is returned instead of the completion.
    """
    parts: dict[str, list[str]] = {"content": [], "reasoning_content": [], "refusal": []}
    finish, usage, whole = None, None, False
    names: dict[str, Any] = {}
    for event in _objects(raw):
        if event is None:
            return None
        if event is _DONE:
            whole = True
            continue
        if event.get("error"):
            return event
        usage = event.get("usage") or usage
        names |= {name: event[name] for name in ("model", "system_fingerprint") if event.get(name)}
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            continue
        if choice.get("error"):
            return {"error": choice["error"]}
        delta = choice.get("delta") or choice.get("message")
        for name, value in (delta if isinstance(delta, dict) else {}).items():
            pieces = parts.get("reasoning_content" if name == "reasoning" else name)
            if pieces is not None and isinstance(value, str):
                pieces.append(value)
        finish = choice.get("finish_reason") or finish
    if not (whole or finish):
        return None
    message = {name: "".join(texts) for name, texts in parts.items()}
    return {"choices": [{"message": message, "finish_reason": finish}], "usage": usage, **names}
