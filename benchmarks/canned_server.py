"""A chat-completions server for benchmarks: one canned answer, after a latency, and nothing else.

Prints its address and serves until it is killed.

    python benchmarks/canned_server.py [--latency-ms 50]
"""

from __future__ import annotations

import argparse
import asyncio
import json

from aiohttp import web

ANSWER = json.dumps(
    {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": "canned",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "COUNT:1"},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 200, "completion_tokens": 5, "total_tokens": 205},
    }
).encode()


async def serve(latency_s: float) -> None:
    """Serve on a free port of the loopback interface, for ever."""

    async def chat(request: web.Request) -> web.Response:
        await request.read()
        if latency_s:
            await asyncio.sleep(latency_s)
        return web.Response(body=ANSWER, content_type="application/json")

    app = web.Application(client_max_size=2**28)
    app.router.add_post("/v1/chat/completions", chat)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency-ms", type=float, default=0.0)
    asyncio.run(serve(parser.parse_args().latency_ms / 1000))


if __name__ == "__main__":
    main()
