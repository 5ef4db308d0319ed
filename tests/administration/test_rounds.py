"""One image per turn is a conversation: the model's own replies stand between the turns."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.chat_server import Body, chat_server, completion
from support.exam import image, question

from gfactor.administration import Condition, Journal, Materials, run
from gfactor.administration.asking.cost_estimates import PricedModel, estimate
from gfactor.administration.presenting.rendering import render
from gfactor.errors import JournalError
from gfactor.examinees import RenderedItem, Reply
from gfactor.examinees.http import Endpoint, HttpExaminee, TokenPrice
from gfactor.items import ItemBank, write_bank

ROUNDS = Condition(presentation="image-per-turn")


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    parts = [part for k in (1, 2, 3) for part in (f"Part {k}:", image(k))]
    items = [
        question("three", content=(*parts, "Which one?")),
        question("one", content=("Look:", image(7), "Which animal?")),
    ]
    return ItemBank.open(write_bank(items, tmp_path / "b.parquet"))


def rounds(body: Body) -> int:
    return sum(message["role"] == "user" for message in body["messages"])


def seen(body: Body) -> str:
    """A reply that tells which round it answers."""
    return "Answer: B" if "Now answer" in json.dumps(body["messages"][-1]) else f"R{rounds(body)}"


def asked(bank: ItemBank, journal: Path, url: str, occasions: int = 1, **more: Any) -> Any:
    endpoint = Endpoint("m", url, attempts=2, first_wait_s=0, max_in_flight=1, **more)
    with Journal.open(journal) as kept:
        return run(bank, HttpExaminee(endpoint), kept, ROUNDS, occasions)


def test_each_turn_is_a_request_and_carries_what_was_said_before(
    bank: ItemBank, tmp_path: Path
) -> None:
    with chat_server(seen) as server:
        asked(bank, tmp_path / "c.db", server.url)
    said = [[(m["role"], m["content"]) for m in body["messages"]] for body in server.bodies]
    assert [len(messages) for messages in said] == [1, 3, 5, 1]
    assert [role for role, _ in said[2]] == ["user", "assistant", "user", "assistant", "user"]
    assert [text for role, text in said[2] if role == "assistant"] == ["R1", "R2"]
    assert said[2][0] == said[1][0] == said[0][0]
    assert "do not answer yet" in json.dumps(said[1][-1])


@pytest.mark.thorough
def test_the_journal_keeps_every_reply_and_the_last_one_counts(
    bank: ItemBank, tmp_path: Path
) -> None:
    with chat_server(seen) as server:
        asked(bank, tmp_path / "c.db", server.url, occasions=2)
    with Journal.open(tmp_path / "c.db", create=False) as journal:
        turns, responses = journal.turns(), journal.responses()
    assert turns[["occasion", "turn", "text"]].to_numpy().tolist() == [
        [0, 0, "R1"], [0, 1, "R2"], [1, 0, "R1"], [1, 1, "R2"],
    ]  # fmt: skip
    three = responses[responses["item_hash"] == turns["item_hash"].iloc[0]]
    assert list(three["text"]) == ["Answer: B"] * 2
    assert [json.loads(t)["prompt_tokens"] for t in three["tokens"]] == [33, 33]


def test_a_conversation_goes_on_where_it_broke_off(bank: ItemBank, tmp_path: Path) -> None:
    class PricedModel:
        name, in_flight, converses = "model:one", 1, True

        def __init__(self, fails: Callable[[RenderedItem], bool]) -> None:
            self.asked: list[tuple[str, int]] = []
            self._fails = fails

        async def __call__(self, item: RenderedItem) -> Reply:
            assert len(item.replies) == len(item.earlier)
            self.asked.append((item.item_id, len(item.earlier)))
            if self._fails(item):
                return Reply("", "timeout", detail="too late")
            return Reply(f"R{len(item.earlier)}", usage={"prompt_tokens": 1}, cost=0.5)

        async def close(self) -> None: ...

    first, second = (
        PricedModel(lambda item: len(item.earlier) == 1),
        PricedModel(lambda item: False),
    )
    with Journal.open(tmp_path / "c.db") as journal:
        result = run(bank, first, journal, ROUNDS)
        assert (result.failed, result.detail) == (1, "turn 2 of 3: too late")
        assert run(bank, second, journal, ROUNDS).failed == 0
        last = journal.responses().iloc[-1]
    assert first.asked == [("three", 0), ("three", 1), ("one", 0)]
    assert second.asked == [("three", 1), ("three", 2)]
    assert (last["text"], last["cost"]) == ("R2", 1.5)
    assert json.loads(last["tokens"]) == {"prompt_tokens": 3}


def test_an_examinee_that_does_not_converse_gets_all_turns_at_once(
    bank: ItemBank, tmp_path: Path
) -> None:
    turns: list[int] = []

    class Looker:
        name, in_flight = "looker:one", 1

        async def __call__(self, item: RenderedItem) -> Reply:
            turns.append(len(item.images))
            return Reply("B")

        async def close(self) -> None: ...

    with Journal.open(tmp_path / "c.db") as journal:
        run(bank, Looker(), journal, ROUNDS)
        assert len(journal.turns()) == 0
    assert turns == [3, 1]


def test_an_empty_reply_leaves_no_message_between_the_turns(bank: ItemBank, tmp_path: Path) -> None:
    def quiet(body: Body) -> Body:
        return completion("B" if rounds(body) == 3 else "")

    with chat_server(quiet) as server:
        asked(bank, tmp_path / "c.db", server.url)
    roles = [m["role"] for m in server.bodies[2]["messages"]]
    assert roles == ["user", "user", "user"]


def test_the_estimate_counts_every_round(bank: ItemBank) -> None:
    model = PricedModel("gpt-4o", TokenPrice(1, 1))
    once, rounds = (
        estimate(bank, condition, Materials(), set(), 1, model)
        for condition in (Condition(), ROUNDS)
    )
    assert (once.requests, rounds.requests) == (2, 4)
    assert rounds.input_tokens > once.input_tokens + 3 * 255


def test_without_answers_the_estimate_is_that_of_the_questions_alone(bank: ItemBank) -> None:
    model, condition = PricedModel("gpt-4o", TokenPrice(1, 1)), Condition()
    found = estimate(bank, condition, Materials(), set(), 3, model)
    questions = [render(item, condition, Materials()) for item in bank]
    assert found.learned_from == 0
    assert found.input_tokens == 3 * sum(model.tokens(one) for one in questions)


def test_journals_of_turns_without_replies_are_not_gone_on_with(
    bank: ItemBank, tmp_path: Path
) -> None:
    with chat_server(seen) as server, Journal.open(tmp_path / "c.db") as journal:
        endpoint = Endpoint("m", server.url)
        run(bank, HttpExaminee(endpoint), journal, ROUNDS)
        with journal._connected() as connection:
            packs = json.loads(journal.meta()["campaigns"][0]["packs"])
            del packs["rounds"]
            connection.exec_driver_sql("UPDATE campaigns SET packs = ?", (json.dumps(packs),))
        with pytest.raises(JournalError, match="without the replies between them"):
            run(bank, HttpExaminee(endpoint), journal, ROUNDS)
