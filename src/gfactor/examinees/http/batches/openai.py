"""OpenAI's format of batches: /files and /batches (platform.openai.com/docs/guides/batch)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp

from gfactor.examinees.base import RenderedItem
from gfactor.examinees.http.answer import one_line
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
from gfactor.examinees.http.calls import (
    BatchGoneError,
    Calls,
    QueueFullError,
    SubmissionLostError,
    is_queue_full,
)
from gfactor.examinees.http.endpoint import Endpoint
from gfactor.examinees.http.failures import with_parameter
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.examinees.http.payload import Dialect
from gfactor.examinees.http.responses import ResponsesWire
from gfactor.examinees.http.wire import OPENAI, Wire

_ENDED = {"completed", "failed", "expired", "cancelled"}

_REASONS_SHOWN = 3
"""Largest number of reasons shown for a failed batch; mostly all lines have the same reason."""


class OpenAIBatches:
    """Batches of OpenAI's chat completions, or of its Responses API if the model uses that."""

    most_bytes = MOST_BYTES

    def __init__(self, endpoint: Endpoint) -> None:
        is_responses = isinstance(endpoint.wire, ResponsesWire)
        self.wire: Wire = endpoint.wire if is_responses else OPENAI
        self._path = "/v1/responses" if is_responses else "/v1/chat/completions"
        self._endpoint = endpoint
        self._calls = Calls(endpoint, self.wire)

    async def submit(
        self, token: str, items: Sequence[RenderedItem], dialect: Dialect, files: RequestFiles
    ) -> str:
        """Upload a file of requests, unless it is uploaded already, then make a batch of it, marked
        with the token."""
        lines = [request_json(self.wire, self._endpoint, item, dialect).decode() for item in items]
        digest = _digest([self._path, *lines])
        uploaded = await files.find(digest)
        file = uploaded or await self._upload(digest, lines)
        await files.note(token, digest, file)
        try:
            return await self._create(token, file)
        except (SubmissionLostError, QueueFullError):
            raise
        except RunStoppedError:
            if not uploaded:
                raise
        # Nothing was created, perhaps because the vendor no longer has the file.
        await files.forget(digest)
        file = await self._upload(digest, lines)
        await files.note(token, digest, file)
        return await self._create(token, file)

    async def _upload(self, digest: str, bodies: Sequence[str]) -> str:
        """Upload requests as a file; return its id."""
        lines = []
        for number, body in enumerate(bodies):
            head = json.dumps({"custom_id": f"{digest}-{number}", "method": "POST",
                               "url": self._path})  # fmt: skip
            lines.append(f'{head[:-1]}, "body": {body}}}\n')
        text = "".join(lines).encode()

        def form() -> aiohttp.FormData:
            data = aiohttp.FormData()
            data.add_field("purpose", "batch")
            name = f"{digest}.jsonl"
            data.add_field("file", text, filename=name, content_type="application/json")
            return data

        file = await self._calls.json("POST", "/files", data=form)
        if not file.get("id"):
            raise RunStoppedError(
                f"the batch API at {self._endpoint.base_url} sent no id of the file that was "
                "uploaded to it; check the address, and run the same command again"
            )
        return str(file["id"])

    async def _create(self, token: str, file: str) -> str:
        wanted = {
            "input_file_id": file, "endpoint": self._path,
            "completion_window": "24h", "metadata": {"gfactor": token},
        }  # fmt: skip
        return await self._calls.create("/batches", wanted)

    async def find(self, ticket: Ticket, taken: Sequence[str]) -> Search:
        """Search for the batch whose metadata have the token, back to the time of the ticket."""
        after = ""
        while True:
            page = await self._calls.json("GET", f"/batches?limit=100{after}")
            batches = [b for b in page.get("data") or [] if isinstance(b, dict) and b.get("id")]
            for batch in batches:
                if (batch.get("metadata") or {}).get("gfactor") == ticket.token:
                    return Search(str(batch["id"]))
            # The newest come first.
            created = moment(batches[-1].get("created_at")) if batches else None
            older = created is not None and created < ticket.noted and not ticket.may_be_of(created)
            if not page.get("has_more") or not batches or older:
                return Search()
            after = f"&after={batches[-1]['id']}"

    async def progress(self, batch: str) -> BatchProgress:
        """Read the batch's status; results are in one file, failed requests in another."""
        state = await self._calls.json("GET", f"/batches/{batch}")
        files = tuple(state[k] for k in ("output_file_id", "error_file_id") if state.get(k))
        status = str(state.get("status"))
        reasons = _reasons(state.get("errors"))
        return BatchProgress(
            status in _ENDED, files, f"the batch is {status}" + (f": {reasons}" if reasons else ""),
            accepted=status != "validating",
            queue_full=status == "failed" and is_queue_full(reasons),
            complete=status == "completed",
        )  # fmt: skip

    async def replies(self, prefix: str, size: int, progress: BatchProgress) -> BatchResults:
        """Read each line as the response of a single request."""
        results = BatchResults(prefix, size)
        for file in progress.results:
            try:
                raw = await self._calls.bytes("GET", f"/files/{file}/content")
            except BatchGoneError as error:
                results.gone = error.detail
                continue
            for number, row in results.rows(raw):
                response = row.get("response")
                if not isinstance(response, Mapping) or not response.get("status_code"):
                    results.add(number, no_result(row.get("error"), "the batch has no response"))
                    continue
                how = response.get("body"), int(response["status_code"])
                results.add(number, judged(self.wire, self._endpoint, *how))
        return results.finish(progress.complete)

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()


def _digest(texts: Sequence[str]) -> str:
    """Return a hash of requests, with which their ids begin."""
    hashed = hashlib.sha256()
    for text in texts:
        hashed.update(text.encode() + b"\n")
    return hashed.hexdigest()[:24]


def _reasons(errors: Any) -> str:
    """Return the reasons for which a batch failed, in the vendor's words."""
    rows = errors.get("data") if isinstance(errors, Mapping) else None
    texts: list[str] = []
    for one in rows if isinstance(rows, list) else ():
        if isinstance(one, Mapping):
            words = [str(one[k]) for k in ("code", "message") if one.get(k)]
            line = f" (line {one['line']} of the file)" if one.get("line") else ""
            texts.append(with_parameter(": ".join(words), one) + line)
    more = f"; and {len(texts) - _REASONS_SHOWN} more" if len(texts) > _REASONS_SHOWN else ""
    return one_line("; ".join(texts[:_REASONS_SHOWN]) + more)
