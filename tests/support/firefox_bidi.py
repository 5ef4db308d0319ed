"""Debian's Firefox for Playwright: run as the browser's program, with a proxy before its socket.

Playwright speaks WebDriver BiDi with a Firefox that it did not build. Firefox knows some of its
commands not yet; these only change what media queries tell, and are answered here. Playwright taps
nothing by this protocol; it only clicks, and a click arrives in Firefox as the touch of a finger.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, WSMsgType, web

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
UNKNOWN = ("emulation.setMediaFeaturesOverride",)


@contextmanager
def firefox(folder: Path) -> Iterator[Any]:
    """Debian's Firefox, headless; skips the test where it is not installed."""
    if FIREFOX is None:
        pytest.skip("firefox-esr is not installed")
    sync = pytest.importorskip("playwright.sync_api")
    program = folder / "firefox"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "$@"\n')
    program.chmod(0o755)
    with sync.sync_playwright() as playwright:
        browser = playwright.firefox.launch(
            executable_path=program, channel="moz-firefox", timeout=300_000
        )
        yield browser
        browser.close()


def as_touch(asked: dict[str, Any]) -> dict[str, Any]:
    """A command with what the mouse does done by a finger (pointer actions of WebDriver)."""
    if asked["method"] != "input.performActions":
        return asked
    actions = [
        {**one, "id": "finger", "parameters": {"pointerType": "touch"}}
        if one["type"] == "pointer"
        else one
        for one in asked["params"]["actions"]
    ]
    return {**asked, "params": {**asked["params"], "actions": actions}}


async def proxied(target: str, request: web.Request) -> web.WebSocketResponse:
    """Pass messages on, clicks as touches, but answer what Firefox does not know."""
    here = web.WebSocketResponse(max_msg_size=0)
    await here.prepare(request)
    async with ClientSession() as session:
        there = await session.ws_connect(target + request.path, max_msg_size=0)

        async def back() -> None:
            async for message in there:
                if message.type == WSMsgType.TEXT:
                    await here.send_str(message.data)
            await here.close()

        returning = asyncio.create_task(back())
        async for message in here:
            if message.type != WSMsgType.TEXT:
                break
            asked = json.loads(message.data)
            if asked["method"] in UNKNOWN:
                reply = {"type": "success", "id": asked["id"], "result": {}}
                await here.send_str(json.dumps(reply))
            else:
                await there.send_str(json.dumps(as_touch(asked)))
        returning.cancel()
        await there.close()
    return here


async def main() -> None:
    assert FIREFOX is not None
    browser = await asyncio.create_subprocess_exec(
        FIREFOX, *sys.argv[1:], stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    assert browser.stderr is not None
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, lambda: (browser.kill(), os._exit(0)))
    target = None
    while target is None:
        line = (await browser.stderr.readline()).decode()
        if not line:
            return
        target = LISTENING.search(line)

    async def drain() -> None:
        assert browser.stderr is not None
        while await browser.stderr.readline():
            pass

    draining = asyncio.create_task(drain())
    address = target.group(1)
    app = web.Application()
    app.router.add_get("/{path:.*}", lambda request: proxied(address, request))
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    print(f"WebDriver BiDi listening on ws://127.0.0.1:{port}", file=sys.stderr, flush=True)
    await browser.wait()
    await draining


if __name__ == "__main__":
    asyncio.run(main())
