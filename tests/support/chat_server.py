"""A tiny chat-completions server on the loopback interface, with faults on demand.

It answers each request with `reply(body)` (an observer, an echo ...). A fault is a function that
gets the running number of the request and may answer in the server's stead.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from aiohttp import web

Body = dict[str, Any]
Fault = Callable[[int, web.Request], Awaitable[web.StreamResponse | None]]


def completion(text: str | None, finish: str = "stop", **message: Any) -> Body:
    """A chat completion as servers send it."""
    return {
        "id": "x",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish,
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def texts(body: Body) -> list[str]:
    """The texts of the last turn of a request."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return [content]
    return [p["text"] for p in content if p["type"] == "text"]


def pictures(body: Body) -> list[np.ndarray]:
    """The decoded pixels (RGB) of all images of a request."""
    found = []
    for message in body["messages"]:
        if isinstance(message["content"], str):
            continue
        for part in message["content"]:
            if part["type"] == "image_url":
                data = part["image_url"]["url"].split(",", 1)[1]
                raw = np.frombuffer(base64.b64decode(data), np.uint8)
                pixels = cv2.imdecode(raw, cv2.IMREAD_COLOR)
                assert pixels is not None
                found.append(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB))
    return found


@dataclass
class ChatServer:
    """The running server: its address and what it has seen."""

    url: str = ""
    bodies: list[Body] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    served: int = 0
    busy: int = 0
    busiest: int = 0


@contextlib.contextmanager
def chat_server(
    reply: Callable[[Body], str | Body] = lambda body: "COUNT:1",
    fault: Fault | None = None,
    latency_s: float = 0.0,
    keep: bool = True,
    models: Sequence[str] = (),
) -> Iterator[ChatServer]:
    """Serve on a free loopback port in a thread until the block ends; list `models` if given."""
    seen = ChatServer()

    async def chat(request: web.Request) -> web.StreamResponse:
        number = seen.served
        seen.served += 1
        seen.busy += 1
        seen.busiest = max(seen.busiest, seen.busy)
        try:
            body = json.loads(await request.read())
            if keep:
                seen.bodies.append(body)
                seen.headers.append(dict(request.headers))
            if latency_s:
                await asyncio.sleep(latency_s)
            if fault is not None:
                answered = await fault(number, request)
                if answered is not None:
                    return answered
            said = reply(body)
            return web.json_response(said if isinstance(said, dict) else completion(said))
        finally:
            seen.busy -= 1

    with loopback("/v1/chat/completions", chat, models) as address:
        seen.url = f"{address}/v1"
        yield seen


@contextlib.contextmanager
def loopback(
    path: str,
    handle: Callable[[web.Request], Awaitable[web.StreamResponse]],
    models: Sequence[str] = (),
) -> Iterator[str]:
    """Serve posts to a path on a free port until the block ends; the address, without a path."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    stop = asyncio.Event()
    addresses: list[str] = []

    async def listing(request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": name} for name in models]})

    async def serve() -> None:
        app = web.Application(client_max_size=2**28)
        app.router.add_post(path, handle)
        if models:
            app.router.add_get("/v1/models", listing)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        addresses.append(f"http://127.0.0.1:{runner.addresses[0][1]}")
        ready.set()
        await stop.wait()
        await runner.cleanup()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield addresses[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()
