"""The HTTP examinee: asks a server, tries again, and never loses a reply."""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import aiohttp
from yarl import URL

from gfactor import __version__
from gfactor.examinees.base import FAILED, RenderedItem, Reply
from gfactor.examinees.http.answer import (
    AttemptVerdict,
    UnansweredRequests,
    json_of,
    too_long,
    without_key,
)
from gfactor.examinees.http.calls import LONGEST_ASKED_S, read_body
from gfactor.examinees.http.encoding import EncodedImages
from gfactor.examinees.http.endpoint import Endpoint
from gfactor.examinees.http.families import check_parameters
from gfactor.examinees.http.lengths import shortened
from gfactor.examinees.http.limits import Breaker, Limits, RunStoppedError
from gfactor.examinees.http.payload import Dialect, LearnedDialect, with_note
from gfactor.examinees.http.pricing import Budget
from gfactor.examinees.http.proxies import proxy_of
from gfactor.examinees.http.tokens import estimate_tokens
from gfactor.examinees.http.troubles import unlisted, where_to_look, words_of
from gfactor.examinees.http.wire import OPENAI

_LONGEST_WAIT_S = 60.0

_LISTING_S = 5.0
"""Seconds that a server has to list its models."""

_ATTEMPTS_TO_REACH = 3
"""Number of attempts to connect before the server has answered anything."""

_MOST_TRIES = 50
"""Largest number of attempts at an item, however busy the server is."""

_IN_ONE_PIECE = 2**20
"""Largest request that is sent in one piece; larger ones are sent in pieces, so that they do not
delay the others."""


class HttpExaminee:
    """A model behind a server.

    Parameters
    ----------
    endpoint: address, key and limits.
    budget: prices and the spending cap.
    deadline_s: seconds after the first request at which the run stops, None for no deadline.
    seed: seed of the jitter that spreads retries.
    shared: limits of the server that other models there share; those of the endpoint are the
    model's own.
    """

    converses = True

    def __init__(
        self,
        endpoint: Endpoint,
        budget: Budget | None = None,
        deadline_s: float | None = None,
        seed: int = 0,
        shared: Limits | None = None,
    ) -> None:
        self.name = endpoint.name
        self.in_flight = endpoint.max_in_flight
        self.endpoint = endpoint
        self.image_limit = endpoint.largest_image
        self.budget = budget or Budget()
        self._wire = endpoint.wire
        self.dialect = LearnedDialect(self._wire.dialect(endpoint.model))
        self.limits = Limits(endpoint.max_in_flight, endpoint.rpm, endpoint.tpm)
        self._all_limits = (self.limits,) if shared is None else (self.limits, shared)
        self._breaker = Breaker()
        self._jitter = random.Random(seed)
        self._deadline_s = deadline_s
        self._started: float | None = None
        self._session: aiohttp.ClientSession | None = None
        self._url = URL(endpoint.url, encoded=True)
        self._timeout = aiohttp.ClientTimeout(total=endpoint.request_s)
        self._images = EncodedImages()
        self._built: tuple[RenderedItem, Dialect, bytes] | None = None
        self._answered = 0
        self._looked_up = self._at_vendor or self._wire.scheme != OPENAI.scheme
        self._unlisted = ""
        self._finishing = asyncio.Event()

    def finish(self) -> None:
        """Stop sending new requests; wait for those in flight, without trying them again."""
        self._finishing.set()

    async def __call__(self, item: RenderedItem) -> Reply:
        """Ask until there is an answer, a final refusal, or no attempt left.

        Raises RunStoppedError when the run must end: deadline, spending cap, or a server that
        fails everything.
        """
        if not self._looked_up:
            self._looked_up = True
            await self._look_up()
        start = time.perf_counter()
        counted = self.budget.price is not None or self.endpoint.tpm
        who = self.endpoint.model, self.endpoint.detail
        tokens = estimate_tokens(item, *who) if counted else 0
        reserved = await self.budget.reserve(tokens, self._wire.longest(item.decoding))
        usage: Mapping[str, int] = {}
        answered, sent = False, UnansweredRequests()
        try:
            verdict = await self._ask(item, tokens, sent)
            reply = verdict.reply
            usage, answered = reply.usage, reply.outcome not in FAILED
        finally:
            cost = self.budget.settle(
                reserved, usage, answered=answered, unanswered=sent.unanswered
            )
        if answered:
            self._answered += 1
            self._breaker.succeeded()
        else:
            self._breaker.failed(self.name, reply, hopeless=verdict.hopeless)
        return _measured(reply, time.perf_counter() - start, cost)

    def check_decoding(self, decoding: Mapping[str, Any]) -> None:
        """Raise ParameterError if the model is known to refuse a condition's parameters.

        At another address than the vendor's own, a gateway may translate requests. At such an
        address only a family in the user's file counts, unless only the vendor has this API.
        """
        at_vendor = self._at_vendor or self._wire.scheme != OPENAI.scheme
        thinking = self._wire.named.get("thinking", "")
        how = self._wire.scheme, self.endpoint.model, decoding, thinking
        check_parameters(*how, at_vendor=at_vendor)

    @property
    def _at_vendor(self) -> bool:
        """Return True if the vendor's own address is asked."""
        return self.endpoint.base_url.rstrip("/") == self._wire.base_url

    @property
    def _advice(self) -> str:
        """Return advice about the address, for a message."""
        return where_to_look(self.endpoint.base_url, self._wire.base_url)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes for the user: parameters that the model refuses, and costs that had to be
        estimated.
        """
        refused = tuple(
            f"{name} was left out of requests: {self.dialect.why(name)}"
            for name in sorted(self.dialect.left_out)
        )
        refused = (*refused, *filter(None, [self._unlisted]))
        if not self.budget.estimated:
            return refused
        many = f"the server told no token counts for {self.budget.estimated:,} answers"
        aside = "max_tokens, or 1,000 tokens without it, for the reply"
        return (*refused, f"{many}: booked is what was set aside ({aside}), mostly too much")

    def stored(self, replies: Sequence[Reply]) -> None:
        """Record that replies are stored, so that the budget no longer counts them as
        outstanding."""
        self.budget.stored([reply.cost for reply in replies if reply.cost is not None])

    async def close(self) -> None:
        """Close the connections, and release reserved money."""
        if self._session is not None:
            await self._session.close()
            self._session = None
        await self.budget.close()

    async def _ask(
        self, item: RenderedItem, tokens: int, sent: UnansweredRequests
    ) -> AttemptVerdict:
        dialect = self.dialect.current
        body = self._body(item, dialect)
        attempt = tries = 0
        answered = self._answered
        while True:
            verdict = await self._attempt(body, tokens, sent)
            if verdict.reply.outcome == "ok" and not dialect.dropped:
                return verdict
            complaint = verdict.complaint
            better = complaint and self.dialect.improve(dialect, complaint, item.decoding)
            if better:
                dialect = better
                body = self._body(item, dialect)
                continue
            tries += 1
            # While the server answers other requests it is busy and not broken, so the item does
            # not count as failed.
            busy = verdict.overloaded and verdict.reply.outcome != "timeout"
            if not (busy and self._answered > answered and tries < _MOST_TRIES):
                attempt += 1
            answered = self._answered
            if (verdict.after_s or 0) > LONGEST_ASKED_S:
                return too_long(verdict)
            finishing = self._finishing.is_set()
            unreached = verdict.hopeless and not self._answered and attempt >= _ATTEMPTS_TO_REACH
            last = attempt >= self.endpoint.attempts or unreached
            if finishing or not verdict.retry or last:
                if not dialect.dropped:
                    return verdict
                left_out = dialect.dropped & item.decoding.keys()
                return verdict.with_reply(with_note(verdict.reply, left_out))
            await self._pause(verdict, max(1, attempt))
            if self._finishing.is_set():
                return verdict

    async def _look_up(self) -> None:
        """Add a note if a server that lists its models does not list this one, since many servers
        answer under any name."""
        address = URL(f"{self.endpoint.base_url.rstrip('/')}/models", encoded=True)
        brief = aiohttp.ClientTimeout(total=_LISTING_S)
        try:
            session = self._session or self._open()
            async with session.get(address, timeout=brief, allow_redirects=False) as response:
                raw = await read_body(response.content) if response.status == 200 else b""
        except (aiohttp.ClientError, OSError, ValueError):
            return
        self._unlisted = unlisted(json_of(raw or b""), self.endpoint.model)

    def _body(self, item: RenderedItem, dialect: Dialect) -> bytes:
        # The occasions of an item are asked one after the other: keeping the last body saves
        # composing it again.
        if self._built is None or self._built[0] is not item or self._built[1] != dialect:
            body = self._wire.body(
                self.endpoint.model, item, dialect, self.endpoint.detail, self._images.pieces
            )
            self._built = item, dialect, body
            if dialect.dropped:
                self.dialect.note(dialect, item.decoding)
        return self._built[2]

    async def _attempt(self, body: bytes, tokens: int, sent: UnansweredRequests) -> AttemptVerdict:
        wait = 0.0
        for limits in self._all_limits:
            wait = max(wait, limits.wait(tokens))
        if wait:
            await self._sleep(wait)
        began: list[float] = []
        verdict: AttemptVerdict | None = None
        try:
            for limits in self._all_limits:
                began.append(await limits.at_once.acquire())
            if self._finishing.is_set():
                raise asyncio.CancelledError
            sent.unanswered += 1
            verdict = await self._post(body)
            sent.unanswered -= not verdict.doubtful
            return verdict
        finally:
            overloaded = verdict is not None and verdict.overloaded
            for limits, since in zip(self._all_limits, began, strict=False):
                limits.at_once.release(overloaded=overloaded, began=since)

    async def _post(self, body: bytes) -> AttemptVerdict:
        session = self._session or self._open()
        limit = self._timeout
        if self._deadline_s is not None:
            limit = aiohttp.ClientTimeout(total=min(self.endpoint.request_s, self._left()))
        data = body if len(body) <= _IN_ONE_PIECE else io.BytesIO(body)
        try:
            # A redirected POST would become a GET, or send the key to another server.
            response = await session.post(
                self._url, data=data, timeout=limit, allow_redirects=False
            )
            try:
                raw = await read_body(response.content)
            finally:
                if not response.closed:
                    # A body that was not read to its end: the connection cannot be used again.
                    response.release()
            if raw is None:
                large = "a body over 64 MiB"
                return AttemptVerdict(Reply("", "protocol_error", detail=large), doubtful=True)
            status, headers, key = response.status, response.headers, self.endpoint.key
            raw = without_key(raw, key)
            verdict = self._wire.judge(status, headers, raw, time.time()).without(key)
            if status == 404 and not self._at_vendor:
                detail = verdict.reply.detail.rstrip(". ") + self._advice
                verdict = verdict.with_reply(replace(verdict.reply, detail=detail))
            return verdict.with_reply(shortened(verdict.reply, self.endpoint.max_reply))
        except TimeoutError:
            detail = f"no answer within {self.endpoint.request_s:g} s"
            late = Reply("", "timeout", "", detail=detail)
            return AttemptVerdict(late, retry=True, overloaded=True, doubtful=True)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            # A ValueError concerns the request itself, which would not change in another attempt.
            retry = not isinstance(error, ValueError)
            unreached = isinstance(error, aiohttp.ClientConnectorError)
            advice = self._advice if unreached and self._at_vendor else ""
            detail = words_of(error, self.endpoint.url) + advice
            broken = Reply("", "transport_error", "", detail=detail)
            sent = retry and not unreached
            return AttemptVerdict(broken, retry=retry, hopeless=unreached, doubtful=sent)

    async def _pause(self, verdict: AttemptVerdict, attempt: int) -> None:
        # Full jitter (each wait uniform up to the cap) spreads clients that failed together.
        longest = min(_LONGEST_WAIT_S, self.endpoint.first_wait_s * 2 ** (attempt - 1))
        backoff = longest * self._jitter.random()
        await self._sleep(backoff if verdict.after_s is None else verdict.after_s + backoff / 10)

    async def _sleep(self, seconds: float) -> None:
        if seconds > self._left():
            raise self._too_late()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._finishing.wait()

    def _left(self) -> float:
        if self._deadline_s is None:
            return float("inf")
        now = time.monotonic()
        self._started = self._started if self._started is not None else now
        left = self._started + self._deadline_s - now
        if left <= 0:
            raise self._too_late()
        return left

    def _too_late(self) -> RunStoppedError:
        return RunStoppedError(
            f"the deadline of {self._deadline_s:g} s has passed; all answers so far are stored; "
            "run the same command again to go on"
        )

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            headers: dict[str, Any] = {
                "Content-Type": "application/json",
                "User-Agent": f"gfactor/{__version__}",
                **self._wire.headers(self.endpoint.key),
            }
            self._session = aiohttp.ClientSession(
                headers=headers,
                connector=aiohttp.TCPConnector(limit=0),
                proxy=proxy_of(self.endpoint.url),
            )
        return self._session


def _measured(reply: Reply, seconds: float, cost: float | None) -> Reply:
    """Return a reply with its time and cost; `dataclasses.replace` would take twice as long."""
    return Reply(
        reply.text, reply.outcome, reply.finish_reason, reply.usage, seconds, cost, reply.detail,
        reply.reasoning, reply.answered_by, reply.fingerprint,
    )  # fmt: skip
