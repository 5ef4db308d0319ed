"""Servers that speak Anthropic's and Google's own APIs, on the loopback interface.

Bodies are written by us from the fields that the vendors document (platform.claude.com,
api/messages and api/errors; ai.google.dev, api/generate-content; google.rpc's error details).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from support.chat_server import Body, loopback

Answered = tuple[int, Any] | tuple[int, Any, dict[str, str]]


def message(*blocks: Body, stop: str = "end_turn", **usage: int) -> Body:
    """A message of Anthropic's."""
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
        "content": list(blocks), "stop_reason": stop, "stop_sequence": None,
        "usage": {"input_tokens": 12, "output_tokens": 6, "cache_creation_input_tokens": 0,
                  "cache_read_input_tokens": 0, "service_tier": "standard", **usage},
    }  # fmt: skip


def said(text: str) -> Body:
    """A block of text."""
    return {"type": "text", "text": text, "citations": None}


def mistake(kind: str, text: str) -> Body:
    """An error of Anthropic's."""
    return {"type": "error", "error": {"type": kind, "message": text}, "request_id": "req_1"}


def candidate(*parts: Body, finish: str = "STOP", **usage: int) -> Body:
    """A response of Google's."""
    return {
        "candidates": [{"content": {"parts": list(parts), "role": "model"}, "finishReason": finish,
                        "index": 0}],
        "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 6,
                          "totalTokenCount": 18, **usage},
        "modelVersion": "m", "responseId": "r",
    }  # fmt: skip


def status(code: int, name: str, text: str, *details: Body) -> Body:
    """An error of Google's."""
    return {"error": {"code": code, "message": text, "status": name, "details": list(details)}}


@dataclass
class VendorServer:
    """The running server: its address and what it has seen."""

    url: str = ""
    bodies: list[Body] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextlib.contextmanager
def vendor_server(answer: Callable[[int, Body], Answered]) -> Iterator[VendorServer]:
    """Answer request by request with a status and a body (JSON, or text), until the block ends."""
    seen = VendorServer()

    async def handle(request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        seen.bodies.append(body)
        seen.paths.append(request.path)
        seen.headers.append({k.lower(): v for k, v in request.headers.items()})
        code, what, *more = answer(len(seen.bodies) - 1, body)
        headers = more[0] if more else {}
        streamed = isinstance(what, str)
        response = web.Response(
            text=what if streamed else json.dumps(what),
            status=code,
            headers=headers,
            content_type="text/event-stream" if streamed else "application/json",
        )
        # A connection that is kept would outlive the loop of an examinee that is not closed.
        response.force_close()
        return response

    with loopback("/{path:.*}", handle) as address:
        seen.url = f"{address}/v1"
        yield seen
