"""Thoughts in plain sentences before the last line change no reading, in any language."""

from __future__ import annotations

import random
import re
from dataclasses import fields

import pytest
from scoring.recorded_readings import HERE, replies, stems
from support.tiers import few

from gfactor.scoring.extraction import extract, read_whole_choice
from gfactor.scoring.extraction.language import Language
from gfactor.scoring.extraction.markers import each
from gfactor.scoring.extraction.thoughts import read_last_line

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "a sea lion"}
LAST = sorted(
    {
        reply.text
        for path in (HERE / "phrasings").iterdir()
        for reply in replies(path.stem)
        if reply.kind == "choice" and "\n" not in reply.text
    }
    | {"The answer is (B).", "Answer: C", "**D**", "So it is B.", "B", "Final answer: the red kite"}
)
WORDS = sorted(
    {
        word
        for field in fields(Language)
        if field.name != "spaced"
        for (text,) in each(field.name)
        for word in re.findall(r"(?<![\\\w])[a-z]{2,}", str(text))
    }
)
"""Words of all languages' expressions: the likeliest to be more than thoughts."""
PLAIN = re.findall(
    r"\w+", "circle figure left of right two count again small gray near square shade line"
)
THOUGHTS = (
    "There are two circles beside a square.\nThey look smaller than all lines above them.\n",
    "Der Kreis links scheint kleiner als der andere.\n\n",
    "Le cercle de gauche semble plus petit que le carre.\n",
    "El cuadrado de arriba parece mucho mayor que antes.\n",
)


def sentence(lot: random.Random, words: list[str]) -> str:
    """A sentence of five words or more, some with a comma or an article in it."""
    parts = [lot.choice(words) + lot.choice(["", "", "", ","]) for _ in range(lot.randint(5, 9))]
    if lot.random() < 0.2:
        parts[-1] = f"a {parts[-1]}"
    return " ".join(parts).rstrip(",").capitalize() + "."


def thoughts(lot: random.Random) -> str:
    """Thoughts of one to four lines."""
    words = PLAIN if lot.random() < 0.5 else [*PLAIN, *lot.choices(WORDS, k=8)]
    ends = [lot.choice(["\n", "\n", "\n\n", " "]) for _ in range(lot.randint(1, 4))]
    return "".join(sentence(lot, words) + end for end in [*ends[:-1], "\n"])


@pytest.mark.parametrize("seed", few(range(3), 1))
def test_readings_are_those_of_the_whole_reply(seed: int) -> None:
    lot = random.Random(seed)
    read = 0
    for _ in range(700):
        reply = thoughts(lot) + lot.choice(LAST)
        quick = read_last_line(reply, OPTIONS, read_whole_choice)
        if quick is not None:
            read += 1
            assert quick == read_whole_choice(reply, OPTIONS), reply
    assert read > 30


@pytest.mark.parametrize("one_in", [pytest.param(1, marks=pytest.mark.slow), 5])
def test_no_reply_of_the_corpora_is_read_otherwise(one_in: int) -> None:
    chosen = [r for stem in stems() for r in replies(stem) if r.kind == "choice"]
    for number, reply in enumerate(chosen[::one_in]):
        text = THOUGHTS[number % len(THOUGHTS)] + reply.text
        for whole in (reply.text, text):
            quick = read_last_line(whole, reply.options, read_whole_choice)
            assert quick is None or quick == read_whole_choice(whole, reply.options), whole


@pytest.mark.parametrize("before", THOUGHTS)
def test_plain_thoughts_are_not_searched(before: str) -> None:
    reply = f"{before}The answer is (B)."
    read = read_last_line(reply, OPTIONS, read_whole_choice)
    assert read is not None
    assert read.answer == "B"
    assert read == extract(reply, "choice", OPTIONS)


@pytest.mark.parametrize(
    "before",
    [
        "It looks like the blue drum at first.\n",
        "The answer to this is not easy to see.\n",
        "Clearly the second option is right here again.\n",
        "Let us look at each of them in turn.\n",
        "A is the one that they all mean here.\n",
        "Uma figura que parece menor do que outra.\n",
        "Too short.\n",
        "There are 3 circles beside a large square.\n",
    ],
)
def test_thoughts_that_may_say_something_are_read(before: str) -> None:
    reply = f"{before}The answer is (C)."
    assert read_last_line(reply, OPTIONS, read_whole_choice) is None
    assert extract(reply, "choice", OPTIONS) == read_whole_choice(reply, OPTIONS)


def test_labels_of_other_kinds_and_opposite_options_are_read_in_full() -> None:
    reply = "There are two circles beside a square.\nThe answer is (B)."
    for options in ({"A": "true", "B": "false"}, {"1": "one", "2": "two"}, {"B": "only one"}):
        assert read_last_line(reply, options, read_whole_choice) is None
