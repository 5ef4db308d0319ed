"""Sentences that state the answer of a formatted item: sets of words, and counts after counting."""

from __future__ import annotations

from typing import Any

import pytest

from gfactor.items import OutputFormat
from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.cases import format_from
from gfactor.scoring.extraction.statements import stated

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


@pytest.mark.parametrize(
    ("kind", "atom", "said"),
    [("set", "word", ("RED", "BLUE")), ("list", "word", None), ("tuple", "word", None)],
)
def test_a_sentence_states_the_members_of_sets_of_words_alone(
    kind: Any, atom: Any, said: Any
) -> None:
    words = OutputFormat(kind, atom=atom, vocabulary=("RED", "BLUE", "GREEN"))
    assert stated("The colors are red and blue.", words) == said
    numbers = OutputFormat("set", atom="integer")
    assert stated("The colors are 1 and 2.", numbers) is None


LABELED_COUNT = OutputFormat("value", labels=("COUNT",))


@pytest.mark.parametrize(
    ("reply", "count"),
    [
        ("左边4个，右边3个，共7个。", 7),
        ("4 + 3 + 5 = 12", 12),
        ("Hay ocho cuadrados en la imagen.", 8),
        ("모두 10개 있습니다.", 10),
        ("一共有十二个圆。", 12),
        ("모두 여섯 개이다.", 6),
        ("左边4个，右边3个，可能共7个。", None),
        ("Il y a deux rangées de cercles.", None),
        ("Hay ocho cuadrados o nueve.", None),
        ("총 2개의 그림이 있다", None),
    ],
)
def test_a_sentence_that_counts_is_read_in_other_languages(reply: str, count: int | None) -> None:
    assert extract(reply, "value", output_format=LABELED_COUNT).answer == count


@pytest.mark.parametrize(
    ("reply", "count"),
    [
        ("I think it is 5.", 5),
        ("It's 7", 7),
        ("Counting row by row.\nIt is 12.", 12),
        ("5 circles", 5),
        ("**5** red circles.", 5),
        ("Three stars!", 3),
    ],
)
def test_a_count_is_read_in_a_reply_that_says_nothing_else(reply: str, count: int) -> None:
    assert extract(reply, "value", output_format=COUNT).answer == count


@pytest.mark.parametrize(
    "reply",
    [
        "It is 5 or 6.",
        "I think it is not 5.",
        "It is hard to tell, 5 overlap.",
        "Is it 5?",
        "5 of 8 circles",
        "5 more circles",
        "5-6 circles",
        "2 + 3 circles",
        "5 red circles and 3 blue ones",
        "5 red circles\n3 blue circles",
        "5 circles?",
        "5 times",
    ],
)
def test_a_number_that_may_be_a_part_of_the_count_is_not_read(reply: str) -> None:
    assert extract(reply, "value", output_format=COUNT).answer is None
