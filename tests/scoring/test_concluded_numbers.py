"""The number that a reply concludes with, for an item whose key is a number, in seven languages.

`numbers/stated.txt` and `numbers/traps.txt` hold a question, a reply and its number on each line;
traps are ranges, doubts, parts, numbers of figures, totals that contradict each other and
replies that break off.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.tiers import few

from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import read_reply

HERE = Path(__file__).parent / "numbers"


def cases(name: str) -> list[tuple[str, ...]]:
    """The language, the question, the reply and its number of each line of a file."""
    lines = (HERE / name).read_text("utf-8").splitlines()
    parts = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [(a, b, c.replace("\\n", "\n"), d.strip()) for a, b, c, d in parts]


def item(question: str, key: str, language: str = "") -> PutItem:
    """An item with one blank whose key is a number."""
    facts = {"scoring_rule": "number", "language": language}
    return PutItem("i", "h", "b", "blanks", (key,), text=question, facts=facts)


def credit(question: str, reply: str, key: str, language: str = "") -> float | None:
    """The credit for what is read in a reply; None if nothing is read."""
    asked = item(question, key, language)
    read = read_reply(reply, "ok", asked).lenient
    return asked.points(read.answer).earned if read.has_answer else None


@pytest.mark.parametrize(("language", "question", "reply", "number"), few(cases("stated.txt"), 60))
def test_the_number_that_a_reply_concludes_with_is_its_answer(
    language: str, question: str, reply: str, number: str
) -> None:
    assert credit(question, reply, number, language) == 1
    assert credit(question, reply, number) == 1


@pytest.mark.parametrize(("language", "question", "reply", "number"), few(cases("traps.txt"), 80))
def test_a_number_that_a_reply_does_not_give_as_its_answer_is_none(
    language: str, question: str, reply: str, number: str
) -> None:
    if number == "-":
        assert credit(question, reply, "7", language) is None
    else:
        assert credit(question, reply, number, language) == 1


@pytest.mark.parametrize(
    ("reply", "language", "key", "right"),
    [
        ("Das Stadion fasst 83.000 Zuschauer.", "de", "83000", 1),
        ("La candidata obtuvo 3.400 votos.", "es", "3400", 1),
        ("La ville compte 24\u202f500 habitants.", "fr", "24500", 1),
        ("Die Summe beträgt 1.200,50 EUR.", "de", "1200.5", 1),
        ("Die Gemeinde zählt 12'500 Einwohner.", "de", "12500", 1),
        ("The town has 1,250 people.", "en", "1250", 1),
        ("The pole is 3.400 m long.", "en", "3400", 0),
        ("The pole is 3.400 m long.", "en", "3.4", 1),
        ("Der Stab ist 3,400 m lang.", "de", "3.4", 1),
        ("3.400", "", "3400", 1),
        ("3.400", "", "3.4", 1),
    ],
)
def test_thousands_are_grouped_as_the_language_groups_them(
    reply: str, language: str, key: str, right: int
) -> None:
    assert credit("", reply, key, language) == right


def test_a_percentage_is_its_number_where_the_question_asks_for_percent() -> None:
    assert credit("What percentage is it?", "It is 3.6%.", "3.6") == 1
    assert not credit("How large is the share?", "It is 3.6%.", "3.6")
    assert not credit("How large is the share?", "It is 3.6%.", "0.036")


def test_units_assignments_and_latex_commas_are_no_second_number() -> None:
    for reply in ("28cm2", "28 cm²", "28㎠", r"$28\text{ cm}^2$", "A = 28", r"\boxed{A = 28}"):
        assert credit("", reply, "28") == 1
    assert credit("", r"$$\boxed{x = 2{,}25}$$", "2.25") == 1


def test_a_scale_that_the_question_names_multiplies_no_number() -> None:
    assert credit("How many people live there?", "About 1.5 million people.", "1500000") == 1
    assert credit("How many people, in million?", "About 1.5 million people.", "1.5") == 1


def test_thoughts_and_a_reply_that_breaks_off_decide_nothing() -> None:
    assert credit("How many?", "<think>I count 7.</think>There are 8 boats.", "8") == 1
    assert credit("How many?", "<think>I count 7 boats", "7") is None
