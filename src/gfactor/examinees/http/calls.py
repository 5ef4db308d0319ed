"""Requests to the parts of a vendor's API that are no chat: files, batches."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

import aiohttp

from gfactor import __version__
from gfactor.examinees.http.answer import judge, one_line, retry_after
from gfactor.examinees.http.endpoint import Endpoint
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.examinees.http.proxies import proxy_of


class Calls:
    """Requests to a vendor's API, made again while it is busy."""

    def __init__(self, endpoint: Endpoint, headers: Mapping[str, str]) -> None:
        self._endpoint = endpoint
        self._headers = {"User-Agent": f"gfactor/{__version__}", **headers}
        self._session: aiohttp.ClientSession | None = None

    async def bytes(self, method: str, path: str, *, once: bool = False, **how: Any) -> bytes:
        """The body of a 200; RunStoppedError where there is none to be had.

        `once` is for requests that must not be made twice: they are not made again where it is not
        known whether they arrived.
        """
        url = path if "://" in path else self._endpoint.base_url.rstrip("/") + path
        detail = ""
        for attempt in range(self._endpoint.attempts):
            wait = min(60.0, self._endpoint.first_wait_s * 2**attempt)
            try:
                async with self._open().request(
                    method, url, allow_redirects=False, **{k: make() for k, make in how.items()}
                ) as response:
                    raw = await response.read()
                    if response.status == 200:
                        return raw
                    said = judge(response.status, response.headers, raw, time.time())
                    detail = said.without(self._endpoint.key).reply.detail
                    if response.status < 500 and response.status != 429:
                        break
                    wait = retry_after(response.headers, time.time()) or wait
            except aiohttp.ClientConnectorError as error:
                detail = one_line(f"{type(error).__name__}: {error}")
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                detail = one_line(f"{type(error).__name__}: {error}")
                if once:
                    break
            await asyncio.sleep(wait)
        raise RunStoppedError(
            f"the batch API at {self._endpoint.base_url} failed: {detail.rstrip('. ')}; what was "
            "submitted is noted, run the same command again to collect it"
        )

    async def json(self, method: str, path: str, **how: Any) -> dict[str, Any]:
        """The same, read as a JSON object."""
        raw = await self.bytes(method, path, **how)
        try:
            value = json.loads(raw)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise RunStoppedError(f"the batch API at {self._endpoint.base_url} sent no JSON object")
        return value

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
