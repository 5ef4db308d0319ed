"""Where a rule of reading begins and ends: places, lists, long replies, verdicts beside labels."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.candidates import Task
from gfactor.scoring.extraction.closing import _alone
from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.lines import find_lines
from gfactor.scoring.extraction.option_by_option import _concludes
from gfactor.scoring.extraction.options import OptionTexts
from gfactor.scoring.extraction.passage import fold
from gfactor.scoring.extraction.verdicts import find_verdicts

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}
NUMBERS = {"A": "12000", "B": "1500", "C": "123456", "D": "7"}
TWENTY = "ABCDEFGHIJKLMNOPQRST"


@pytest.mark.parametrize("place", range(20))
def test_a_circled_number_is_the_option_in_that_place(place: int) -> None:
    reply = f"The answer is {chr(ord('①') + place)}."
    assert extract(reply, "choice", TWENTY).answer == TWENTY[place]
    assert extract(reply, "choice", TWENTY[:place] or "A").answer == ("A" if not place else None)
    if place < 10:
        filled = f"The answer is {chr(ord('❶') + place)}."
        assert extract(filled, "choice", TWENTY).answer == TWENTY[place]


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("第一个选项", "A"),
        ("第二个选项正确。", "B"),
        ("我选第三个选项。", "C"),
        ("第四个", "D"),
        ("选第3个选项", "C"),
        ("第五个选项", None),
        ("The third option.", "C"),
        ("I choose the second option.", "B"),
    ],
)
def test_an_ordinal_number_is_the_option_in_that_place(reply: str, answer: str | None) -> None:
    assert extract(reply, "choice", OPTIONS).answer == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("It must be 12,000.", "A"),
        ("I count 1,500 here.", "B"),
        ("It is 123,456 in all, I count.", "C"),
        ("We see 12000 of them.", "A"),
        ("There are 7 of them.", "D"),
        ("There are 120,00 of them.", None),
        ("There are 17 of them.", None),
    ],
)
def test_thousands_may_be_grouped_in_threes(reply: str, answer: str | None) -> None:
    assert extract(reply, "choice", NUMBERS).answer == answer


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("the pattern is hard to see " * 3, "nothing"),
        ("x" * 300, "nothing"),
        ("x" * 301, "truncated"),
        ("x" * 300 + ".", "nothing"),
        ("the pattern is hard to see. " * 20, "nothing"),
        ("The picture shows (", "truncated"),
    ],
)
def test_a_long_reply_without_an_end_is_cut_off_and_a_short_one_is_not(
    text: str, reason: str
) -> None:
    assert extract(text, "choice", OPTIONS).rule == reason


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("A ✗ B ✓", "B"),
        ("A✓ B✗ C✗", "A"),
        ("(A)✗ (B)✓", "B"),
        ("A: O, B: X, C: X", "A"),
        ("A (correct), B (incorrect)", "A"),
        ("A) no\nB) no\nC) yes", "C"),
        ("A ✓, B ✓, C ✗", None),
        ("A ✗, B ✗", None),
    ],
)
def test_labels_with_a_verdict_each_name_the_one_that_is_right(
    reply: str, answer: str | None
) -> None:
    assert extract(reply, "choice", OPTIONS).answer == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Options:\nA) the red kite\nB) the blue drum", None),
        ("Options:\nC) the green bell", "C"),
        ("Let us see:\nA", None),
        ("Let us see:\nB", "B"),
        ("The answer:\nA", "A"),
        ("First B.\nThen A.", None),
        ("A: no\nB: yes\n\nB", "B"),
        ("B. It flies.\nA. It does not.", None),
        ("(B) It flies.", "B"),
        ("A\nB\nC", None),
    ],
)
def test_a_list_of_the_options_is_no_answer_and_one_line_is(reply: str, answer: str | None) -> None:
    assert extract(reply, "choice", OPTIONS).answer == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Only B is left.", "B"),
        ("Only B remains possible.", "B"),
        ("Only B is left, and that is wrong.", None),
        ("Only A and C are left.", None),
        ("Only E is left.", None),
        ("Is only B left?", None),
    ],
)
def test_the_only_option_left_is_the_answer(reply: str, answer: str | None) -> None:
    assert extract(reply, "choice", OPTIONS).answer == answer


@pytest.mark.parametrize("written", ["(b)", "[b]", "b."])
def test_a_label_in_lower_case_counts_in_brackets_or_at_the_end(written: str) -> None:
    assert extract(f"the answer is {written}", "choice", OPTIONS).answer == "B"
    assert not extract(f"the thing {written[:2]} is nice to see", "choice", OPTIONS).has_answer


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


@pytest.mark.parametrize("reply", ["Not B.", "Rule out B. It is C.", "It is not B."])
def test_a_word_that_rejects_may_begin_the_reply(reply: str) -> None:
    task = Task(Grammar(tuple(OPTIONS)), OptionTexts(OPTIONS), many=False)
    assert find_verdicts(reply, task).wrong == {"B": reply.index("B")}


def test_of_a_long_reply_the_head_and_the_tail_are_read() -> None:
    whole = "h" * 20_000 + "t" * 60_000
    assert fold(whole).text == whole
    cut = fold("h" * 20_000 + "middle" + "t" * 60_000)
    assert cut.text == "h" * 20_000 + "\n" + "t" * 60_000
    assert cut.span(19_999, 20_002) == (19_999, 20_007)
    assert fold(whole + "t").text == "h" * 20_000 + "\n" + "t" * 60_000


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ("The correct options are:\nA. the red kite\nC. the green bell", "AC"),
        ("My choice is:\n(A) the red kite\n(C) the green bell\n\nThanks.", "AC"),
        ("The answers are\nA) the red kite\nC) the green bell\n\nB is wrong", "AC"),
        ("I would select\nA: the red kite\nD: the yellow leaf", "AD"),
    ],
)
def test_options_on_the_lines_below_an_announcement_are_one_answer(reply: str, labels: str) -> None:
    found = extract(reply, "choices", OPTIONS)
    assert (found.answer, found.rule) == (frozenset(labels), "announcement")
    assert extract(reply, "choice", OPTIONS).answer != frozenset(labels)


@pytest.mark.parametrize("prose", [30, 57, 120])
def test_a_list_at_the_end_of_many_lines_is_a_list_and_its_last_line_the_answer(prose: int) -> None:
    """Of a long reply the first and the last 60 lines are looked at, none of them twice."""
    task = Task(Grammar(tuple(OPTIONS)), OptionTexts(OPTIONS), many=False)
    listed = ["A) the red kite", "B) the blue drum", "C) the green bell"]
    text = "\n".join([f"We look at part {k} of it here" for k in range(prose)] + listed)
    (claim,) = find_lines(f"{text}\nB) the blue drum", task)
    assert (claim.value.labels, claim.rule) == (frozenset("B"), "last line")
    assert find_lines(text, task) == []


@pytest.mark.parametrize(
    ("sentence", "concludes"),
    [
        ("So it must be B.", True),
        ("Therefore the blue drum fits.", True),
        ("Therefore (B) the blue drum fits.", True),
        ("Therefore nothing fits.", False),
        ("B is a drum.", False),
    ],
)
def test_a_conclusion_names_an_option_by_its_label_or_its_text(
    sentence: str, concludes: bool
) -> None:
    task = Task(Grammar(tuple(OPTIONS)), OptionTexts(OPTIONS), many=False)
    assert _concludes(sentence, 0, len(sentence), task) is concludes


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
    task = Task(Grammar(tuple(OPTIONS)), OptionTexts(OPTIONS), many=False)
    found = _alone(predicate, "the best matching object", body, body.index(predicate), task)
    assert found == frozenset(labels)


def test_a_letter_and_up_to_four_marks_on_it_are_one_character() -> None:
    assert extract("La re\u0301ponse est B", "choice", OPTIONS).answer == "B"
    assert extract("The word is cafe\u0301", "blanks").answer == ("café",)
    for marks, starts in ((1, [0, 0, 2]), (4, [0, 0, 0, 0, 0, 5]), (5, [0, 0, 0, 0, 0, 5, 6])):
        folded = fold("x" + "\u0301\u0302\u0303\u0304\u0305"[:marks] + "y")
        assert [folded.span(k, k + 1)[0] for k in range(len(folded.text))] == starts
