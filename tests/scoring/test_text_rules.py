"""Scoring rules that an item names for its texts: VQA accuracy, relaxed accuracy, ANLS, others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gfactor.benchmarks.vlmevalkit.known_sets import SCORING_RULES
from gfactor.errors import ParameterError
from gfactor.items import AnswerType, Image, Item, Provenance
from gfactor.scoring.judgment import judge_reply
from gfactor.scoring.questions import question_about
from gfactor.scoring.text_rules import TEXT_RULES

TEN = ["nokia"] * 8 + ["nokia phone"] * 2


@pytest.mark.parametrize(
    ("rule", "text", "keys", "credit"),
    [
        ("VQA accuracy", "Nokia", TEN, 1.0),
        ("VQA accuracy", "the nokia phone", TEN, (8 * 2 / 3 + 2 * 1 / 3) / 10),
        ("VQA accuracy", "stop", ["stop"] * 3 + ["go"] * 7, (3 * 2 / 3 + 7) / 10),
        ("VQA accuracy", "two", ["2"] * 10, 1.0),
        ("VQA accuracy", "dont", ["don't"] * 10, 1.0),
        ("VQA accuracy", "dr pepper", ["dr. pepper"] * 5 + ["pepper"] * 5, 1.0),
        ("VQA accuracy", "samsung", TEN, 0.0),
        ("relaxed accuracy", "14.7", ["14.0"], 1.0),
        ("relaxed accuracy", "14.8", ["14.0"], 0.0),
        ("relaxed accuracy", "57%", ["0.57"], 1.0),
        ("relaxed accuracy", "germany", ["Germany"], 1.0),
        ("relaxed accuracy", "The red line", ["red"], 0.0),
        ("relaxed accuracy", "0", ["0"], 1.0),
        ("ANLS", "University of Californa", ["University of California", "x"], 1 - 1 / 24),
        ("ANLS", "ITC", ["ITC Limited"], 0.0),
        ("ANLS", "r.j.  reynolds", ["R. J. Reynolds"], 1 - 1 / 14),
        ("containment", "The sign says CENTRE.", ["centre"], 1.0),
        ("containment", r"It is \frac{1}{2}.", [r"\frac { 1 } { 2 }"], 1.0),
        ("containment", "nothing", ["12:30", "half past twelve"], 0.0),
        ("exact text", "Gone With the Wind", ["gone with the wind"], 1.0),
        ("exact text", "It is Gone With the Wind", ["Gone With the Wind"], 0.0),
        ("number", "There are 3.", ["3"], 1.0),
        ("number", "4.0", ["4"], 1.0),
        ("number", "15", ["5"], 0.0),
        ("number", "Seven apples", ["7"], 1.0),
        ("number", "3 or 4", ["3"], 0.0),
        ("number", "1,000 people", ["1000"], 1.0),
        ("number", "none", ["3"], 0.0),
        ("number", "It reads 19,5.", ["19,5"], 1.0),
        ("number", "It reads 19,5.", ["19.5"], 1.0),
        ("number", "It reads 19.5.", ["19,5"], 1.0),
        ("number", "-18,5 degrees Celsius", ["-18,5"], 1.0),
        ("number", "\u221218.5\u00b0", ["-18.5"], 1.0),
        ("number", "minus 18.5 degrees", ["-18.5"], 1.0),
        ("number", "minus 18.5 degrees", ["18.5"], 0.0),
        ("number", "40.0", ["40,0"], 1.0),
        ("number", "0,125", ["0.125"], 1.0),
        ("number", "1,500", ["1,5"], 1.0),
        ("number", "1,234 people", ["1,234"], 1.0),
        ("number", "1234", ["1,234"], 1.0),
        ("number", "1.234", ["1,234"], 0.0),
        ("number", "1,234", ["1.234"], 0.0),
        ("number", "1,234", ["1234,0"], 1.0),
        ("number", "1.234,5", ["1234,5"], 1.0),
        ("number", "4,5", ["4"], 0.0),
        ("number", "1,2,3 make 6", ["6"], 0.0),
        ("number", "24.5C", ["24"], 0.0),
        ("number", "有7条船", ["7"], 1.0),
        ("number", "7개", ["7"], 1.0),
        ("number", "3,600초", ["3600"], 1.0),
        ("number", "12.5米", ["12"], 0.0),
    ],
)
def test_a_rule_gives_the_published_credit(
    rule: str, text: str, keys: list[str], credit: float
) -> None:
    assert TEXT_RULES[rule](text, keys) == pytest.approx(credit, abs=1e-12)


def item(rule: str, keys: tuple[str, ...], kind: AnswerType = "blanks") -> Item:
    answers = [(key,) if kind == "blanks" else key for key in keys]
    return Item(
        id="x/1", benchmark="x", content=("What?", Image(b"", "x.png")), answer_type=kind,
        target=answers[0], accepted=tuple(answers[1:]), labels={"scoring_rule": rule},
        provenance=Provenance("test", "1", content_hash="h"), points=2.0,
    )  # fmt: skip


def test_the_rule_scores_what_our_reading_found() -> None:
    question = question_about(item("VQA accuracy", ("stop", "stop", "stop", *["go"] * 7)), "")
    made = judge_reply(question, "The answer is stop.", "ok")
    assert (made.points, made.points_possible) == (pytest.approx(2 * 0.9), 2.0)
    assert (made.correct, made.stage) == (0.0, "rules")
    assert judge_reply(question, "**Go**", "ok").correct == 1.0
    whole = question_about(item("containment", ("centre",), "open"), "")
    assert judge_reply(whole, "Big letters say: CENTRE.", "ok").correct == 1.0


def test_an_unknown_rule_is_named() -> None:
    question = question_about(item("vqa", ("stop",)), "")
    with pytest.raises(ParameterError, match="is 'vqa'; the rules are VQA accuracy, relaxed"):
        judge_reply(question, "stop", "ok")


def test_every_rule_of_a_data_set_exists() -> None:
    assert {name for _, name in SCORING_RULES} <= set(TEXT_RULES)


def test_docs_name_every_rule() -> None:
    docs = Path(__file__).parents[2] / "docs" / "scoring.md"
    text = docs.read_text(encoding="utf-8")
    assert all(f"**{name}**" in text for name in TEXT_RULES)


@pytest.mark.parametrize(
    ("text", "credit"),
    [("19.5", 1.0), ("20", 1.0), ("19", 1.0), ("20,0 °C", 1.0), ("20.1", 0.0), ("18 or 19", 0.0)],
)
def test_a_number_within_the_items_tolerance_is_right(text: str, credit: float) -> None:
    plain = item("number", ("19,5",))
    tolerant = replace(plain, labels={**plain.labels, "scoring_tolerance": "0,5"})
    assert judge_reply(question_about(tolerant, ""), text, "ok").correct == credit
    assert judge_reply(question_about(plain, ""), text, "ok").correct == float(text == "19.5")


def test_a_tolerance_that_is_no_number_is_named() -> None:
    odd = replace(item("number", ("4",)), labels={
        "scoring_rule": "number", "scoring_tolerance": "a bit",
    })  # fmt: skip
    with pytest.raises(ParameterError, match="'scoring_tolerance' is 'a bit'; write a number"):
        judge_reply(question_about(odd, ""), "4", "ok")
