"""Blanks: one text each, one left open beside others, and what the texts earn."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.structured import in_order
from gfactor.scoring.rules import points

Texts = tuple[str | None, ...]


@pytest.mark.parametrize(
    ("reply", "texts"),
    [
        ("1. iron\n2. copper", ("iron", "copper")),
        ("1. iron\n2. ?", ("iron", None)),
        ("1. unknown\n2. copper", (None, "copper")),
        ("(1) 铁 (2) 不知道", ("铁", None)),
        ('{"answers": [null, "copper"]}', (None, "copper")),
        ("a) iron\nb) copper", ("iron", "copper")),
        ("First blank: iron\nSecond blank: copper", ("iron", "copper")),
        ("iron\n—", ("iron", None)),
        ("1. 10²\n2. CO₂", ("10²", "CO₂")),
        ("[iron, copper]", ("iron", "copper")),
        ("the second is copper, the first is iron", ("iron", "copper")),
    ],
)
def test_two_blanks_are_read_and_one_may_be_left_open(reply: str, texts: Texts) -> None:
    assert extract(reply, "blanks", blanks=2).answer == texts


@pytest.mark.parametrize(
    "reply",
    [
        *(
            "iron",
            "1. iron",
            "1. iron\n2.",
            "?\n?",
            "1. iron\n2. copper\n3. gold",
            "I don't know.",
            "",
        ),
        *("the first iron, the second copper", "[iron, copper, gold]"),
    ],
)
def test_where_the_number_of_texts_is_another_nothing_is_read(reply: str) -> None:
    assert not extract(reply, "blanks", blanks=2).has_answer


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('The missing word is "gravity".', "gravity"),
        ("The blank should be filled with gravity.", "gravity"),
        ("横线处应填“因为”。", "因为"),
        ("Le mot manquant est « liberté ».", "liberté"),
        ("La palabra que falta es libertad.", "libertad"),
        ("A palavra que falta é liberdade.", "liberdade"),
        ("빈칸에 들어갈 말은 '광합성'입니다.", "광합성"),
        ("The value of x is 7.", "7"),
        ("10²", "10²"),
    ],
)
def test_a_sentence_about_the_blank_gives_its_text(reply: str, text: str) -> None:
    assert extract(reply, "blanks", blanks=1).answer == (text,)


@pytest.mark.parametrize(
    ("answer", "earned"),
    [(("iron", None), 1), ((None, "copper"), 1), (("iron", "gold"), 1), ((None, None), 0)],
)
def test_a_blank_left_open_takes_nothing_from_the_others(answer: Texts, earned: int) -> None:
    got = points(answer, ("iron", "copper"), (), "blanks")  # pyright: ignore[reportArgumentType]
    assert (got.earned, got.possible, got.full) == (earned, 2, False)


def test_an_exponent_is_no_digit() -> None:
    for said, earned in (("10²", 1), ("10^2", 1), ("102", 0)):
        assert points((said,), ("10^2",), (), "blanks").earned == earned


@pytest.mark.parametrize(
    ("last", "read"),
    [
        ("salt", True),
        ("common table salt", True),
        ("salt from the sea", True),
        ("salt from the sea here", False),
        ("pepper", False),
        ("salt\nfrom the sea", False),
    ],
)
def test_a_last_paragraph_of_up_to_four_words_that_were_named_before_is_the_answer(
    last: str, read: bool
) -> None:
    story = "Sodium and chlorine react, which gives common table salt from the sea here.\n\n"
    found = extract(story + last, "blanks", blanks=1)
    assert (found.answer == (last,) and found.rule == "last line") is read


@pytest.mark.parametrize(
    ("keys", "order"),
    [
        (["blank 2", "blank 1"], [1, 0]), (["second", "first"], [1, 0]), (["x", "first"], [0, 1]),
        (["b1", "c1"], [0, 1]), (["10", "9"], [1, 0]), (["third", "1", "第二"], [1, 2, 0]),
    ],
)  # fmt: skip
def test_values_stand_in_the_order_of_their_keys(keys: list[str], order: list[int]) -> None:
    assert in_order({key: k for k, key in enumerate(keys)}) == order


@pytest.mark.parametrize(
    ("reply", "texts"),
    [
        ('The missing word in the sentence is "salt".', ("salt",)),
        ('A lacuna deve ser preenchida com a palavra "sal".', ("sal",)),
        ('El primer espacio se completa con "sal" y el segundo con "agua".', ("sal", "agua")),
        ('{"2": "salt", "1": "water"}', ("water", "salt")),
        ("(가) 12\n(나) 1/3", ("12", "1/3")),
        ("1.ª: agua\n2.ª: sal", ("agua", "sal")),
    ],
)
def test_blanks_are_read_in_sentences_and_by_their_keys(reply: str, texts: tuple[str, ...]) -> None:
    assert extract(reply, "blanks", blanks=len(texts)).answer == texts


@pytest.mark.parametrize(
    "reply",
    [
        'It contains the word "salt".',
        'The blank is not "salt".',
        'The missing word is "salt" or "iron".',
        'Is the missing word "salt"?',
    ],
)
def test_a_quoted_word_is_not_always_the_text_of_the_blank(reply: str) -> None:
    assert not extract(reply, "blanks").has_answer
