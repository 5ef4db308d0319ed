"""Google's format of batches: models/MODEL:batchGenerateContent (ai.google.dev/api/batch-api).

Requests are sent with the batch itself, which Google allows up to 20 MB.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from gfactor.examinees.base import RenderedItem
from gfactor.examinees.http.answer import AttemptVerdict
from gfactor.examinees.http.batches.format import (
    BatchProgress,
    RequestFiles,
    Search,
    Ticket,
    moment,
    request_json,
)
from gfactor.examinees.http.batches.results import BatchResults, judged, no_result
from gfactor.examinees.http.calls import Calls, is_queue_full
from gfactor.examinees.http.endpoint import Endpoint
from gfactor.examinees.http.google import Google
from gfactor.examinees.http.payload import Dialect
from gfactor.examinees.http.wire import Wire

_ENDED = ("SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED")


class GoogleBatches:
    """Batches of Google's generateContent."""

    most_bytes = 13 * 2**20

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.wire: Wire = endpoint.wire if isinstance(endpoint.wire, Google) else Google()
        self._calls = Calls(endpoint, self.wire)

    async def submit(
        self, token: str, items: Sequence[RenderedItem], dialect: Dialect, files: RequestFiles
    ) -> str:
        """Make a batch whose name is the token; each request's key contains the token, too."""
        requests = [
            {
                "request": json.loads(request_json(self.wire, self._endpoint, item, dialect)),
                "metadata": {"key": f"{token}-{number}"},
            }
            for number, item in enumerate(items)
        ]
        batch = {"displayName": token, "inputConfig": {"requests": {"requests": requests}}}
        path = f"/models/{quote(self._endpoint.model)}:batchGenerateContent"
        return await self._calls.create(path, {"batch": batch}, "name")

    async def find(self, ticket: Ticket, taken: Sequence[str]) -> Search:
        """Search for the batch whose name is the token, back to the time of the ticket."""
        page_token = ""
        while True:
            page = await self._calls.json("GET", f"/batches?pageSize=100{page_token}")
            batches = [b for b in page.get("operations") or [] if isinstance(b, dict)]
            for batch in batches:
                if _metadata(batch).get("displayName") == ticket.token and batch.get("name"):
                    return Search(str(batch["name"]))
            created = moment(_metadata(batches[-1]).get("createTime")) if batches else None
            older = created is not None and created < ticket.noted and not ticket.may_be_of(created)
            if not page.get("nextPageToken") or older:
                return Search()
            page_token = f"&pageToken={quote(str(page['nextPageToken']), safe='')}"

    async def progress(self, batch: str) -> BatchProgress:
        """Read the batch's state; its results come with it."""
        state = await self._calls.json("GET", f"/{batch}")
        name = str(_metadata(state).get("state") or "").rpartition("STATE_")[2]
        error = state.get("error")
        facts = error if isinstance(error, dict) else {}
        reason = ": ".join(str(facts[k]) for k in ("status", "message") if facts.get(k))
        detail = f"the batch is {name.lower()}" + (f": {reason}" if reason else "")
        return BatchProgress(
            bool(state.get("done")) or name in _ENDED, (batch,), detail,
            queue_full=name == "FAILED" and is_queue_full(reason),
            complete=name == "SUCCEEDED",
        )  # fmt: skip

    async def replies(self, prefix: str, size: int, progress: BatchProgress) -> BatchResults:
        """Read each response as that of a single request.

        Responses without keys are matched in the order of the requests, if their number agrees.
        """
        results, missing = BatchResults(prefix, size), "the batch has no response to this question"
        for batch in progress.results:
            rows = _responses(await self._calls.json("GET", f"/{batch}"))
            keys = [_metadata(row).get("key") for row in rows]
            if not any(keys) and len(rows) == size:
                keys = [f"{prefix}-{number}" for number in range(size)]
            elif rows and not any(keys):
                missing = (
                    f"the batch has {len(rows):,} responses without keys to {size:,} questions, so "
                    "that it is not known which response is which question's"
                )
            for key, row in zip(keys, rows, strict=True):
                number = results.number_of(key)
                if number is None:
                    results.foreign += 1
                else:
                    results.add(number, self._verdict(row))
        return results.finish(progress.complete, missing)

    def _verdict(self, row: Mapping[str, Any]) -> AttemptVerdict:
        error, response = row.get("error"), row.get("response")
        facts = error if isinstance(error, dict) else {}
        if facts.get("code") in (3, 400):
            # google.rpc's code 3 is a bad argument, which a single request gets as a 400.
            return judged(self.wire, self._endpoint, {"error": {**facts, "code": 400}}, 400)
        if isinstance(response, Mapping):
            return judged(self.wire, self._endpoint, response)
        reason = {"type": facts.get("status"), "message": facts.get("message")}
        return no_result(reason, "the batch has no response")

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()


def _metadata(one: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = one.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _responses(state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the responses of a batch, from its field `response` or its `output`."""
    for holder in (state.get("response"), _metadata(state).get("output")):
        rows: Any = holder
        while isinstance(rows, Mapping) and "inlinedResponses" in rows:
            rows = rows["inlinedResponses"]
        if isinstance(rows, list):
            return [row if isinstance(row, dict) else {} for row in rows]
    return []
