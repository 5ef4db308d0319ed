"""The text that is read of a reply: its ends where it is long, marks joined to their letter."""

from __future__ import annotations

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.passage import fold

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}


def test_of_a_long_reply_the_head_and_the_tail_are_read() -> None:
    whole = "h" * 20_000 + "t" * 60_000
    assert fold(whole).text == whole
    cut = fold("h" * 20_000 + "middle" + "t" * 60_000)
    assert cut.text == "h" * 20_000 + "\n" + "t" * 60_000
    assert cut.span(19_999, 20_002) == (19_999, 20_007)
    assert fold(whole + "t").text == "h" * 20_000 + "\n" + "t" * 60_000


def test_a_letter_and_up_to_four_marks_on_it_are_one_character() -> None:
    assert extract("La re\u0301ponse est B", "choice", OPTIONS).answer == "B"
    assert extract("The word is cafe\u0301", "blanks").answer == ("café",)
    for marks, starts in ((1, [0, 0, 2]), (4, [0, 0, 0, 0, 0, 5]), (5, [0, 0, 0, 0, 0, 5, 6])):
        folded = fold("x" + "\u0301\u0302\u0303\u0304\u0305"[:marks] + "y")
        assert [folded.span(k, k + 1)[0] for k in range(len(folded.text))] == starts
