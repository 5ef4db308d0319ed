"""A `Noticer` tells just whether one of its expressions matches in a word of a text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.phrasings import collected_replies

from gfactor.scoring.extraction import noticing, scanning, thoughts
from gfactor.scoring.extraction.markers import (
    each_expression,
    each_phrase,
    expressions,
    phrases,
)
from gfactor.scoring.extraction.noticing import Noticer
from gfactor.scoring.extraction.options import option_texts

REPLIES = collected_replies()


def begins_in_a_word(noticer: Noticer, text: str, end: int) -> bool:
    """Try every part at every letter of the words that begin before `end`."""
    words = [m.span() for m in scanning.WORD.finditer(text) if m.start() < end]
    places = [at for start, stop in words for at in range(start, stop)]
    return any(part.match(text, at) for part in noticer.parts for at in places)


def test_a_match_that_begins_in_a_word_is_noticed_whatever_follows_the_word() -> None:
    noticer = thoughts._saying()
    results = set()
    for number, text in enumerate(REPLIES[::7]):
        low = scanning.lower_case(text)
        for end in (len(text), 1 + number % 12):
            found = noticer.begins_in(text, end)
            assert low is None or found == begins_in_a_word(noticer, text, end), (text, end)
            results.add(found)
    assert results == {True, False}


@given(st.lists(st.sampled_from(["the", "first", "is", "it", "a", "so", "we", "qua", "f", "s"])))
def test_a_short_word_is_looked_up_with_the_letters_behind_it(words: list[str]) -> None:
    noticer = thoughts._saying()
    for text in (" ".join(words), ", ".join(words), "\n".join(words)):
        assert noticer.begins_in(text, len(text)) == begins_in_a_word(noticer, text, len(text))


def test_only_so_many_openings_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticing, "_MOST_OPENINGS", 3)
    noticer = Noticer("the answer is", "therefore")
    text = "one two three four five six therefore seven"
    assert not noticer.begins_in(text, text.index("therefore"))
    assert noticer.begins_in(text, len(text))
    assert len(noticer._alternatives) <= 3
    assert noticer._idle <= noticer._alternatives.keys()


def test_a_word_that_reaches_over_the_end_is_looked_up_whole() -> None:
    noticer = Noticer(r"there\b")
    assert not noticer.begins_in("so therefore", 8)
    assert noticer.begins_in("so there it is", 8)
    assert noticer.begins_in("so there it is", 4)
    assert not noticer.begins_in("so there it is", 3)


def test_openings_without_a_part_are_looked_up_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    noticer = Noticer("the answer is", "therefore")
    text = "red circles and blue ones stand beside each other"
    assert not noticer.begins_in(text, len(text))
    monkeypatch.setattr(noticer, "_matches", lambda *_: pytest.fail("looked up again"))
    assert not noticer.begins_in(text + ", red ones", len(text))


def test_a_part_that_matches_behind_no_letter_is_not_tried_inside_a_word() -> None:
    apart, anywhere = r"(?i:(?<![A-Za-z\u00c0-\u024f])le roi)", "(?i:le roi)"
    assert not Noticer(apart)._alternatives_in("circle")
    assert Noticer(anywhere)._alternatives_in("circle")
    # A digit is no letter.
    assert Noticer(apart)._alternatives_in("7le ro")


def test_openings_of_the_same_letters_search_the_beginnings_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noticer, fits = Noticer("therefore", "so it is"), noticing._fits
    assert noticer._alternatives_in("therefore")
    compared: list[str] = []
    monkeypatch.setattr(noticing, "_fits", lambda *one: compared.append(one[1]) or fits(*one))
    assert noticer._alternatives_in("therefore")
    assert not compared


@pytest.mark.thorough
def test_every_alternative_is_a_part_of_its_own() -> None:
    """Two alternatives of a kind that begin alike are told apart by the letters behind."""
    saying = thoughts._saying()
    assert len(saying._alternatives_in("right ")) < len(saying.parts) / 20
    for kind in ("announce", "nth"):
        together = re.compile(phrases(kind) if kind == "announce" else f"(?i:{expressions(kind)})")
        apart = (each_phrase if kind == "announce" else each_expression)(kind)
        for reply in REPLIES[::11]:
            found = any(re.search(one, reply) for one in apart)
            assert found == bool(together.search(reply)), reply


@pytest.mark.parametrize(
    ("options", "text", "may"),
    [
        ({"A": "the blue drum", "B": "24 drums"}, "a blue mill and a drum", True),
        ({"A": "the blue drum", "B": "24 drums"}, "a red drum stands there", False),
        ({"A": "Blue", "B": "24"}, "nothing is said of numbers", True),
        ({"A": "x^2 plus", "B": "H2O"}, "it is x\u00b2", True),
    ],
)
def test_a_text_without_a_word_of_every_option_names_none(
    options: dict[str, str], text: str, may: bool
) -> None:
    texts = option_texts(tuple(options.items()))
    assert texts.may_stand_in(text) is may
    assert may or texts.anywhere is None or not texts.anywhere.search(text)
