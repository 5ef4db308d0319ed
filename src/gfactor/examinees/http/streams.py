"""Completions that come in pieces (server-sent events): for servers that know no other way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_BEGINS = re.compile(rb"\s*(?:data:|event:|id:|:)")


def is_stream(raw: bytes) -> bool:
    """Whether a body is a stream of events."""
    return _BEGINS.match(raw) is not None


def events_of(raw: bytes) -> Iterator[dict[str, Any]]:
    """The objects that the events of a stream hold, up to the first that is none."""
    for line in raw.splitlines():
        if not line.startswith(b"data:") or line[5:].strip() == b"[DONE]":
            continue
        try:
            event = json.loads(line[5:])
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        yield event


def completion_of(raw: bytes) -> dict[str, Any] | None:
    """The completion whose pieces a stream holds; None where the stream broke off.

    It is whole when a choice gave a reason for its end, or the last event says [DONE]. An error
    that is told in the stream stands in the place of the completion.
    """
    parts: dict[str, list[str]] = {"content": [], "reasoning_content": [], "refusal": []}
    finish, usage, whole = None, None, False
    for line in raw.splitlines():
        if not line.startswith(b"data:"):
            continue
        data = line[5:].strip()
        if data == b"[DONE]":
            whole = True
            continue
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            return None
        if not isinstance(event, dict):
            return None
        if event.get("error"):
            return event
        usage = event.get("usage") or usage
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            continue
        if choice.get("error"):
            return {"error": choice["error"]}
        delta = choice.get("delta") or choice.get("message")
        for name, value in (delta if isinstance(delta, dict) else {}).items():
            kept = parts.get("reasoning_content" if name == "reasoning" else name)
            if kept is not None and isinstance(value, str):
                kept.append(value)
        finish = choice.get("finish_reason") or finish
    if not (whole or finish):
        return None
    message = {name: "".join(texts) for name, texts in parts.items()}
    return {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}
