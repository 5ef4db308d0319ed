"""Strict reading is the benchmark's rule; lenient reading contains it and never guesses."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gfactor.items import Answer, OutputFormat
from gfactor.scoring import Extraction, lenient, strict
from gfactor.scoring.extraction.cleaning import cleaned
from gfactor.scoring.extraction.lexicons import lexicon

F = OutputFormat
COLORS = ("black", "gray", "skyblue", "blue", "fuchsia", "turquoise")
FORMATS = {
    "count": F("value", ("COUNT",)),
    "yes": F("value", (), "word", ("YES", "NO")),
    "cell": F("tuple", (), "cell", none="None"),
    "value cell": F("value", (), "cell", none="None"),
    "above": F("tuple", ("ABOVE", "BELOW")),
    "kinds": F("tuple", ("CIRCLES", "TRIANGLES", "SQUARES")),
    "order": F("list", (), "integer"),
    "sizes": F("list", ("ANSWER",), "word", ("Blue", "Green")),
    "shapes": F("list", ("SHAPES",), "word", ("circle", "square", "triangle"), ","),
    "layers": F("list", ("SHAPES",), "word", ("diamond", "hexagon", "octagon"), ","),
    "present": F("list", ("ANSWER",), "word", ("yes", "no"), ",", length=3),
    "path": F("list", (), "token", ("S", "E"), ","),
    "cells": F("set", (), "cell"),
    "numbers": F("set", ("CIRCLES",), "integer", separator=",", none="NONE"),
    "colors": F("set", (), "word", COLORS, ","),
}

_number = st.integers(0, 999)
_cell = st.tuples(st.integers(0, 30), st.integers(0, 30))


def answers_of(fmt: OutputFormat) -> st.SearchStrategy[Answer | None]:
    """Every answer that a format can render."""
    word = st.sampled_from(fmt.vocabulary or ("-",))
    atom: st.SearchStrategy[int | str | tuple[int, int]] = {
        "integer": _number, "word": word, "cell": _cell, "token": st.one_of(_number, word),
    }[fmt.atom]  # fmt: skip
    some = st.lists(atom, min_size=fmt.length or 1, max_size=fmt.length or 20)
    made: st.SearchStrategy[Answer | None] = {
        "value": atom,
        "tuple": st.tuples(*[atom] * len(fmt.labels)) if len(fmt.labels) > 1 else atom,
        "list": some.map(tuple),
        "set": some.map(frozenset),
    }[fmt.answer_type]  # fmt: skip
    return st.one_of(st.none(), made) if fmt.none else made


rendered = st.sampled_from(sorted(FORMATS)).flatmap(
    lambda name: answers_of(FORMATS[name]).map(lambda answer: (FORMATS[name], answer))
)
_prose = st.text(max_size=60)
_spaces = st.sampled_from(["", " ", "  ", "\t", "\r"])


@given(rendered)
def test_what_a_format_renders_is_read_back(case: tuple[OutputFormat, Answer | None]) -> None:
    fmt, answer = case
    read = strict(fmt.render(answer), fmt)
    assert (read.has_answer, read.answer, read.stage) == (True, answer, "strict")


@pytest.mark.thorough
@given(rendered, _prose, _spaces, _spaces)
def test_prose_before_and_spaces_around_the_line_change_nothing(
    case: tuple[OutputFormat, Answer | None], prose: str, left: str, right: str
) -> None:
    fmt, answer = case
    reply = f"{prose}\n{left}{fmt.render(answer)}{right}\n"
    read = strict(reply, fmt)
    assert (read.has_answer, read.answer) == (True, answer)
    assert read.span is not None
    assert reply[slice(*read.span)].strip() == fmt.render(answer).strip()


@given(rendered, _prose, _prose)
def test_lenient_reading_is_strict_reading_wherever_that_finds_something(
    case: tuple[OutputFormat, Answer | None], before: str, after: str
) -> None:
    fmt, answer = case
    reply = f"{before}\n{fmt.render(answer)}\n{after}"
    assert strict(reply, fmt).has_answer
    assert lenient(reply, fmt) == strict(reply, fmt)


DRESSES = (
    *("**{}**", "`{}`", "```text\n{}\n```", "\\[\\boxed{{{}}}\\]", "{}.", '"{}"', "> {}"),
    *("<answer>{}</answer>", "\n\n{}\n\n"),
)


@pytest.mark.thorough
@given(rendered, st.sampled_from(DRESSES))
def test_dress_does_not_change_the_lenient_answer(
    case: tuple[OutputFormat, Answer | None], dress: str
) -> None:
    fmt, answer = case
    read = lenient(dress.format(fmt.render(answer)), fmt)
    assert (read.has_answer, read.answer) == (True, answer)


@given(st.sampled_from(sorted(FORMATS)), st.text())
@settings(max_examples=60)
def test_a_reply_without_any_atom_of_the_format_has_no_answer(name: str, text: str) -> None:
    fmt = FORMATS[name]
    meant = lexicon(fmt).suspect.search(cleaned(text, cells=fmt.atom == "cell"))
    assume(not meant and not re.search(r"\d|none", text, re.IGNORECASE))
    assert not lenient(text, fmt).has_answer


@given(st.text())
def test_cleaning_keeps_every_position(text: str) -> None:
    assert len(cleaned(text)) == len(cleaned(text, cells=True, numbered=True)) == len(text)


NO = "no answer"

CASES: list[tuple[str, str, object, object]] = [
    # format, reply, strict, lenient
    ("count", "COUNT:3", 3, 3),
    ("count", "COUNT: 3", 3, 3),
    ("count", "Let me see: COUNT:9\nCOUNT:3\nthat is all", 3, 3),
    ("count", "COUNT:4\nCOUNT:3", 3, NO),
    # Defects of published parsers: label-blind integers, the first number of the last line.
    ("count", "12 circles, COUNT:3", NO, 3),
    ("count", "I see 12 circles in the picture.", NO, 12),
    ("count", "Count: 3", NO, 3),
    ("count", "**COUNT:** 3", NO, 3),
    ("count", "**COUNT: 3**", 3, 3), ("count", "`COUNT:3`", 3, 3),
    ("count", "```\nCOUNT:3\n```", 3, 3), ("count", "**COUNT: 3** circles", NO, 3),
    ("count", "COUNT:3.", NO, 3),
    ("count", "COUNT=3", NO, 3),
    ("count", "COUNT:\n3", NO, 3),
    ("count", "COUNT: three", NO, 3),
    ("count", "COUNT: twenty-one", NO, 21),
    ("count", "COUNT: 3 (three)", NO, 3),
    ("count", "COUNT: 3 circles", NO, 3),
    ("count", '```json\n{"count": 3}\n```', NO, 3),
    ("count", "So we get $\\boxed{3}$", NO, 3),
    ("count", "The answer is 3.", NO, 3),
    ("count", "The count is 3.", NO, 3),
    ("count", "It works out.\n\n3", NO, 3),
    ("count", "ＣＯＵＮＴ：３", NO, 3),
    ("count", "COUNT: 3 or 4", NO, NO),
    ("count", "COUNT: 3-4", NO, NO),
    ("count", "COUNT: 3/4", NO, NO),
    ("count", "COUNT: 2 + 1 = 3", NO, NO),
    ("count", "COUNT: 3.5", NO, NO),
    ("count", "COUNT: -3", NO, NO),
    ("count", "COUNT: 30%", NO, NO),
    ("count", "COUNT: 3?", NO, NO),
    ("count", "COUNT: about 3", NO, NO),
    ("count", "COUNT: 3\nNo wait, COUNT: unclear", 3, 3),
    ("count", "COUNT: 3 then. But in truth COUNT: unclear", NO, NO),
    ("count", "COUNT:" + "9" * 5000, NO, NO),
    ("count", "", NO, NO),
    # 'no' inside words; the line before the last; a line of prose.
    ("yes", "YES", "YES", "YES"),
    ("yes", "yes", "YES", "YES"),
    ("yes", "I do not know", NO, NO),
    ("yes", "No triangle is next to it.\nYES", "YES", "YES"),
    ("yes", "Yes.", NO, "YES"),
    ("yes", "**No**", "NO", "NO"),
    ("yes", "Final answer: No", NO, "NO"),
    ("yes", "The answer is yes or no.", NO, NO),
    ("yes", "Yes, but then again no.", NO, NO),
    # Cells with a space, square brackets, none in another spelling.
    ("cell", "(1,2)", (1, 2), (1, 2)),
    ("cell", "(1, 2)", (1, 2), (1, 2)),
    ("cell", "[1, 2]", NO, (1, 2)),
    ("cell", "1, 2", NO, (1, 2)),
    ("cell", "Answer: (1, 2).", NO, (1, 2)),
    ("cell", "(1,2) or (2,2)", NO, NO),
    ("cell", "None", None, None),
    ("cell", "none.", NO, None),
    ("cell", "Answer: **None**", NO, None),
    ("cell", "None of the cells but (1,2)", NO, NO),
    ("cells", "(1,2) (2,1)", frozenset({(1, 2), (2, 1)}), frozenset({(1, 2), (2, 1)})),
    ("cells", "(1, 2)  (2, 1)", frozenset({(1, 2), (2, 1)}), frozenset({(1, 2), (2, 1)})),
    ("cells", "(1,2), (2,1)", NO, frozenset({(1, 2), (2, 1)})),
    ("cells", "{(1,2),(2,1)}", NO, frozenset({(1, 2), (2, 1)})),
    ("cells", "[[1,2],[2,1]]", NO, frozenset({(1, 2), (2, 1)})),
    ("cells", "(1,2) and (2,1).", NO, frozenset({(1, 2), (2, 1)})),
    ("cells", "(1,2) is left of (2,1)", NO, NO),
    # First hit instead of the last, labels in another order, over several lines.
    ("above", "ABOVE:3 BELOW:4", (3, 4), (3, 4)),
    ("above", "ABOVE:1 BELOW:1 at first\nABOVE:3 BELOW:4", (3, 4), (3, 4)),
    ("above", "BELOW: 4 ABOVE: 3", NO, (3, 4)),
    ("above", "Above: 3\nBelow: 4", NO, (3, 4)),
    ("above", "ABOVE: 3 circles, BELOW: 4 circles", NO, (3, 4)),
    ("above", "3 and 4", NO, (3, 4)),
    ("above", "ABOVE: 3", NO, NO),
    ("above", "ABOVE: 3 ABOVE: 4", NO, NO),
    ("above", "ABOVE: 2 of 3 BELOW: 4", NO, NO),
    ("kinds", "Circles: 2, Triangles: 0, Squares: 1", NO, (2, 0, 1)),
    ("kinds", "CIRCLE: 2 TRIANGLE: 0 SQUARE: 1", NO, (2, 0, 1)),
    # One list parser took the first line, the other the last; both refused commas.
    ("order", "3 1 2", (3, 1, 2), (3, 1, 2)),
    ("order", "From short to long:\n3 1 2", (3, 1, 2), (3, 1, 2)),
    ("order", "3, 1, 2", NO, (3, 1, 2)),
    ("order", "3 < 1 < 2", NO, (3, 1, 2)),
    ("order", "[3, 1, 2]", NO, (3, 1, 2)),
    ("order", "3,\n1,\n2", (2,), (2,)),
    ("order", "1. 3\n2. 1\n3. 2", NO, NO),
    ("order", "- 3\n- 1\n- 2", NO, NO),
    ("order", "1-3", NO, NO),
    # Empty tokens, punctuation, plurals, words run together, prose that holds the words.
    ("sizes", "ANSWER: Blue Green", ("Blue", "Green"), ("Blue", "Green")),
    ("sizes", "ANSWER : blue, green", NO, ("Blue", "Green")),
    ("sizes", "The blue one is smaller than the green one.", NO, NO),
    ("sizes", "ANSWER: Blue Green (blue is larger first)", NO, NO),
    ("shapes", "SHAPES: circle, square.", NO, ("circle", "square")),
    ("shapes", "SHAPES : Circles, *Square*, and Triangle", NO, ("circle", "square", "triangle")),
    ("shapes", "SHAPES: circle,square", ("circle", "square"), ("circle", "square")),
    ("shapes", "SHAPES: circle → square", NO, ("circle", "square")),
    ("shapes", "SHAPES:\n1. circle\n2. square", NO, ("circle", "square")),
    ("shapes", "SHAPES:\n- circle\n- rectangle", NO, ("circle", "square")),
    ("shapes", "SHAPES: circle,\nsquare", NO, ("circle", "square")),
    ("shapes", "SHAPES: circle", ("circle",), ("circle",)),
    ("shapes", "SHAPES: circle, star", NO, NO),
    ("shapes", "SHAPES: circle, a square", NO, NO),
    ("shapes", "circle, square,\ntriangle", NO, NO),
    ("shapes", "circle\nsquare\ntriangle", NO, ("circle", "square", "triangle")),
    ("shapes", "SHAPES: semicircle", NO, NO),
    ("layers", "SHAPES: rhombus, octagon", NO, ("diamond", "octagon")),
    ("layers", "SHAPES: square, octagon", NO, NO),
    ("present", "ANSWER: yes, no, YES", ("yes", "no", "yes"), ("yes", "no", "yes")),
    ("present", "ANSWER: yes no yes", NO, ("yes", "no", "yes")),
    ("present", "ANSWER: yes, no", NO, NO),
    ("path", "S,2,E", ("S", 2, "E"), ("S", 2, "E")),
    ("path", "S -> 2 -> E", NO, ("S", 2, "E")),
    ("path", "$S \\rightarrow 2 \\to E$", NO, ("S", 2, "E")),
    ("path", "We go S,2,E and arrive.", NO, NO),
    ("numbers", "CIRCLES:1, 4,2", frozenset({1, 2, 4}), frozenset({1, 2, 4})),
    ("numbers", "CIRCLES: 1 4 2", NO, frozenset({1, 2, 4})),
    ("numbers", "Circles: {1, 2}", NO, frozenset({1, 2})),
    ("numbers", "CIRCLES:1,1", frozenset({1}), frozenset({1})),
    ("numbers", "CIRCLES: none", NO, None),
    # Synonyms, but only where one word of the vocabulary can be meant; words outside it.
    ("colors", "sky blue, grey", NO, frozenset({"skyblue", "gray"})),
    ("colors", "magenta and aqua", NO, frozenset({"fuchsia", "turquoise"})),
    ("colors", "black, tan", NO, NO),
    ("colors", "light blue, black", NO, NO),
    ("colors", "{black,blue}", NO, frozenset({"black", "blue"})),
]  # fmt: skip


def said(read: Extraction) -> object:
    return read.answer if read.has_answer else NO


@pytest.mark.parametrize(("name", "reply", "exact", "free"), CASES)
def test_a_reply_is_read_as_a_careful_person_would(
    name: str, reply: str, exact: object, free: object
) -> None:
    assert said(strict(reply, FORMATS[name])) == exact
    assert said(lenient(reply, FORMATS[name])) == free


def test_a_word_for_none_is_an_answer_and_no_answer_is_not() -> None:
    none, nothing = strict("None", FORMATS["cell"]), strict("I pass", FORMATS["cell"])
    assert (none.answer, none.has_answer) == (None, True)
    assert (nothing.answer, nothing.has_answer, nothing.stage) == (None, False, "none")


def test_the_rule_and_the_span_that_decided_are_told() -> None:
    reply = "I looked twice.\n**Count:** 3 circles"
    read = lenient(reply, FORMATS["count"])
    assert (read.stage, read.rule) == ("lenient", "label")
    assert read.span is not None
    assert reply[slice(*read.span)].strip(" *") == "3"


def test_a_synonym_that_two_words_could_mean_is_not_used() -> None:
    both = OutputFormat("value", (), "word", ("cyan", "turquoise"))
    assert not lenient("aqua", both).has_answer
    assert lenient("Cyan!", both).answer == "cyan"


@pytest.mark.thorough
def test_a_huge_reply_is_read_quickly_from_its_end() -> None:
    reply = "word " * 2_000_000 + "\nCount: 3"
    assert lenient(reply, FORMATS["count"]).answer == 3


def test_a_list_with_a_line_for_each_part_is_read_as_a_whole() -> None:
    """Cells may stand in square brackets, words behind numbers; the last line alone is one part."""
    cells = OutputFormat("set", atom="cell", none="None")
    for reply in ("(1,2)\n(3,4)", "[1,2]\n(3,4)", "[1,2]\n[3,4]", "The cells are:\n[1,2]\n[3,4]"):
        assert lenient(reply, cells).answer == frozenset({(1, 2), (3, 4)}), reply
    words = OutputFormat("list", atom="word", vocabulary=("red", "blue", "green"))
    for reply in ("red\nblue", "1. red\n2. blue", "The colors are:\n1) red\n2) blue"):
        assert lenient(reply, words).answer == ("red", "blue"), reply
    assert not lenient("These are missing:\nred\nblue", words).has_answer
