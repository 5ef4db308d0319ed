"""Sentences that state the answer of a formatted item: sets of words, and counts after counting."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.cases import format_from

COLORS = format_from("free list of colours on one line", "set")
COUNT = format_from("COUNT:x", "value")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (
            "The colours present in the picture are red, olive, purple and tan.",
            "red olive purple tan",
        ),
        ("The colors are red and blue.", "red blue"),
        ("The colors used in the image are Red, blue, and green", "red blue green"),
        ("I looked at each tile.\nThe only colors in the image are: teal, navy.", "teal navy"),
        ("The only color present is red.", "red"),
        ("The colors are red, olive & tan.", "red olive tan"),
        ("Les couleurs présentes sont red, blue et green.", "red blue green"),
        ("Los colores presentes son red, blue y green.", "red blue green"),
        ("As cores presentes são red, blue e green.", "red blue green"),
    ],
)
def test_a_sentence_that_ends_in_all_words_of_a_set_is_read(reply: str, words: str) -> None:
    found = extract(reply, "set", output_format=COLORS)
    assert found.answer == frozenset(words.split())
    assert found.rule == "statement"


@pytest.mark.parametrize(
    "reply",
    [
        "The missing colors are red and blue.",
        "The colors are not red and blue.",
        "Some of the colors are red and blue.",
        "The colors might be red and blue.",
        "The colors are red or blue.",
        "The colors in the top row are red and blue.",
        "The colors are red, blue and others.",
        "The colors are red, blue, maybe tan.",
        "The red shapes are blue and green.",
        "The colors include red and blue.",
        "The first two colors are red and blue.",
        "The colors are red, blue and",
        "Are the colors red and blue?",
        "The colors are bright.",
        "The colors other than white are red and blue.",
    ],
)
def test_a_part_of_a_set_a_denial_or_a_guess_is_not_read(reply: str) -> None:
    assert not extract(reply, "set", output_format=COLORS).has_answer


@pytest.mark.parametrize(
    ("reply", "count"),
    [
        ("Let me count: 1, 2, 3, 4, 5.\nThere are 5 circles in total.", 5),
        ("I count: 1, 2, 3.\nThere are 3 circles.", 3),
        ("Let's count: 1, 2, 3, 4.\n\nCOUNT: 4", 4),
        ("Let me count: one, two.\nIn total there are 2 of them.", 2),
        ("Final count: 7", 7),
        ("The count: 6", 6),
        ("Let me count: 1, 2, 3.", None),
        ("I will now count: 4 or 5.", None),
        ("To count: 1, 2, 3, 4", None),
    ],
)
def test_to_count_aloud_is_not_to_give_the_count(reply: str, count: int | None) -> None:
    assert extract(reply, "value", output_format=COUNT).answer == count
