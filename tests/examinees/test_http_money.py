"""What answers cost: counted as vendors bill, capped without giving up what is being paid for."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from support.chat_server import chat_server, completion

from gfactor.errors import ParameterError
from gfactor.examinees.base import RenderedItem, Reply
from gfactor.examinees.http import Budget, Endpoint, HttpExaminee, Price, read_prices
from gfactor.examinees.http.limits import RunStoppedError

ITEM = RenderedItem("t", "b", "t", ("x",), decoding={"max_tokens": 100})


def ask(usage: Any, cap: float | None, count: int) -> tuple[list[Any], Budget, tuple[str, ...]]:
    """Many items at once, each writing 100 tokens at most, a token costing 1."""
    budget = Budget(Price(0, 1e6), cap)

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
        "the server told no token counts for 3 answers: their cost is the estimate made before",
    )


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


def test_prices_are_read_from_the_users_file(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('["m"]\ninput = 2.5\noutput = 10\n')
    assert read_prices(file) == {"m": Price(2.5, 10)}
    for wrong in ("input = -1", "input = inf\noutput = 1", "input = true\noutput = 1"):
        file.write_text(f'["m"]\n{wrong}\n')
        with pytest.raises(ParameterError, match="model 'm'"):
            read_prices(file)
