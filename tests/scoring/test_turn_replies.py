"""Replies to conversations: each turn is read by itself, whether asked one by one or at once."""

from __future__ import annotations

from typing import Any

import pytest

from gfactor.items import OutputFormat
from gfactor.items.formats import TURN_END
from gfactor.scoring import credit, points
from gfactor.scoring.extraction.result import NOTHING, Extraction
from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import Readings, read_reply, status_of
from gfactor.scoring.rules import possible

WORDS = OutputFormat("turns", labels=("ANSWER",), atom="word", vocabulary=("yes", "no"), length=3)


def asked(kind: Any = "turns", fmt: OutputFormat | None = WORDS, **more: Any) -> PutItem:
    return PutItem("q", "hash", "toy", kind, more.pop("target", None), output_format=fmt, **more)


def read(*replies: str, outcome: str = "complete") -> Readings:
    return read_reply(TURN_END.join(replies), outcome, asked())


def test_every_turn_is_read_by_itself() -> None:
    found = read("ANSWER:yes", "I think so.\nANSWER:no", "The answer is yes.")
    assert found.strict.answer == ("yes", "no", "")
    assert found.lenient.answer == ("yes", "no", "yes")
    assert (found.strict.stage, found.strict.rule) == ("strict", "turns")
    assert found.lenient.stage == "lenient"
    exact = read("ANSWER:yes", "ANSWER:no", "ANSWER:no")
    assert exact.lenient.answer == exact.strict.answer == ("yes", "no", "no")


def test_turns_without_an_answer_are_empty_and_more_than_asked_are_not_read() -> None:
    assert read("ANSWER:yes").lenient.answer == ("yes", "", "")
    assert read("Hm.", "ANSWER:no").strict.answer == ("", "no", "")
    four = read("ANSWER:yes", "ANSWER:no", "ANSWER:no", "ANSWER:yes")
    assert four.strict.answer == ("yes", "no", "no")
    nothing = read("Hm.", "Well.", "I see.")
    assert (nothing.strict.has_answer, nothing.lenient.has_answer) == (False, False)
    assert nothing.lenient.answer is None


def test_one_reply_to_all_turns_has_its_answers_on_lines() -> None:
    found = read("Round one:\n ANSWER:yes \nANSWER:no\nthen\nANSWER:yes")
    assert found.strict.answer == ("yes", "no", "yes")
    assert read("They are all yes.").strict.has_answer is False
    # Of a single turn, the reply is read as a whole.
    single = OutputFormat("turns", labels=("ANSWER",), atom="word", vocabulary=("yes", "no"),
                          length=1)  # fmt: skip
    one = read_reply("The answer is no.", "complete", asked(fmt=single))
    assert one.lenient.answer == ("no",)
    assert not one.strict.has_answer


def test_a_truncated_turn_loses_its_last_line_and_no_other_turn() -> None:
    found = read("ANSWER:yes", "ANSWER:no\nANSWER:y", outcome="truncated")
    assert found.strict.answer == ("yes", "no", "")
    assert read("ANSWER:yes", "ANSWER:no", outcome="truncated").strict.answer == ("yes", "", "")


def test_a_truncated_reply_loses_its_unfinished_line_but_an_open_one_keeps_it() -> None:
    count = OutputFormat("value", labels=("COUNT",))
    numbers = asked("value", count)
    assert read_reply("COUNT:12", "truncated", numbers).strict.answer is None
    assert read_reply("COUNT:12\nCOUN", "truncated", numbers).strict.answer == 12
    assert read_reply("COUNT:12", "complete", numbers).strict.answer == 12
    essay = asked("open", None)
    assert read_reply("A dog and a c", "truncated", essay).lenient.answer == "A dog and a c"


def test_without_a_format_or_options_nothing_is_read() -> None:
    found = read_reply("COUNT:12", "complete", asked("value", None))
    assert found == Readings(NOTHING, NOTHING)


def test_long_replies_are_read_as_short_ones_are() -> None:
    count = asked("value", OutputFormat("value", labels=("COUNT",)))
    long = "I count again. " * 300 + "\nCOUNT:7"
    assert read_reply(long, "complete", count).strict.answer == 7
    options = asked("choice", None, choices=(("A", "red"), ("B", "blue")))
    long = "So it is. " * 300 + "\nThe answer is B."
    assert read_reply(long, "complete", options).lenient.answer == "B"


@pytest.mark.parametrize(
    ("outcome", "rule", "has", "status"),
    [
        ("content_filter", "", True, "filtered"),
        ("truncated", "", True, "answered"),
        ("refusal", "", True, "answered"),
        ("refusal", "", False, "refused"),
        ("complete", "refusal", False, "refused"),
        ("truncated", "", False, "truncated"),
        ("complete", "truncated", False, "truncated"),
        ("complete", "empty", False, "no_answer"),
    ],
)
def test_what_became_of_a_response(outcome: str, rule: str, has: bool, status: str) -> None:
    assert status_of(outcome, Extraction("x" if has else None, has, "rules", rule)) == status


def test_a_turn_earns_its_point_by_any_right_answer_in_its_place() -> None:
    right: Any = (("a", "b", "c"),)
    said: Any
    for said, earned in (
        (("a", "b", "c"), 3), (("a", "x", "c"), 2), (("b", "a", "c"), 1), (("a",), 1),
        (("a", "b", "c", "d"), 3), (None, 0), ("a", 0), ((None, "b"), 1),
    ):  # fmt: skip
        found = points(said, right[0], (), "turns")
        assert (found.earned, found.possible) == (earned, 3)
    # An accepted answer that is shorter says nothing of later turns.
    found = points(("x", "y", "c"), ("a", "b", "c"), (("x",), "c"), "turns")
    assert (found.earned, found.possible) == (2, 3)
    assert possible(("a", "b"), "turns") == 2
    assert possible(None, "turns") == possible(None, "choices") == possible("x", "value") == 1
    assert credit(None, None, (), "choices") == 1.0
    assert credit(frozenset({"A"}), None, (), "choices") == 0.0
