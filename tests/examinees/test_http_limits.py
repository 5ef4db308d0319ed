"""How many requests at once, and how many a minute."""

from __future__ import annotations

import asyncio

import pytest

from gfactor.examinees.http.limits import AdaptiveLimit, TokenBucket


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
