"""What answers cost: counted as vendors bill, capped without giving up what is being paid for."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp import web
from support.chat_server import chat_server, completion

from gfactor.errors import ParameterError
from gfactor.examinees.base import RenderedItem, Reply
from gfactor.examinees.http import Budget, Endpoint, HttpExaminee, TokenPrice, read_prices
from gfactor.examinees.http.limits import RunStoppedError

ITEM = RenderedItem("t", "b", "t", ("x",), decoding={"max_tokens": 100})


def ask(usage: Any, cap: float | None, count: int) -> tuple[list[Any], Budget, tuple[str, ...]]:
    """Many items at once, each writing 100 tokens at most, a token costing 1."""
    budget = Budget(TokenPrice(0, 1e6), cap)

    async def work(url: str) -> tuple[list[Any], tuple[str, ...]]:
        examinee = HttpExaminee(Endpoint("m", url), budget)
        try:
            asked = (examinee(ITEM) for _ in range(count))
            return await asyncio.gather(*asked, return_exceptions=True), examinee.notes
        finally:
            await examinee.close()

    said = {**completion("A"), "usage": usage}
    with chat_server(lambda _: said, latency_s=0.01) as server:
        replies, notes = asyncio.run(work(server.url))
    return replies, budget, notes


def test_a_cap_waits_for_what_is_being_answered_before_it_stops() -> None:
    # Only four reservations of 100 fit at once, but each answer turns out to cost 10.
    replies, budget, _ = ask({"prompt_tokens": 1, "completion_tokens": 10}, 400, 60)
    answered = [r for r in replies if isinstance(r, Reply)]
    stopped = [r for r in replies if isinstance(r, RunStoppedError)]
    assert len(answered) == 31
    assert budget.spent == 310
    assert len(stopped) == 29
    assert str(stopped[0]).startswith("the spending cap of 400 would be exceeded by the next")


def test_an_answer_without_usage_costs_what_was_estimated() -> None:
    replies, budget, notes = ask(None, 350, 5)
    assert [r.cost for r in replies if isinstance(r, Reply)] == [100, 100, 100]
    assert budget.spent == 300
    assert notes == (
        "the server told no token counts for 3 answers: booked is what was set aside "
        "(max_tokens, or 1,000 tokens without it, for the reply), mostly too much",
    )


def test_a_reply_without_choices_that_tells_its_usage_is_booked_and_not_asked_again() -> None:
    budget = Budget(TokenPrice(0, 1e6))

    async def work(url: str) -> Reply:
        examinee = HttpExaminee(Endpoint("m", url, attempts=3, first_wait_s=0.0), budget)
        try:
            return await examinee(ITEM)
        finally:
            await examinee.close()

    with chat_server(lambda _: {**completion("A"), "choices": []}) as server:
        reply = asyncio.run(work(server.url))
    assert (reply.outcome, reply.cost, len(server.bodies)) == ("protocol_error", 7, 1)
    assert reply.detail == "a chat completion without choices, which was paid for"


class Recording(Budget):
    """A budget that keeps the number of requests that may have been paid for without an answer."""

    unanswered = -1

    def settle(self, *reservation: Any, unanswered: int = 0, **answer: Any) -> float | None:
        self.unanswered = unanswered
        return super().settle(*reservation, **answer)


@pytest.mark.parametrize("status", [504, 524])
def test_a_gateways_timeout_may_have_been_paid_for_although_a_retry_is_answered(
    status: int,
) -> None:
    async def late(number: int, _: web.Request) -> web.Response | None:
        return web.Response(status=status) if number < 2 else None

    budget = Recording(TokenPrice(0, 1e6))

    async def work(url: str) -> Reply:
        examinee = HttpExaminee(Endpoint("m", url, first_wait_s=0.0), budget)
        try:
            return await examinee(ITEM)
        finally:
            await examinee.close()

    with chat_server(fault=late) as server:
        reply = asyncio.run(work(server.url))
    assert reply.outcome == "ok"
    assert budget.unanswered == len(server.bodies) - 1 > 0


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        ({"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1510}, 510),
        ({"prompt_tokens": 5, "completion_tokens": 40, "total_tokens": 45,
          "completion_tokens_details": {"reasoning_tokens": 30}}, 40),
        ({"input_tokens": 5, "output_tokens": 7}, 7),
        ({"prompt_tokens": -5, "completion_tokens": 10**400}, 100),
    ],
)  # fmt: skip
def test_thinking_that_stands_in_the_total_alone_is_paid_for(usage: Any, cost: float) -> None:
    (reply,), _, _ = ask(usage, None, 1)
    assert reply.cost == cost


def test_spending_is_counted_and_capped() -> None:
    replies, budget, _ = ask({"prompt_tokens": 11, "completion_tokens": 18}, 1e9, 1)
    assert [r.cost for r in replies] == [18]
    assert budget.spent == 18
    (stopped,), budget, _ = ask({}, 99, 1)
    assert isinstance(stopped, RunStoppedError)
    assert "spending cap of 99 " in str(stopped)
    assert budget.spent == 0


def spend(
    lengths: list[int], cap: float, at_once: int, most: int | None = None
) -> tuple[Budget, int]:
    """Answers of these lengths, a token costing 1, so many at once, until the cap stops them."""
    budget, waiting, answered = Budget(TokenPrice(0, 1e6), cap), iter(lengths), 0

    async def work() -> None:
        nonlocal answered
        for length in waiting:
            reservation = await budget.reserve(10, most)
            await asyncio.sleep(0)
            usage = {"prompt_tokens": 10, "completion_tokens": length}
            budget.settle(reservation, usage, answered=True)
            answered += 1

    async def work_all() -> None:
        await asyncio.gather(*(work() for _ in range(at_once)), return_exceptions=True)

    asyncio.run(work_all())
    return budget, answered


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_without_max_tokens_the_cap_is_nearly_used_and_never_exceeded(seed: int) -> None:
    # Twenty tokens an answer on average, one in two hundred fifteen times as long.
    draw = np.random.default_rng(seed)
    lengths = (draw.gamma(4, 5, 5000) * draw.choice([1, 15], 5000, p=[0.995, 0.005])).astype(int)
    budget, answered = spend(lengths.tolist(), 20_000, 64)
    kept_back = max(1000, 2 * max(lengths[:answered]))
    assert 20_000 - kept_back <= budget.spent <= 20_000


def test_before_anything_is_known_a_thousand_tokens_are_set_aside() -> None:
    assert spend([20] * 50, 999, 4)[1] == 0
    budget, answered = spend([20] * 500, 2000, 64)
    # As many as leave room for one of a thousand tokens.
    assert (answered, budget.spent) == (51, 1020)


def test_answers_in_the_journal_tell_how_much_to_set_aside_from_the_start() -> None:
    budget = Budget(TokenPrice(0, 1e6), 1100)
    for _ in range(10):
        budget.learn({"prompt_tokens": 5, "completion_tokens": 20})

    async def reserve() -> list[float]:
        return [(await budget.reserve(10, None)).money for _ in range(3)]

    assert asyncio.run(reserve()) == [40, 40, 40]
    assert budget.spent == 0


def test_with_max_tokens_that_much_is_set_aside_for_each() -> None:
    budget, answered = spend([20] * 500, 1000, 64, most=100)
    assert (answered, budget.spent) == (46, 920)


def test_what_servers_read_puts_the_estimate_of_questions_right() -> None:
    budget = Budget(TokenPrice(1e6, 0), 1000)

    async def work(read: int) -> None:
        reservation = await budget.reserve(100, 0)
        assert reservation.money <= 1000 - budget.spent
        budget.settle(reservation, {"prompt_tokens": read}, answered=True)

    async def work_all() -> None:
        for _ in range(300):
            await work(4)

    with pytest.raises(RunStoppedError):
        asyncio.run(work_all())
    assert budget.spent > 990


def test_prices_are_read_from_the_users_file(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('["m"]\ninput = 2.5\noutput = 10\n')
    assert read_prices(file) == {"m": TokenPrice(2.5, 10)}
    for wrong in ("input = -1", "input = inf\noutput = 1", "input = true\noutput = 1"):
        file.write_text(f'["m"]\n{wrong}\n')
        with pytest.raises(ParameterError, match="model 'm'"):
            read_prices(file)
