"""An item that is a conversation: asked turn by turn, each of its last turns scored by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.banks import make_item
from support.chat_server import Body, chat_server
from support.exam import image

from gfactor.administration import Condition, Journal, render, run
from gfactor.examinees.http import Endpoint, HttpExaminee
from gfactor.items import ItemBank, OutputFormat, write_bank
from gfactor.items.formats import TURN_END
from gfactor.scoring import scored
from gfactor.scoring.chance import item_chance
from gfactor.scoring.rules import points

WORDS = OutputFormat("turns", labels=("ANSWER",), atom="word", vocabulary=("yes", "no"), length=3)
CONTENT = ("Remember.", image(1), "Again?", image(1), "Again?", image(2), "And now?", image(2))


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    items = [
        make_item(
            f"talk-{k}",
            content=(f"Round {k}.", *CONTENT[1:]),
            turns=(2, 4, 6),
            answer_type="turns",
            target=target,
            output_format=WORDS,
            labels={"domain": "talk"},
        )
        for k, target in enumerate([("yes", "no", "yes"), ("yes", "no", "no")])
    ]
    return ItemBank.open(write_bank(items, tmp_path / "b.parquet"))


def reply_to(body: Body) -> str:
    turn = sum(message["role"] == "user" for message in body["messages"])
    return ["OK", "Hm.\nANSWER:yes", "The answer is no.", "ANSWER:yes"][turn - 1]


def test_turns_survive_in_a_bank(bank: ItemBank) -> None:
    item = bank.item("talk-0")
    assert item.turns == (2, 4, 6)
    assert [s for s in item.content if isinstance(s, str)][1:] == ["Again?", "Again?", "And now?"]
    assert item.output_format == WORDS
    assert item.target == ("yes", "no", "yes")


@pytest.mark.parametrize(
    "condition", [Condition(), Condition(cot=True), Condition(presentation="image-per-turn")]
)
def test_an_item_keeps_its_turns_under_every_condition(
    bank: ItemBank, condition: Condition
) -> None:
    rendered = render(bank.item("talk-0"), condition)
    turns = (*rendered.earlier, rendered.content)
    assert rendered.asked == 3
    assert len(turns) == 4
    assert [sum(not isinstance(s, str) for s in turn) for turn in turns] == [1, 1, 1, 1]
    assert turns[1][0] == "Again?"


@pytest.mark.thorough
def test_each_turn_is_asked_and_scored_by_itself(bank: ItemBank, tmp_path: Path) -> None:
    with (
        chat_server(reply_to) as server,
        Journal.open(tmp_path / "c.db") as journal,
    ):
        run(bank, HttpExaminee(Endpoint("m", server.url, attempts=1)), journal, Condition())
        table = scored(journal).set_index("item_id")
    assert len(server.bodies) == 8
    assert table.loc["talk-0", "answer"] == json.dumps(["yes", "", "yes"], separators=(",", ":"))
    assert json.loads(table.loc["talk-0", "answer_lenient"]) == ["yes", "no", "yes"]
    assert table["points"].sort_index().tolist() == [2, 1]
    assert table["points_possible"].tolist() == [3, 3]
    assert table["correct_lenient"].sort_index().tolist() == [1, 0]


def test_a_turn_without_an_answer_earns_nothing_and_takes_nothing() -> None:
    right = ("yes", "no", "yes")
    assert points(("yes", "", "yes"), right, (), "turns").earned == 2
    assert points(("yes",), right, (), "turns").earned == 1
    assert points(right, right, (), "turns").full
    assert points(None, right, (), "turns").earned == 0


def test_the_format_renders_one_line_a_turn() -> None:
    line = WORDS.render(("yes", "no", "yes"))
    assert line.split(TURN_END) == ["ANSWER:yes", "ANSWER:no", "ANSWER:yes"]
    assert WORDS.pattern.fullmatch(line)
    assert not WORDS.pattern.fullmatch(WORDS.turn.render("yes"))


def test_chance_of_a_turn_is_that_of_another_items_answers(bank: ItemBank, tmp_path: Path) -> None:
    with chat_server(reply_to) as server, Journal.open(tmp_path / "c.db") as journal:
        run(bank, HttpExaminee(Endpoint("m", server.url, attempts=1)), journal, Condition())
        levels = item_chance(journal.items())
    assert levels["chance"].tolist() == [0, 0]
    assert levels["chance_share"].tolist() == pytest.approx([2 / 3, 2 / 3])


@pytest.mark.thorough
def test_a_failing_turn_ends_the_conversation(bank: ItemBank, tmp_path: Path) -> None:
    def failing(body: Body) -> str:
        if len(body["messages"]) > 3:
            raise ConnectionError
        return "ANSWER:yes"

    with chat_server(failing) as server, Journal.open(tmp_path / "c.db") as journal:
        run(bank, HttpExaminee(Endpoint("m", server.url, attempts=1)), journal, Condition())
        assert set(scored(journal)["status"]) == {"failed"}
