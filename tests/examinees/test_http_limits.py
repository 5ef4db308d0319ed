"""How many requests at once, and how many a minute."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from aiohttp import web
from support.chat_server import chat_server

from gfactor.examinees import RenderedItem
from gfactor.examinees.http import Budget, Endpoint, HttpExaminee, TokenPrice
from gfactor.examinees.http.limits import AdaptiveLimit, Limits, TokenBucket


def test_overload_halves_the_requests_in_flight_and_success_adds_them_back() -> None:
    now = [0.0]
    limit = AdaptiveLimit(64, start=16, clock=lambda: now[0])

    async def once(*, overloaded: bool) -> None:
        await limit.acquire()
        limit.release(overloaded=overloaded)

    async def work() -> None:
        await once(overloaded=True)
        assert limit.limit == 8
        await once(overloaded=True)
        assert limit.limit == 8, "one overload is one cut"
        now[0] = 2.0
        await once(overloaded=True)
        assert limit.limit == 4
        for _ in range(5):
            await once(overloaded=False)
        assert 5 <= limit.limit < 5.5

    asyncio.run(work())


def test_until_the_first_overload_a_window_of_successes_doubles_the_limit() -> None:
    limit = AdaptiveLimit(64, start=16, clock=lambda: 0.0)

    async def window() -> None:
        for _ in range(int(limit.limit)):
            await limit.acquire()
            limit.release(overloaded=False)

    asyncio.run(window())
    assert limit.limit == 32
    asyncio.run(window())
    asyncio.run(window())
    assert limit.limit == 64


def passed(limit: AdaptiveLimit, refused: list[bool]) -> float:
    """The limit after requests that ended so, one after the other."""

    async def work() -> None:
        for overloaded in refused:
            began = await limit.acquire()
            limit.release(overloaded=overloaded, began=began)

    asyncio.run(work())
    return limit.limit


def test_a_refusal_now_and_then_is_no_overload() -> None:
    now = [0.0]
    limit = AdaptiveLimit(64, start=16, clock=lambda: now[0])
    assert passed(limit, [k % 33 == 32 for k in range(2000)]) == 64
    now[0] = 9.0
    assert passed(limit, [k % 3 == 2 for k in range(300)]) < 64


def test_where_it_was_too_much_before_the_limit_grows_slowly() -> None:
    limit = AdaptiveLimit(64, start=16, clock=lambda: 0.0)
    assert passed(limit, [True]) == 8
    assert 14.9 < passed(limit, [False] * 83) < 15.1, "as many successes as it takes to add 7"
    assert passed(limit, [False] * 30) < 15.3


def test_what_began_before_a_cut_causes_no_further_one() -> None:
    now = [0.0]
    limit = AdaptiveLimit(64, start=16, clock=lambda: now[0])

    async def work() -> None:
        began = [await limit.acquire() for _ in range(16)]
        for moment in began:
            now[0] += 1.0
            limit.release(overloaded=True, began=moment)

    asyncio.run(work())
    assert limit.limit == 8


def test_a_token_bucket_lets_a_burst_pass_and_then_keeps_the_rate() -> None:
    now = [0.0]
    bucket = TokenBucket(600, clock=lambda: now[0])
    assert bucket.take(60) == 0
    assert bucket.take(10) == pytest.approx(1)
    now[0] = 10.0
    assert bucket.take(1) == 0
    assert TokenBucket(0).take(10**9) == 0


@pytest.mark.parametrize("processes", [1, 2])
def test_no_minute_has_more_requests_than_its_limit_and_the_limit_is_used(processes: int) -> None:
    now, wait = [0.0], 0.0
    bucket = TokenBucket(60 * processes, clock=lambda: now[0])
    bucket.divide(processes)
    sent = []
    while now[0] < 600:
        now[0] += (wait := bucket.take(1))
        sent.append(now[0])
    in_a_minute = [sum(moment <= other < moment + 60 for other in sent) for moment in sent]
    assert max(in_a_minute) <= 60
    assert sum(moment < 1 for moment in sent) == 6
    assert len(sent) >= 590
    assert wait > 0


def test_tokens_of_any_minute_keep_their_limit_whatever_their_sizes() -> None:
    now = [0.0]
    bucket = TokenBucket(1000, clock=lambda: now[0])
    sent: list[tuple[float, int]] = []
    while now[0] < 600:
        units = 30 + 170 * (len(sent) % 3 == 0)
        now[0] += bucket.take(units)
        sent.append((now[0], units))
    sums = [sum(n for other, n in sent if moment <= other < moment + 60) for moment, _ in sent]
    assert max(sums) <= 1000
    assert sum(n for _, n in sent) >= 9000


def test_a_waiter_that_is_cancelled_passes_its_turn_on() -> None:
    limit = AdaptiveLimit(1)

    async def work() -> float:
        await limit.acquire()
        first, second = (asyncio.create_task(limit.acquire()) for _ in range(2))
        await asyncio.sleep(0)
        limit.release(overloaded=False)
        # The first has its turn, and is cancelled before it takes it.
        first.cancel()
        return await asyncio.wait_for(second, 5)

    asyncio.run(work())


def test_limits_are_divided_among_processes_and_given_back() -> None:
    limits = Limits(8, rpm=600)
    assert limits.wait(0) == 0
    limits.divide(2)
    assert limits.at_once.most == 4
    waits = [limits.wait(0) for _ in range(60)]
    # Half of ten a second, after a burst.
    assert waits[-1] - waits[-11] == pytest.approx(10 / 5, rel=0.05)
    limits.divide(1)
    assert limits.at_once.most == 8


def test_models_of_one_server_share_its_limit() -> None:
    shared = Limits(3)

    async def ask_all(url: str) -> None:
        both = [HttpExaminee(Endpoint(name, url), shared=shared) for name in "mn"]
        question = RenderedItem("q", "b", "t", ("How many?",))
        await asyncio.gather(*(one(question) for one in both for _ in range(20)))
        for one in both:
            await one.close()

    with chat_server(latency_s=0.005) as server:
        asyncio.run(ask_all(server.url))
    assert server.served == 40
    assert server.busiest == 3
    assert {body["model"] for body in server.bodies} == {"m", "n"}


@pytest.mark.parametrize(
    ("kind", "unanswered"),
    [("cut", 2), ("garbage", 2), ("late", 2), ("error", 0), ("refused", 0), ("none", 0)],
)
def test_requests_that_may_have_been_paid_for_without_an_answer_are_counted(
    kind: str, unanswered: int
) -> None:
    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        if kind == "cut" and number < 2:
            assert request.transport is not None
            request.transport.close()
        if kind == "late" and number < 2:
            await asyncio.sleep(1)
        answers = {"garbage": web.Response(text="<html>"), "error": web.Response(status=500),
                   "refused": web.Response(status=429)}  # fmt: skip
        return answers.get(kind) if number < 2 else None

    class Noting(Budget):
        counted = 0

        def settle(self, *args: Any, unanswered: int = 0, **rest: Any) -> float | None:
            self.counted += unanswered
            return super().settle(*args, **rest)

    async def ask(url: str) -> Noting:
        budget = Noting(TokenPrice(1, 1))
        endpoint = Endpoint("m", url, request_s=0.4, attempts=4, first_wait_s=0.01)
        examinee = HttpExaminee(endpoint, budget)
        reply = await examinee(RenderedItem("q", "b", "t", ("How many?",)))
        assert reply.outcome == "ok"
        await examinee.close()
        return budget

    with chat_server(fault=fault) as server:
        assert asyncio.run(ask(server.url)).counted == unanswered
