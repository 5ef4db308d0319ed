"""Output formats render what they read, and are stored as JSON."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gfactor.items import Answer, OutputFormat, answer_from_json, answer_to_json

COUNT = OutputFormat("value", labels=("COUNT",))
PAIR = OutputFormat("tuple", labels=("ABOVE", "BELOW"))
WORDS = OutputFormat("list", labels=("SHAPES",), atom="word", vocabulary=("circle", "square"),
                     separator=",")  # fmt: skip
CELLS = OutputFormat("set", atom="cell")
CELL = OutputFormat("tuple", atom="cell", none="None")
FORMATS = {"count": COUNT, "pair": PAIR, "words": WORDS, "cells": CELLS, "cell": CELL}

numbers = st.integers(0, 99)
cell = st.tuples(numbers, numbers)
answers: dict[str, st.SearchStrategy[Answer]] = {
    "count": numbers,
    "pair": cell,
    "words": st.lists(st.sampled_from(WORDS.vocabulary), min_size=1).map(tuple),
    "cells": st.frozensets(cell, min_size=1),
    "cell": cell,
}
cases = st.sampled_from(sorted(FORMATS)).flatmap(lambda n: st.tuples(st.just(n), answers[n]))


@given(cases)
def test_a_rendered_answer_matches_the_strict_pattern(case: tuple[str, Answer]) -> None:
    name, answer = case
    fmt = FORMATS[name]
    assert fmt.pattern.fullmatch(fmt.render(answer))


@pytest.mark.thorough
@given(cases)
def test_an_answer_survives_json(case: tuple[str, Answer]) -> None:
    name, answer = case
    kind = FORMATS[name].answer_type
    assert answer_from_json(answer_to_json(answer), kind) == answer


@pytest.mark.parametrize("fmt", FORMATS.values(), ids=FORMATS.keys())
def test_a_format_survives_json(fmt: OutputFormat) -> None:
    assert OutputFormat.from_json(fmt.to_json()) == fmt


def test_lines_are_written_as_the_prompts_show_them() -> None:
    assert COUNT.render(3) == "COUNT:3"
    assert PAIR.render((4, 0)) == "ABOVE:4 BELOW:0"
    assert WORDS.render(("circle", "square")) == "SHAPES: circle, square"
    assert CELLS.render(frozenset({(2, 1), (1, 2)})) == "(1,2) (2,1)"
    assert CELL.render(None) == "None"
    assert CELL.render((0, 3)) == "(0,3)"


@pytest.mark.parametrize(
    ("fmt", "line"),
    [
        (COUNT, "COUNT:three"), (COUNT, "Count:3"), (COUNT, "COUNT:3."), (COUNT, "3"),
        (PAIR, "BELOW:1 ABOVE:2"), (PAIR, "ABOVE:1"), (WORDS, "SHAPES: circle, hexagon"),
        (WORDS, "SHAPES: circle square"), (CELLS, "1,2"), (CELL, "none"),
    ],
)  # fmt: skip
def test_what_departs_from_the_format_does_not_match(fmt: OutputFormat, line: str) -> None:
    assert fmt.pattern.fullmatch(line) is None


def test_a_list_of_fixed_length_needs_all_its_parts() -> None:
    fmt = OutputFormat("list", labels=("ANSWER",), atom="word", vocabulary=("yes", "no"),
                       separator=",", length=3)  # fmt: skip
    assert fmt.pattern.fullmatch("ANSWER: yes, no,YES")
    assert not fmt.pattern.fullmatch("ANSWER: yes, no")
    assert not fmt.pattern.fullmatch("ANSWER: yes, no, no, no")


def test_an_unknown_field_or_answer_type_is_refused() -> None:
    with pytest.raises(ValueError, match="not an output format"):
        OutputFormat.from_json('{"answer_type":"value","colour":1}')
    with pytest.raises(ValueError, match="unknown answer type"):
        OutputFormat.from_json('{"answer_type":"essay"}')
