"""One place says how each answer type is printed, read, compared and exported."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.exam import BLANKS, question
from support.studies import every_type_bank

from gfactor.items import ANSWER_TYPES as ALL_TYPES
from gfactor.items import Item, OutputFormat
from gfactor.scoring.questions import question_about
from gfactor.scoring.replies import read_reply
from gfactor.studies.answers import (
    ANSWER_TYPES,
    UnreadableError,
    exported,
    printed,
    read_answer,
    same_answer,
)

PRINTED = {
    "count": "8", "word": "pentagon", "pair": "(2, 3)", "order": "2, 3, 4, 1",
    "ticks": "circle, star", "cells": "(1, 2), (3, 4)", "labelled": "ABOVE: 1, BELOW: 12",
    "path": "S, 20, E", "each": "no, yes, no", "blanks": "3\nfour", "several": "A, C",
    "essay": "Because it is so.", "one": "B",
}  # fmt: skip


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Item]:
    return {item.id: item for item in every_type_bank(tmp_path_factory.mktemp("every"))}


def formatted(form: OutputFormat, target: Any) -> Item:
    return question("f", answer_type=form.answer_type, output_format=form, target=target,
                    choices=())  # fmt: skip


def test_every_answer_type_has_words_fields_and_a_hint() -> None:
    assert set(ANSWER_TYPES) == set(ALL_TYPES)
    for one in ANSWER_TYPES.values():
        assert one.words
        assert one.fields
        assert one.hint


def test_keys_are_printed_as_they_are_and_read_back(items: dict[str, Item]) -> None:
    assert {name: printed(item.target, item) for name, item in items.items()} == PRINTED
    for name, item in items.items():
        assert read_answer(PRINTED[name], item) == item.target


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("count", "COUNT:8"), ("count", " 8 "), ("word", "Pentagon"), ("pair", "2,3"),
        ("pair", "( 2 , 3 )"), ("order", "2 3 4 1"), ("order", "2; 3; 4; 1"),
        ("order", "2\n3\n4\n1"), ("ticks", "SHAPES: star, circle"), ("ticks", "star circle star"),
        ("cells", "(3,4) (1,2)"), ("labelled", "1, 12"), ("labelled", "ABOVE:1 BELOW:12"),
        ("labelled", "below: 12; above: 1"),
        ("path", "s,20,e"), ("each", "no yes no"), ("several", "CA"), ("several", "c, a"),
        ("one", "b"), ("one", "B."), ("blanks", "3\n\n four "), ("order", "２、3，4, 1"),
    ],
)  # fmt: skip
def test_usual_spellings_of_an_answer_are_the_same_answer(
    items: dict[str, Item], name: str, text: str
) -> None:
    item = items[name]
    assert same_answer(read_answer(text, item), item.target, item)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("count", "eight", "'eight' cannot stand in the answer: write a whole number"),
        ("count", "8 9", "has 2 parts, and the item asks for 1"),
        ("word", "hexagon", "write circle or pentagon"),
        ("pair", "two, three", "write \\(row, column\\)"), ("pair", "", "is empty"),
        ("order", "2, x", "'x' cannot stand"),
        ("each", "no, yes", "2 parts, and the item asks for 3"),
        ("labelled", "ABOVE: 1", "write ABOVE: ..., BELOW: ..."),
        ("one", "A, B", "names several options"), ("one", "E", "write A, B, C or D"),
        ("several", "dog", "names no option"), ("essay", "  ", "is empty"),
        ("path", "N", "write a whole number, S or E"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused_with_what_to_write(
    items: dict[str, Item], name: str, text: str, sentence: str
) -> None:
    with pytest.raises(UnreadableError, match=sentence):
        read_answer(text, items[name])


def test_none_is_an_answer_where_the_format_has_a_word_for_it(items: dict[str, Item]) -> None:
    assert printed(None, items["pair"]) == "None"
    assert read_answer("none", items["pair"]) is None
    assert printed(None, items["one"]) == ""


def test_answers_to_turns_keep_the_order_of_the_turns() -> None:
    item = formatted(OutputFormat("turns", ("ANSWER",), length=3), (12, 7, 9))
    assert printed(item.target, item) == "12, 7, 9"
    assert read_answer("12, 7, 9", item) == (12, 7, 9)
    assert not same_answer((7, 12, 9), item.target, item)
    with pytest.raises(UnreadableError, match="2 parts, and the item asks for 3"):
        read_answer("12, 7", item)


def test_an_open_answer_of_several_points_has_one_a_line() -> None:
    item = question("o", answer_type="open", target=("First.", "Second."), choices=())
    assert printed(item.target, item) == "First.\nSecond."
    assert read_answer("First.\nSecond.", item) == item.target


def test_order_counts_in_a_list_and_not_in_a_set(items: dict[str, Item]) -> None:
    assert not same_answer((1, 2, 3, 4), (2, 3, 4, 1), items["order"])
    assert same_answer(frozenset({(3, 4), (1, 2)}), items["cells"].target, items["cells"])
    assert same_answer(("C", "A"), ("A", "C"), items["several"])
    blanks = question("b", **{**BLANKS, "target": ("$H_2O$", "2")})
    assert same_answer(("H₂O", "2"), blanks.target, blanks)
    assert not same_answer(("H₂O",), blanks.target, blanks)
    assert not same_answer(None, 8, items["count"])


def test_what_is_exported_is_read_by_scoring_as_right(items: dict[str, Item]) -> None:
    for name, item in items.items():
        if name == "essay":
            continue  # scoring compares open answers in degrees
        asked = question_about(item, "default")
        read = read_reply(exported(item.target, item), "ok", asked).strict
        assert asked.points(read.answer).full, name


@given(st.lists(st.integers(0, 99), min_size=1, max_size=8))
def test_any_list_is_printed_in_its_order(parts: list[int]) -> None:
    item = formatted(OutputFormat("list"), tuple(parts))
    assert printed(item.target, item).split(", ") == [str(part) for part in parts]
    assert read_answer(printed(item.target, item), item) == tuple(parts)


@given(st.text(max_size=30))
def test_whatever_is_typed_is_an_answer_or_refused(text: str) -> None:
    for form in (
        OutputFormat("tuple", ("A", "B"), none="None"), OutputFormat("set", (), "cell"),
        OutputFormat("list", ("X",), "token", ("S",), ",", length=2),
    ):  # fmt: skip
        item = formatted(form, None)
        with suppress(UnreadableError):  # and no other error
            assert form.pattern.fullmatch(exported(read_answer(text, item), item))
