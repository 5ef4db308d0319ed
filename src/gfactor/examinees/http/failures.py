"""Failures that servers report: one parser for the many forms of error bodies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.examinees.base import Outcome

EXCERPT = 300
"""Largest number of characters that are kept of a server's message."""

_HOPELESS = frozenset({301, 302, 303, 307, 308, 401, 402, 404})
"""Statuses that other items would get as well, because address, key, model or account are wrong."""

_NO_MONEY = re.compile(
    r"insufficient_quota|insufficient.?(balance|credit)|exceeded your current|credit balance is too"
)

_FILTERED = re.compile(
    r"content.?(filter|policy|management)|data_?inspection|moderation|usage polic|safety system"
    r"|flagged|inappropriate content|content exists risk|prohibited_content|敏感|不安全",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Failure:
    """An error that a server reports.

    Parameters
    ----------
    message: the server's message; `about` adds its codes and types, to recognize the failure.
    status: the HTTP status that it names itself, None if it names none.
    """

    message: str
    about: str = ""
    status: int | None = None

    def outcome(self, status: int) -> Outcome:
        """Return the outcome of the attempt; a withheld reply does not count as a failure of the
        server."""
        if status in (400, 403, 451) and _FILTERED.search(self.about):
            return "content_filter"
        return "timeout" if status in (408, 504, 524) else "transport_error"

    def hopeless(self, status: int) -> bool:
        """Return True if every other item would fail for the same reason."""
        return status in _HOPELESS or self.out_of_money(status)

    def out_of_money(self, status: int) -> bool:
        """Return True if the account has no money left, so that waiting does not help although the
        status suggests it."""
        return status in (400, 402, 429) and bool(_NO_MONEY.search(self.about.lower()))


def failure_of(body: Any) -> Failure | None:
    """Return the failure in a response's JSON; None if it contains none.

    Known forms: `{"error": {...}}` (OpenAI), the same in a list (Gemini), `{"error": "text"}`
    (Ollama), `{"object": "error", "message": ...}` (vLLM), `{"detail": ...}` (FastAPI), an upstream
    server's own words inside `metadata.raw` (OpenRouter), and an error within a choice.
    """
    if isinstance(body, list):
        return next((f for f in map(failure_of, body[:1]) if f), None)
    if not isinstance(body, dict):
        return None
    error = body.get("error")
    if isinstance(error, Mapping) and error:
        return _from_object(error)
    if isinstance(error, str) and error:
        return Failure(error, error)
    if body.get("object") == "error" or ("choices" not in body and _message(body)):
        return _from_object(body)
    choices = body.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        inner = choices[0].get("error")
        return _from_object(inner) if isinstance(inner, Mapping) and inner else None
    return None


def _from_object(error: Mapping[str, Any]) -> Failure:
    names = [str(error[k]) for k in ("type", "code", "status") if error.get(k) is not None]
    message = _message(error) or " ".join(names)
    more = error.get("metadata")
    raw = more.get("raw") if isinstance(more, Mapping) else None
    if isinstance(raw, str) and raw.strip():
        message = f"{message}: {raw}"
    message = with_parameter(message, error)
    if isinstance(more, Mapping) and more.get("reasons"):
        names.append(f"moderation {more['reasons']}")
    return Failure(message, " ".join((message, *names)), _status(error.get("code")))


def with_parameter(message: str, error: Mapping[str, Any]) -> str:
    """Return an error's message with the parameter of the request that the error names (`param`),
    unless the message names it.

    Examples
    --------
    >>> with_parameter("Unsupported value.", {"param": "temperature"})
    'Unsupported value (parameter temperature)'
    """
    name = error.get("param")
    if not isinstance(name, str) or not name or name in message:
        return message
    return f"{message.rstrip('. ')} (parameter {name})"


def _message(error: Mapping[str, Any]) -> str:
    for name in ("message", "detail", "msg"):
        value = error.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list) and value:
            return "; ".join(_flaw(one) for one in value)
    return ""


def _flaw(one: Any) -> str:
    """Return place and message of an error of pydantic, without its copy of the request."""
    if not isinstance(one, Mapping):
        return str(one)
    location = one.get("loc")
    where = ".".join(map(str, location)) if isinstance(location, Sequence) else ""
    return f"{where}: {one.get('msg', '')}"


def _status(code: Any) -> int | None:
    if isinstance(code, str) and re.fullmatch(r"\d{3}", code, re.ASCII):
        code = int(code)
    return code if isinstance(code, int) and 400 <= code < 600 else None
