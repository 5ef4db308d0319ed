"""A local server with the batch formats of OpenAI, Anthropic and Google, that fails on demand."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

Request = dict[str, Any]
"""A request of a batch: `custom_id`, and `body` (OpenAI's) or `params` (Anthropic's)."""


@dataclass
class BatchServer:
    """The running server: what was submitted, and how batches behave."""

    url: str = ""
    reply: Callable[[str], str] = lambda text: "COUNT:3"
    looks: int = 1
    """So often a batch is in progress before it has ended."""
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: dict[str, list[Request]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    headers: list[dict[str, str]] = field(default_factory=list)
    cut_after_submitting: bool = False
    """Whether the connection is cut when a batch was taken, before its id is told."""
    failing_after: int = 0
    """So many batches are created and answered with a 504."""
    failing_before: int = 0
    """So many batches are answered with a 503 and not created."""
    queue: int = 10**9
    """Requests of one model that may wait in the queue; more are refused."""
    names_limit: bool = True
    """Whether a refusal names the limit, as OpenAI's does."""
    refused: tuple[str, ...] = ()
    """Parameters that the model refuses, in each request that has one."""
    invalid: str = ""
    """Why every batch of OpenAI's format fails when it is checked."""
    hooks: dict[str, Callable[[], object]] = field(default_factory=dict)
    """What happens at a moment ("upload", "created", "results", "refused"), once."""
    model: str = "m-2026-08-06"
    """The model that answers say they come from."""
    out_of_sight: int = 0
    """So often the list of batches is shown without one that was taken since."""
    failing_upload: int = 0
    """So many uploads of files are answered with a 503."""
    forgotten: set[str] = field(default_factory=set)
    """Batches and result files that the server no longer knows."""
    broken: set[str] = field(default_factory=set)
    """Batches whose status is answered with a 500."""
    rows: Callable[[list[Any]], list[Any]] = lambda rows: rows
    """What becomes of the rows of a batch's results; a text stands for a line as it is."""
    cut: int = 0
    """So many results are cut off in the middle."""
    archived: bool = False
    """Whether the results of ended batches are no longer there (Anthropic's format)."""
    deleted: set[str] = field(default_factory=set)
    """Files of requests that were uploaded and deleted since."""
    retry_after: str = ""
    """How long a refusal of Anthropic's format asks to wait."""
    fetched: Counter[str] = field(default_factory=Counter)
    """How often the results of each batch, or each file of them, were fetched."""
    submitted: int = 0
    refusals: int = 0
    """Batches that were refused since the queue was full."""

    @property
    def uploads(self) -> int:
        """The number of files of requests that were uploaded, to OpenAI's format."""
        return len({name for name in self.files if name.startswith("file-")} | self.deleted)

    def texts(self) -> list[str]:
        """The questions of all batches."""
        return [_text(request) for batch in self.requests.values() for request in batch]

    def charged(self) -> int:
        """What ended batches cost: 7 written tokens for each request that was answered."""
        return 7 * sum(self.paid().values())

    def paid(self) -> Counter[tuple[str, object]]:
        """How often each question (text, temperature) was answered, and so paid for."""
        return Counter(
            (_text(one), parameters_of(one).get("temperature"))
            for name, batch in self.requests.items()
            if not self.batches[name].get("refused") and not self.batches[name].get("foreign")
            for one in batch
            if self.complaint(one) is None and not self.expires(one)
        )

    def expires(self, request: Request) -> bool:
        """Whether a batch expires before it comes to a request."""
        return "expires" in _text(request)

    def complaint(self, request: Request) -> str | None:
        """Why a request is refused; None if it is answered."""
        for name in self.refused:
            if name in parameters_of(request):
                return f"Unsupported parameter: '{name}' is not supported with this model."
        return "no such picture" if "fails" in _text(request) else None

    def waiting(self) -> int:
        """The number of requests in the queue."""
        return sum(
            len(self.requests[name]) for name, batch in self.batches.items()
            if not batch.get("refused") and not batch.get("ended")
        )  # fmt: skip

    def in_sight(self, first_page: bool) -> list[dict[str, Any]]:
        """The batches that the vendor's list shows at the moment, the newest first."""
        seen = [
            b for name, b in self.batches.items()
            if b.get("hidden", 0) <= 0 and name not in self.forgotten
        ]  # fmt: skip
        for batch in self.batches.values():
            batch["hidden"] = batch.get("hidden", 0) - first_page
        return seen[::-1]

    def sent(self, text: str) -> str:
        """Results as they are sent: the first ones are cut off, if that is wanted."""
        if not self.cut:
            return text
        self.cut -= 1
        return text[: len(text) * 2 // 3]

    def reach(self, where: str) -> None:
        """Call the hook of a moment, once."""
        hook = self.hooks.pop(where, None)
        if hook is not None:
            hook()


def parameters_of(request: Request) -> dict[str, Any]:
    """The parameters of a request, in OpenAI's form."""
    if "input" in request.get("body", {}):
        body = request["body"]
        return {"messages": body["input"], **body}
    if "contents" in request:
        text = " ".join(part["text"] for part in request["contents"][-1]["parts"])
        return {"messages": [{"content": text}], **request.get("generationConfig", {})}
    return request.get("body") or request["params"]


def _text(request: Request) -> str:
    body = parameters_of(request)
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return " ".join(p["text"] for p in content if p["type"] == "text")


@contextlib.contextmanager
def batch_server() -> Iterator[BatchServer]:
    """Serve on a free loopback port in a thread until the block ends."""
    state = BatchServer()
    loop, ready, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def serve() -> None:
        app = web.Application(client_max_size=2**28)
        app.add_routes([*_openai(state), *_anthropic(state), *_google(state)])
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        state.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        ready.set()
        await stop.wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield state
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()


def foreign(state: BatchServer, kind: str, requests: int, *, ended: bool = False) -> str:
    """Put somebody else's batch on the server; it stays in progress unless it has ended."""
    name = f"foreign-{len(state.batches)}"
    one: Request = {
        "custom_id": "theirs-0",
        "params": {"messages": [{"content": "their question"}]},
    }
    state.requests[name] = [one] * requests
    batch = {"id": name, "looks": -(10**9), "foreign": True, **_stamp(requests), "ended": ended}
    if kind == "openai":
        batch |= {"status": "in_progress", "metadata": None, "output_file_id": None}
    else:
        url = f"{state.url}/messages/batches/{name}/results" if ended else None
        batch |= {"processing_status": "ended" if ended else "in_progress", "results_url": url}
    state.batches[name] = batch
    return name


def _stamp(requests: int) -> dict[str, Any]:
    """When a batch was created, in a form that both formats may have, and its size."""
    now = datetime.now(UTC).isoformat()
    counts = {"processing": requests, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
    return {"created_at": now, "request_counts": counts}


def _take(state: BatchServer, request: web.Request, batch: dict[str, Any]) -> web.Response:
    state.submitted += 1
    state.headers.append(dict(request.headers))
    if state.failing_before:
        state.failing_before -= 1
        del state.requests[batch["id"]]
        return web.json_response({"error": {"message": "try later"}}, status=503)
    size = len(state.requests[batch["id"]])
    if state.waiting() + size > state.queue:
        state.refusals += 1
        batch["refused"] = True
        if "processing_status" in batch:
            del state.requests[batch["id"]]
            state.reach("refused")
            if "token" in batch:
                # Google says the same of every limit.
                error = {"code": 429, "status": "RESOURCE_EXHAUSTED",
                         "message": "You exceeded your current quota, please check your plan and "
                                    "billing details."}  # fmt: skip
                return web.json_response({"error": error}, status=429)
            error = {"type": "rate_limit_error", "message": "too many requests in the queue"}
            wait = {"Retry-After": state.retry_after} if state.retry_after else {}
            body = {"type": "error", "error": error}
            return web.json_response(body, status=429, headers=wait)
    hidden = 0 if batch.get("refused") else state.out_of_sight
    state.batches[batch["id"]] = batch | _stamp(size) | {"hidden": hidden}
    state.reach("created")
    if state.failing_after:
        state.failing_after -= 1
        return web.json_response({"error": {"message": "gateway timeout"}}, status=504)
    if state.cut_after_submitting:
        assert request.transport is not None
        request.transport.close()
    return web.json_response(batch)


def _unknown(name: str) -> web.Response:
    return web.json_response({"error": {"message": f"No such object: {name}"}}, status=404)


def _page(state: BatchServer, request: web.Request) -> web.Response:
    """Two batches at a time, the newest first."""
    after = request.query.get("after") or request.query.get("after_id")
    newest = state.in_sight(not after)
    start = [b["id"] for b in newest].index(after) + 1 if after else 0
    more = len(newest) > start + 2
    return web.json_response({"data": newest[start : start + 2], "has_more": more})


def _openai(state: BatchServer) -> list[web.RouteDef]:
    async def upload(request: web.Request) -> web.Response:
        state.reach("upload")
        if state.failing_upload:
            state.failing_upload -= 1
            return web.json_response({"error": {"message": "no storage"}}, status=503)
        form = await request.post()
        assert form["purpose"] == "batch"
        file: Any = form["file"]
        name = f"file-{len(state.files) + len(state.deleted)}"
        state.files[name] = file.file.read().decode()
        return web.json_response({"id": name, "object": "file", "purpose": "batch"})

    async def submit(request: web.Request) -> web.Response:
        wanted = await request.json()
        if wanted["input_file_id"] not in state.files:
            return _unknown(wanted["input_file_id"])
        assert wanted["endpoint"] in ("/v1/chat/completions", "/v1/responses")
        assert wanted["completion_window"] == "24h"
        lines = state.files[wanted["input_file_id"]].splitlines()
        name = f"batch_{state.submitted}"
        state.requests[name] = [json.loads(line) for line in lines]
        assert {one["url"] for one in state.requests[name]} == {wanted["endpoint"]}
        return _take(state, request, {
            "id": name, "object": "batch", "status": "validating", "looks": 0,
            "metadata": wanted.get("metadata"), "output_file_id": None, "error_file_id": None,
        })  # fmt: skip

    async def look(request: web.Request) -> web.Response:
        if (name := request.match_info["id"]) in state.forgotten:
            return _unknown(name)
        if name in state.broken:
            return web.json_response({"error": {"message": "broken"}}, status=500)
        batch = state.batches[name]
        batch["looks"] += 1
        if batch.get("refused"):
            words = f" Limit: {10 * state.queue} enqueued tokens." if state.names_limit else ""
            error = {"code": "token_limit_exceeded", "line": None, "param": None,
                     "message": f"Enqueued token limit reached for m.{words}"}  # fmt: skip
            batch |= {"status": "failed", "errors": {"object": "list", "data": [error]}}
            state.reach("refused")
            return web.json_response(batch)
        if state.invalid:
            error = {"code": "model_not_supported", "message": state.invalid, "line": 1}
            batch |= {"status": "failed", "errors": {"data": [error]}, "refused": True}
            return web.json_response(batch)
        batch["status"] = "in_progress"
        if batch["looks"] > state.looks and not batch["output_file_id"]:
            _answer(state, batch)
        if batch["output_file_id"]:
            batch |= {"status": "completed", "ended": True}
        return web.json_response(batch)

    async def content(request: web.Request) -> web.Response:
        state.fetched[name := request.match_info["id"]] += 1
        if name in state.forgotten:
            return _unknown(name)
        text = state.sent(state.files[name])
        state.reach("results")
        return web.Response(text=text)

    async def listed(request: web.Request) -> web.Response:
        return _page(state, request)

    return [
        web.post("/v1/files", upload), web.get("/v1/files/{id}/content", content),
        web.post("/v1/batches", submit), web.get("/v1/batches", listed),
        web.get("/v1/batches/{id}", look),
    ]  # fmt: skip


def _answer(state: BatchServer, batch: dict[str, Any]) -> None:
    """The results, in another order than the requests; failed ones in a file of their own."""
    good, bad = [], []
    for request in reversed(state.requests[batch["id"]]):
        row: dict[str, Any] = {"custom_id": request["custom_id"], "response": None, "error": None}
        if state.expires(request):
            expired = {"code": "batch_expired", "message": "This request could not be executed."}
            bad.append({**row, "error": expired})
            continue
        if complaint := state.complaint(request):
            error = {"error": {"message": complaint}}
            bad.append({**row, "response": {"status_code": 400, "body": error}})
            continue
        if request["url"] == "/v1/responses":
            body = _response(state.reply(_text(request)), state.model)
            good.append({**row, "response": {"status_code": 200, "body": body}})
            continue
        message = {"role": "assistant", "content": state.reply(_text(request))}
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        body = {
            "choices": [{"message": message, "finish_reason": "stop"}],
            "usage": usage,
            "model": state.model,
        }
        good.append({**row, "response": {"status_code": 200, "body": body}})
    for key, rows in (("output_file_id", good), ("error_file_id", bad)):
        batch[key] = f"{key}-{batch['id']}"
        state.files[batch[key]] = _lines(state.rows(rows) if rows is good else rows)


def _response(text: str, model: str) -> dict[str, Any]:
    """A response of OpenAI's Responses API."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "object": "response", "status": "completed", "model": model,
        "output": [{"type": "message", "role": "assistant", "content": content}],
        "usage": {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18},
    }  # fmt: skip


def _anthropic(state: BatchServer) -> list[web.RouteDef]:
    async def submit(request: web.Request) -> web.Response:
        assert request.headers["anthropic-version"] == "2023-06-01"
        name = f"msgbatch_{state.submitted}"
        state.requests[name] = (await request.json())["requests"]
        assert all({"model", "max_tokens", "messages"} <= set(r["params"])
                   for r in state.requests[name])  # fmt: skip
        return _take(state, request, {
            "id": name, "type": "message_batch", "processing_status": "in_progress", "looks": 0,
            "results_url": None,
        })  # fmt: skip

    async def look(request: web.Request) -> web.Response:
        if (name := request.match_info["id"]) in state.forgotten:
            return _unknown(name)
        return web.json_response(_seen(state, state.batches[name]))

    async def results(request: web.Request) -> web.Response:
        rows: list[Any] = []
        state.fetched[request.match_info["id"]] += 1
        for one in reversed(state.requests[request.match_info["id"]]):
            if state.expires(one):
                result: dict[str, Any] = {"type": "expired"}
            elif complaint := state.complaint(one):
                error = {"type": "invalid_request_error", "message": complaint}
                result = {"type": "errored", "error": {"type": "error", "error": error}}
            else:
                said = [{"type": "text", "text": state.reply(_text(one))}]
                usage = {"input_tokens": 11, "output_tokens": 7}
                message = {
                    "content": said,
                    "stop_reason": "end_turn",
                    "usage": usage,
                    "model": state.model,
                }
                result = {"type": "succeeded", "message": message}
            rows.append({"custom_id": one["custom_id"], "result": result})
        state.reach("results")
        return web.Response(text=state.sent(_lines(state.rows(rows))))

    async def listed(request: web.Request) -> web.Response:
        for batch in state.batches.values():
            _seen(state, batch)
        return _page(state, request)

    return [
        web.post("/v1/messages/batches", submit), web.get("/v1/messages/batches", listed),
        web.get("/v1/messages/batches/{id}", look),
        web.get("/v1/messages/batches/{id}/results", results),
    ]  # fmt: skip


def _google(state: BatchServer) -> list[web.RouteDef]:
    def operation(batch: dict[str, Any]) -> dict[str, Any]:
        """A batch as an operation; its responses stand in it when it has ended."""
        stage = "SUCCEEDED" if batch.get("ended") else "PENDING"
        metadata = {"name": batch["id"], "displayName": batch["token"],
                    "state": f"BATCH_STATE_{stage}", "createTime": batch["created_at"]}  # fmt: skip
        one = {"name": batch["id"], "metadata": metadata, "done": bool(batch.get("ended"))}
        if not batch.get("ended"):
            return one
        rows = []
        for request in reversed(state.requests[batch["id"]]):
            row: dict[str, Any] = {"metadata": {"key": request["custom_id"]}}
            if state.expires(request):
                row["error"] = {"code": 4, "message": "the deadline of the batch has passed"}
            elif complaint := state.complaint(request):
                row["error"] = {"code": 3, "message": complaint}
            else:
                parts = [{"text": state.reply(_text(request))}]
                usage = {"promptTokenCount": 11, "candidatesTokenCount": 7}
                row["response"] = {
                    "candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}],
                    "usageMetadata": usage, "modelVersion": state.model,
                }  # fmt: skip
            rows.append(row)
        return {**one, "response": {"inlinedResponses": {"inlinedResponses": state.rows(rows)}}}

    async def submit(request: web.Request) -> web.Response:
        batch = (await request.json())["batch"]
        assert re.search(r"/models/\w+:batchGenerateContent$", request.path)
        name = f"batches/{state.submitted}"
        state.requests[name] = [
            {"custom_id": one["metadata"]["key"], **one["request"]}
            for one in batch["inputConfig"]["requests"]["requests"]
        ]
        one = {"id": name, "name": name, "looks": 0, "token": batch["displayName"],
               "processing_status": ""}  # fmt: skip
        return _take(state, request, one)

    async def look(request: web.Request) -> web.Response:
        if (name := f"batches/{request.match_info['id']}") in state.forgotten:
            return _unknown(name)
        if name in state.broken:
            return web.json_response({"error": {"message": "broken"}}, status=500)
        batch = state.batches[name]
        batch["looks"] += 1
        batch["ended"] = batch.get("ended") or batch["looks"] > state.looks
        if batch["ended"] and batch["looks"] > state.looks + 1:
            state.reach("results")
            whole = json.dumps(operation(batch))
            return web.Response(text=state.sent(whole), content_type="application/json")
        return web.json_response(operation(batch))

    async def listed(request: web.Request) -> web.Response:
        in_sight = state.in_sight("pageToken" not in request.query)
        page = [operation(b) for b in in_sight if "token" in b]
        start = int(request.query.get("pageToken") or 0)
        more = {"nextPageToken": str(start + 2)} if len(page) > start + 2 else {}
        return web.json_response({"operations": page[start : start + 2], **more})

    return [
        web.post("/v1beta/models/{model}", submit), web.get("/v1beta/batches", listed),
        web.get("/v1beta/batches/{id}", look),
    ]  # fmt: skip


def _seen(state: BatchServer, batch: dict[str, Any]) -> dict[str, Any]:
    """A message batch that was looked at once more."""
    batch["looks"] += 1
    if batch["looks"] > state.looks:
        url = f"{state.url}/messages/batches/{batch['id']}/results"
        url = None if state.archived else url
        batch |= {"processing_status": "ended", "ended": True, "results_url": url}
    return batch


def _lines(rows: Iterable[object]) -> str:
    """A file of results, with letters as they are: both formats allow them."""
    return "".join(
        (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n"
        for row in rows
    )
