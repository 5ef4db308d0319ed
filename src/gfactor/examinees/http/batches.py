"""Batch APIs of vendors: many requests in one, answered within a day, at half the price.

Two formats: OpenAI's (a file of requests, a batch, a file of results) and Anthropic's (message
batches). A batch is found again by the token that its requests carry, so that a process that was
killed between submitting and noting the vendor's id submits nothing twice.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import aiohttp

from gfactor.examinees.base import RenderedItem, Reply
from gfactor.examinees.http.anthropic import Anthropic
from gfactor.examinees.http.calls import Calls
from gfactor.examinees.http.encoding import url_pieces
from gfactor.examinees.http.endpoint import Endpoint
from gfactor.examinees.http.wire import OPENAI, Wire

BATCH_WINDOW_S = 24 * 3600.0
"""Vendors answer a batch within this time."""

DISCOUNT = 0.5
"""What vendors ask for a batch, of the price of single requests (OpenAI's and Anthropic's price
lists, 2026)."""

_ENDED = {"completed", "failed", "expired", "cancelled"}


@dataclass(frozen=True)
class Progress:
    """How far a batch is: whether it has ended, where its results are, what went wrong."""

    ended: bool
    results: tuple[str, ...] = ()
    detail: str = ""


class BatchFormat(Protocol):
    """What a vendor's batches are submitted, found, watched and read by."""

    wire: Wire
    """How the requests of a batch are written."""

    async def submit(self, token: str, asked: Sequence[RenderedItem]) -> str:
        """Submit questions; the vendor's id of the batch."""
        ...

    async def find(self, token: str, taken: Sequence[str]) -> str | None:
        """The id of the batch with that token; None where none was submitted. `taken` are ids that
        have other tokens."""
        ...

    async def progress(self, batch: str) -> Progress:
        """How far a batch is."""
        ...

    async def replies(self, token: str, progress: Progress) -> dict[int, Reply]:
        """The replies of a batch that has ended, by the number of the question."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


def batch_format(name: str, endpoint: Endpoint) -> BatchFormat:
    """The format of a name in `FORMATS`."""
    return FORMATS[name](endpoint)


class OpenAIBatches:
    """OpenAI's format: /files and /batches (platform.openai.com/docs/guides/batch)."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.wire: Wire = OPENAI
        self._endpoint = endpoint
        self._calls = Calls(endpoint, self.wire.headers(endpoint.key))

    async def submit(self, token: str, asked: Sequence[RenderedItem]) -> str:
        """Upload a file of requests, then make a batch of it, marked with the token."""
        lines = []
        for number, item in enumerate(asked):
            body = _body(self.wire, self._endpoint, item).decode()
            head = json.dumps({"custom_id": f"{token}-{number}", "method": "POST",
                               "url": "/v1/chat/completions"})  # fmt: skip
            lines.append(f'{head[:-1]}, "body": {body}}}\n')
        text = "".join(lines).encode()

        def form() -> aiohttp.FormData:
            data = aiohttp.FormData()
            data.add_field("purpose", "batch")
            data.add_field("file", text, filename=f"{token}.jsonl", content_type="application/json")
            return data

        file = await self._calls.json("POST", "/files", data=form)
        wanted = {
            "input_file_id": file.get("id"), "endpoint": "/v1/chat/completions",
            "completion_window": "24h", "metadata": {"gfactor": token},
        }  # fmt: skip
        batch = await self._calls.json("POST", "/batches", once=True, json=lambda: wanted)
        return str(batch["id"])

    async def find(self, token: str, taken: Sequence[str]) -> str | None:
        """The batch whose metadata have the token, among all that the account has."""
        after = ""
        while True:
            page = await self._calls.json("GET", f"/batches?limit=100{after}")
            batches = page.get("data") or []
            for batch in batches:
                if (batch.get("metadata") or {}).get("gfactor") == token:
                    return str(batch["id"])
            if not page.get("has_more") or not batches:
                return None
            after = f"&after={batches[-1]['id']}"

    async def progress(self, batch: str) -> Progress:
        """By the batch's status; results are in one file, failed requests in another."""
        said = await self._calls.json("GET", f"/batches/{batch}")
        files = tuple(said[k] for k in ("output_file_id", "error_file_id") if said.get(k))
        status = str(said.get("status"))
        return Progress(status in _ENDED, files, f"the batch is {status}")

    async def replies(self, token: str, progress: Progress) -> dict[int, Reply]:
        """Each line is read as the response of a single request."""
        replies: dict[int, Reply] = {}
        for file in progress.results:
            raw = await self._calls.bytes("GET", f"/files/{file}/content")
            for number, row in _rows(raw, token):
                response = row.get("response") or {}
                error = {"error": row.get("error") or {"message": "no response"}}
                status = response.get("status_code") or 500
                body = json.dumps(response.get("body") or error).encode()
                replies[number] = self.wire.judge(int(status), {}, body, time.time()).reply
        return replies

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()


class AnthropicBatches:
    """Anthropic's format: /messages/batches (docs.anthropic.com, "Batch processing")."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.wire: Wire = endpoint.wire if isinstance(endpoint.wire, Anthropic) else Anthropic()
        self._calls = Calls(endpoint, self.wire.headers(endpoint.key))

    async def submit(self, token: str, asked: Sequence[RenderedItem]) -> str:
        """Make a batch; each request's id has the token."""
        wanted = {
            "requests": [
                {
                    "custom_id": f"{token}-{number}",
                    "params": json.loads(_body(self.wire, self._endpoint, item)),
                }
                for number, item in enumerate(asked)
            ]
        }
        batch = await self._calls.json("POST", "/messages/batches", once=True, json=lambda: wanted)
        return str(batch["id"])

    async def find(self, token: str, taken: Sequence[str]) -> str | None:
        """The batch whose first result has the token; those in progress are waited for, since
        nothing else tells what they hold."""
        after = ""
        while True:
            page = await self._calls.json("GET", f"/messages/batches?limit=100{after}")
            batches = page.get("data") or []
            for batch in batches:
                if batch["id"] not in taken and await self._holds(token, batch["id"]):
                    return str(batch["id"])
            if not page.get("has_more") or not batches:
                return None
            after = f"&after_id={batches[-1]['id']}"

    async def _holds(self, token: str, batch: str) -> bool:
        while not (progress := await self.progress(batch)).ended:
            await asyncio.sleep(max(1.0, self._endpoint.first_wait_s))
        return bool(await self.replies(token, progress))

    async def progress(self, batch: str) -> Progress:
        """By the batch's processing status."""
        said = await self._calls.json("GET", f"/messages/batches/{batch}")
        results = (said["results_url"],) if said.get("results_url") else ()
        status = str(said.get("processing_status"))
        return Progress(status == "ended", results, f"the batch is {status}")

    async def replies(self, token: str, progress: Progress) -> dict[int, Reply]:
        """Each result is read as the response to a single request."""
        replies: dict[int, Reply] = {}
        for url in progress.results:
            for number, row in _rows(await self._calls.bytes("GET", url), token):
                result = row.get("result") or {}
                lost = {"message": f"the request is {result.get('type')}"}
                body = result.get("message") or result.get("error") or {"error": lost}
                raw = json.dumps(body).encode()
                replies[number] = self.wire.judge(200, {}, raw, time.time()).reply
        return replies

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()


FORMATS = {"openai": OpenAIBatches, "anthropic": AnthropicBatches}


def _rows(raw: bytes, token: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file of results that have the token, with the number of the question."""
    # Of bytes, since a line separator within an answer (U+2028) ends no line of the file.
    for line in raw.splitlines():
        try:
            row = json.loads(line.decode("utf-8", "replace"))
            name, _, number = str(row["custom_id"]).rpartition("-")
        except (ValueError, TypeError, KeyError):
            continue
        if name == token and number.isdigit():
            yield int(number), row


def _body(wire: Wire, endpoint: Endpoint, item: RenderedItem) -> bytes:
    """What a single request would hold."""
    model = endpoint.model
    return wire.body(model, item, wire.dialect(model), endpoint.detail, url_pieces)
