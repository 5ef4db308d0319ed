"""An item asked of a server that speaks a vendor's own API."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any

from gfactor.examinees import RenderedItem, Reply, make_examinee
from gfactor.examinees.http import Budget, Endpoint
from gfactor.imaging import encode_png
from gfactor.items import Image
from support.banks import picture
from support.vendor_server import Answered, Body, VendorServer, vendor_server

SEEN = Image(encode_png(picture(7)), "a.png")
ENCODED = base64.b64encode(SEEN.data).decode()
ASK = RenderedItem("i", "b", "t", ("How many?", SEEN))


def ask(
    spec: str,
    answer: Callable[[int, Body], Answered],
    item: RenderedItem = ASK,
    count: int = 1,
    budget: Budget | None = None,
    **limits: Any,
) -> tuple[list[Reply], VendorServer, tuple[str, ...]]:
    """The same item, so often, one after the other; the replies, the server and the notes."""

    async def work(url: str) -> tuple[list[Reply], tuple[str, ...]]:
        endpoint = Endpoint(
            "", url, **{"key": "sk-secret-123", "attempts": 3, "first_wait_s": 0, **limits}
        )
        examinee: Any = make_examinee(spec, endpoint=endpoint, budget=budget)
        try:
            return [await examinee(item) for _ in range(count)], examinee.notes
        finally:
            await examinee.close()

    with vendor_server(answer) as server:
        replies, notes = asyncio.run(work(server.url))
    return replies, server, notes


def always(*answered: Any) -> Callable[[int, Body], Answered]:
    return lambda number, body: answered  # pyright: ignore[reportReturnType]


def then(*answers: Any) -> Callable[[int, Body], Answered]:
    """The answers one after the other, the last for ever."""
    return lambda number, body: answers[min(number, len(answers) - 1)]
