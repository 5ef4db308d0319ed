"""The thing that a reply of several sentences names for a blank, in eight languages.

`named/stated.txt` holds a question, a reply and the texts that are right on each line: descriptions
that end with a name, names with reasons behind them, corrections and contrasts. The replies of
`named/traps.txt` name nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.tiers import few

from gfactor.scoring.extraction.normalize import clean
from gfactor.scoring.extraction.result import Extraction
from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import read_reply
from gfactor.scoring.texts import same_text

HERE = Path(__file__).parent / "named"


def cases(name: str) -> list[tuple[str, str, str]]:
    """The question, the reply and the right texts of each line of a file."""
    lines = (HERE / name).read_text("utf-8").splitlines()
    parts = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [(question, reply.replace("\\n", "\n"), texts) for question, reply, texts in parts]


def read(question: str, reply: str, **facts: str) -> Extraction:
    item = PutItem("i", "h", "b", "blanks", ("no key",), text=question, facts=facts)
    return read_reply(reply, "ok", item).lenient


def text_read(question: str, reply: str) -> str | None:
    answer = read(question, reply).answer
    return str(answer[0]) if isinstance(answer, tuple) else None


@pytest.mark.parametrize(("question", "reply", "texts"), few(cases("stated.txt"), 60))
def test_a_reply_names_the_thing_asked_for(question: str, reply: str, texts: str) -> None:
    text = text_read(question, reply) or ""
    assert any(same_text(text.lower(), one.lower()) for one in texts.split(";")), text


@pytest.mark.parametrize(("question", "reply", "texts"), few(cases("traps.txt"), 40))
def test_a_description_a_doubt_or_a_denial_names_nothing(
    question: str, reply: str, texts: str
) -> None:
    assert texts == "-"
    assert text_read(question, reply) is None


BIRD = "What kind of bird is it?"


def test_a_later_correction_takes_a_name_back() -> None:
    reply = "Its beak is long.\n\nThe bird is a **heron**."
    assert text_read(BIRD, reply) == "heron"
    assert text_read(BIRD, f"{reply} But herons have longer legs.") is None
    assert text_read(BIRD, f"{reply} Wait, that is wrong.") is None


def test_a_polite_close_and_a_remark_in_brackets_change_nothing() -> None:
    reply = "Its beak is long. So the bird is a heron."
    for close in (
        "Let me know if you need more!",
        "(The other one is hidden.)",
        "I hope this helps!",
    ):
        assert text_read(BIRD, f"{reply} {close}") == "heron", close
    assert text_read(BIRD, f"{reply}\n\nI hope this helps!") == "heron"


def test_the_only_bold_text_is_the_name_unless_it_describes() -> None:
    ends = "It breeds in reeds, like any **{}**."
    assert text_read(BIRD, "Its beak is long. " + ends.format("bittern")) == "bittern"
    assert text_read(BIRD, "Its beak is long. " + ends.format("large animal")) is None
    two = "Its beak is **long**.\n\n" + ends.format("bittern")
    assert text_read(BIRD, two) is None


def test_a_question_about_a_color_may_have_an_adjective_as_its_answer() -> None:
    reply = "The woman holds an umbrella. The umbrella is {}."
    assert text_read("What color is the umbrella?", reply.format("red")) == "red"
    assert text_read("What brand is the umbrella?", reply.format("red")) is None
    assert text_read("What color is the umbrella?", reply.format("hidden")) is None


def test_two_bold_texts_in_the_last_line_leave_it_open() -> None:
    reply = "Two cars.\n\nThe car on the right is **red**, and the one on the left is **blue**."
    assert read("What color is the car?", reply).rule == "ambiguous"


def test_only_texts_are_read_in_this_way() -> None:
    reply = "Its beak is long. So the bird is a heron."
    assert read(BIRD, reply).rule == "named"
    assert read(BIRD, reply, scoring_rule="number").rule != "named"
    assert read(BIRD, reply, scoring_rule="containment").rule != "named"


def test_a_name_is_read_once_per_reply_of_any_length() -> None:
    long = "The bird is compact. " * 600
    assert len(clean(long).prose.text) > 8000
    assert text_read(BIRD, long + "It is a heron.") is None
