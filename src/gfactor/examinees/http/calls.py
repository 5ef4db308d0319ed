"""Requests to the parts of a vendor's API besides chat: files, batches."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from typing import Any

import aiohttp

from gfactor import __version__
from gfactor.examinees.http.answer import json_of, too_long, without_key
from gfactor.examinees.http.endpoint import Endpoint
from gfactor.examinees.http.failures import failure_of
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.examinees.http.proxies import proxy_of
from gfactor.examinees.http.troubles import words_of
from gfactor.examinees.http.wire import Wire

_QUEUE_FULL = re.compile(
    r"enqueued|token_limit_exceeded|in the (processing )?queue|queue.{0,20}full"
)
"""Words in messages about a full queue of batches."""

_BUSY = frozenset({503, 529})
"""Statuses of a server that was too busy to do anything."""

_GONE = frozenset({404, 410})
"""Statuses of an API that does not have the requested object."""

LONGEST_ASKED_S = 600.0
"""Longest wait in seconds that a server may ask for; a longer one (a quota for the day) is
refused."""

_COLLECT = "what was submitted is noted, run the same command again to collect it"

_LARGEST_BODY = 64 * 2**20
"""Largest response; a larger one is a protocol error, because no answer is 64 MiB long."""


class CallFailedError(RunStoppedError):
    """A request failed, also when it was repeated.

    Parameters
    ----------
    what: what failed, at which address, and the reason.
    advice: what to do about it.
    """

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(f"{what}; {advice}")
        self.what = what


class SubmissionLostError(RunStoppedError):
    """The server failed after a request, so it is unknown whether a batch was created.

    Parameters
    ----------
    reason: description of the failure.
    refused: True if the server said that it was too busy to do anything (503, 529).
    detail: the server's reason alone.
    """

    def __init__(self, reason: str, *, refused: bool = False, detail: str = "") -> None:
        super().__init__(reason)
        self.refused, self.detail = refused, detail


class BatchGoneError(CallFailedError):
    """The vendor does not know a batch, or a file, any more (404 or 410 with its reason).

    Parameters
    ----------
    what, advice: as in `CallFailedError`.
    detail: the vendor's reason.
    """

    def __init__(self, what: str, advice: str, detail: str) -> None:
        super().__init__(what, advice)
        self.detail = detail


class QueueFullError(RunStoppedError):
    """The vendor accepts no more batches at the moment.

    Parameters
    ----------
    reason: reason in the vendor's words.
    wait_s: seconds after which the vendor wants to be asked again, None if it names none.
    """

    def __init__(self, reason: str, wait_s: float | None = None) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


def is_queue_full(reason: str) -> bool:
    """Return True if a vendor's message means that its queue of batches is full.

    Examples
    --------
    >>> is_queue_full("token_limit_exceeded: Enqueued token limit reached for gpt-4o")
    True
    """
    return bool(_QUEUE_FULL.search(reason.lower()))


class Calls:
    """Requests to a vendor's API, repeated while it is busy.

    Parameters
    ----------
    endpoint: address, key and limits.
    wire: the vendor's headers, and its form of errors.
    """

    def __init__(self, endpoint: Endpoint, wire: Wire) -> None:
        self._endpoint, self._wire = endpoint, wire
        self._headers = {"User-Agent": f"gfactor/{__version__}", **wire.headers(endpoint.key)}
        self._session: aiohttp.ClientSession | None = None

    async def bytes(self, method: str, path: str, *, once: bool = False, **how: Any) -> bytes:
        """Return the body of a response 200; raise RunStoppedError if none arrives.

        `once` is for requests that create something. They are repeated only if the server was not
        reached. Raises SubmissionLostError if the outcome of such a request is unknown, and
        QueueFullError if the vendor's queue is full.
        """
        url = path if "://" in path else self._endpoint.base_url.rstrip("/") + path
        detail = ""
        for attempt in range(self._endpoint.attempts):
            wait = self._pause(attempt)
            try:
                async with self._open().request(
                    method, url, allow_redirects=False, **{k: make() for k, make in how.items()}
                ) as response:
                    raw = without_key(await response.read(), self._endpoint.key)
                    if response.status == 200:
                        return raw
                    verdict = self._wire.judge(
                        response.status, response.headers, raw, time.time()
                    ).without(self._endpoint.key)
                    detail, asked_wait = verdict.reply.detail, verdict.after_s
                    full = response.status == 429 or is_queue_full(detail)
                    if once and full and response.status < 500 and not verdict.hopeless:
                        raise QueueFullError(detail, asked_wait)
                    if once and response.status >= 500:
                        raise self._lost(detail, refused=response.status in _BUSY)
                    if response.status in _GONE and failure_of(json_of(raw)):
                        raise BatchGoneError(self._failed(detail), _COLLECT, detail)
                    if response.status < 500 and response.status != 429:
                        break
                    if (asked_wait or 0.0) > LONGEST_ASKED_S:
                        detail = too_long(verdict).reply.detail
                        break
                    wait = asked_wait or wait
            except aiohttp.ClientConnectorError as error:
                detail = words_of(error, url)
            except TimeoutError as error:
                detail = f"no answer within {self._endpoint.request_s:g} s"
                if once:
                    raise self._lost(detail) from error
            except (aiohttp.ClientError, OSError) as error:
                detail = words_of(error, url)
                if once:
                    raise self._lost(detail) from error
            await asyncio.sleep(wait)
        if method == "POST":
            raise RunStoppedError(self._refused(detail))
        raise CallFailedError(self._failed(detail), _COLLECT)

    def _lost(self, detail: str, *, refused: bool = False) -> SubmissionLostError:
        reason = f"{self._failed(detail)}; {_COLLECT}"
        return SubmissionLostError(reason, refused=refused, detail=detail)

    def _refused(self, detail: str) -> str:
        """Return the error of a failed submission, the only kind of request that is posted."""
        return (
            f"the batch API at {self._endpoint.base_url} took no batch: {detail.rstrip('. ')}; "
            "nothing of it was submitted; check the address, the model's name, the key and the "
            "account, and run the same command again, which also collects earlier batches"
        )

    def _failed(self, detail: str) -> str:
        return f"the batch API at {self._endpoint.base_url} failed: {detail.rstrip('. ')}"

    async def json(self, method: str, path: str, **how: Any) -> dict[str, Any]:
        """Return the body, read as a JSON object. A body that was cut off in transfer is fetched
        again."""
        for attempt in range(self._endpoint.attempts if method == "GET" else 1):
            if attempt:
                await asyncio.sleep(self._pause(attempt - 1))
            value = json_of(await self.bytes(method, path, **how))
            if isinstance(value, dict):
                return value
        raise CallFailedError(
            f"the batch API at {self._endpoint.base_url} sent no JSON object", _COLLECT
        )

    def _pause(self, attempt: int) -> float:
        return min(60.0, self._endpoint.first_wait_s * 2**attempt)

    async def create(self, path: str, wanted: Mapping[str, Any], name: str = "id") -> str:
        """Post a batch, once; return the vendor's id, from the field `name`."""
        value = json_of(await self.bytes("POST", path, once=True, json=lambda: wanted))
        if not isinstance(value, dict) or not value.get(name):
            raise self._lost(f"a 200 without {name}")
        return str(value[name])

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                headers=self._headers,
                timeout=aiohttp.ClientTimeout(total=self._endpoint.request_s),
                proxy=proxy_of(self._endpoint.base_url),
            )
        return self._session

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


async def read_body(content: aiohttp.StreamReader) -> bytes | None:
    """Return the whole body, or None if it is too large."""
    if content.is_eof():
        # A short body has mostly come with the response's head.
        body = content.read_nowait()
        return body if len(body) <= _LARGEST_BODY else None
    pieces, size = [], 0
    while piece := await content.readany():
        pieces.append(piece)
        size += len(piece)
        if size > _LARGEST_BODY:
            return None
    return b"".join(pieces)
