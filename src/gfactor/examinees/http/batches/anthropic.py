"""Anthropic's format of batches: /messages/batches (docs.anthropic.com, "Batch processing")."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.examinees.base import RenderedItem
from gfactor.examinees.http.anthropic import Anthropic
from gfactor.examinees.http.batches.format import (
    MOST_BYTES,
    BatchProgress,
    RequestFiles,
    Search,
    Ticket,
    moment,
    request_json,
)
from gfactor.examinees.http.batches.results import BatchResults, judged, no_result
from gfactor.examinees.http.calls import BatchGoneError, Calls
from gfactor.examinees.http.endpoint import Endpoint
from gfactor.examinees.http.payload import Dialect
from gfactor.examinees.http.wire import Wire

_OWNER = re.compile(rb'"custom_id"\s*:\s*"([0-9a-f]+)-\d+"')
"""Token within the id of a request."""

_REASONS = {
    "expired": "the request expired: the batch had not come to it within 24 hours",
    "canceled": "the request was canceled with its batch",
}
"""Results of a request that have no error object."""


class AnthropicBatches:
    """Anthropic's message batches."""

    most_bytes = MOST_BYTES

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.wire: Wire = endpoint.wire if isinstance(endpoint.wire, Anthropic) else Anthropic()
        self._calls = Calls(endpoint, self.wire)
        self._owners: dict[str, frozenset[bytes]] = {}
        """Tokens in the results of batches that were read; those of ended batches do not change."""

    async def submit(
        self, token: str, items: Sequence[RenderedItem], dialect: Dialect, files: RequestFiles
    ) -> str:
        """Make a batch; each request's id has the token."""
        wanted = {
            "requests": [
                {
                    "custom_id": f"{token}-{number}",
                    "params": json.loads(request_json(self.wire, self._endpoint, item, dialect)),
                }
                for number, item in enumerate(items)
            ]
        }
        return await self._calls.create("/messages/batches", wanted)

    async def find(self, ticket: Ticket, taken: Sequence[str]) -> Search:
        """Search for the batch whose results have the token.

        The vendor shows a batch's time, its number of requests, and, when it has ended, the ids of
        its requests. Batches with another time or size are not considered.
        """
        after, undecided = "", []
        while True:
            page = await self._calls.json("GET", f"/messages/batches?limit=100{after}")
            batches = [b for b in page.get("data") or [] if isinstance(b, dict) and b.get("id")]
            for batch in batches:
                if batch["id"] in taken or not _may_be(ticket, batch):
                    continue
                progress = _progress(batch)
                if not progress.ended:
                    undecided.append(str(batch["id"]))
                elif await self._is_of(ticket.token, str(batch["id"]), progress):
                    return Search(str(batch["id"]))
            created = moment(batches[-1].get("created_at")) if batches else None
            older = created is not None and created < ticket.noted and not ticket.may_be_of(created)
            if not page.get("has_more") or not batches or older:
                return Search(undecided=tuple(undecided))
            after = f"&after_id={batches[-1]['id']}"

    async def progress(self, batch: str) -> BatchProgress:
        """Read the batch's processing status."""
        return _progress(await self._calls.json("GET", f"/messages/batches/{batch}"))

    async def replies(self, prefix: str, size: int, progress: BatchProgress) -> BatchResults:
        """Read each result as the response to a single request."""
        results = BatchResults(prefix, size)
        if not progress.results:
            results.gone = f"{progress.detail}, and the vendor has no results of it (any more)"
        for url in progress.results:
            try:
                raw = await self._calls.bytes("GET", url)
            except BatchGoneError as error:
                results.gone = error.detail
                continue
            for number, row in results.rows(raw):
                result = row.get("result")
                result = result if isinstance(result, Mapping) else {}
                body = result.get("message") or result.get("error")
                if not body:
                    kind = str(result.get("type"))
                    reason = _REASONS.get(kind, f"the request is {kind}")
                    results.add(number, no_result(None, reason))
                    continue
                results.add(number, judged(self.wire, self._endpoint, body))
        return results.finish(progress.complete)

    async def _is_of(self, token: str, batch: str, progress: BatchProgress) -> bool:
        """Return True if the results of a batch that has ended have the token; they are fetched
        once."""
        if batch not in self._owners:
            tokens: set[bytes] = set()
            for url in progress.results:
                try:
                    raw = await self._calls.bytes("GET", url)
                except BatchGoneError:
                    continue
                tokens.update(_OWNER.findall(raw))
            self._owners[batch] = frozenset(tokens)
        return token.encode() in self._owners[batch]

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()


def _progress(state: Mapping[str, Any]) -> BatchProgress:
    results = (state["results_url"],) if state.get("results_url") else ()
    status = str(state.get("processing_status"))
    ended = status == "ended"
    return BatchProgress(ended, results, f"the batch is {status}", complete=ended and bool(results))


def _may_be(ticket: Ticket, batch: Mapping[str, Any]) -> bool:
    """Return True if a batch agrees with the ticket in its number of requests and its time."""
    counts = batch.get("request_counts")
    numbers = [n for n in counts.values() if isinstance(n, int)] if isinstance(counts, dict) else []
    same_size = not numbers or sum(numbers) == ticket.size
    return same_size and ticket.may_be_of(moment(batch.get("created_at")))
