"""Where a label is a label: case, brackets, circles, squares, quotes and dashes."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.closing import _alone
from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.options import OptionTexts

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}


@pytest.mark.parametrize("written", ["(b)", "[b]", "b."])
def test_a_label_in_lower_case_counts_in_brackets_or_at_the_end(written: str) -> None:
    assert extract(f"the answer is {written}", "choice", OPTIONS).answer == "B"
    assert not extract(f"the thing {written[:2]} is nice to see", "choice", OPTIONS).has_answer


@pytest.mark.thorough
@pytest.mark.parametrize("first", ["🄰", "🅐", "🅰", "🇦", "Ⓐ", "ⓐ", "⒜"])
def test_every_letter_in_a_circle_or_a_square_is_that_label(first: str) -> None:
    labels = [chr(ord("A") + k) for k in range(26)]
    read = [
        extract(f"The answer is {chr(ord(first) + k)}.", "choice", labels).answer for k in range(26)
    ]
    assert read == labels


def test_quotes_brackets_and_dashes_of_all_kinds_are_read() -> None:
    pairs = "“”„‟「」『』《》〈〉«»‘’‚‛【】〔〕〖〗"
    for left, right in zip(pairs[::2], pairs[1::2], strict=True):
        assert extract(f"{left}B{right}", "choice", OPTIONS).answer == "B", left
    for dash in "‐‑‒−-":
        assert extract(f"{dash} B", "choice", OPTIONS).answer == "B", dash


@pytest.mark.parametrize(
    ("body", "predicate", "labels"),
    [
        ("The best match is (B)", "(B", "B"),
        ("The best match is (B)", "(B)", "B"),
        ("The best match is (B) here", "(B", "B"),
        ("The best match is B.", "B", "B"),
        ("The best match is (B) here", "B", ""),
        ("The best match is (B", "(B", ""),
    ],
)
def test_a_bracket_closes_behind_the_label_that_ends_a_sentence(
    body: str, predicate: str, labels: str
) -> None:
    task = ReadingTask(Grammar(tuple(OPTIONS)), OptionTexts(OPTIONS), many=False)
    found = _alone(predicate, "the best matching object", body, body.index(predicate), task)
    assert found == frozenset(labels)
