"""Single rules of reading: what decides, what never does, and why nothing was found."""

from __future__ import annotations

import pytest

from gfactor.errors import ParameterError
from gfactor.items import OutputFormat
from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.cases import format_from

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("I'm sorry, I cannot see the image.", "refusal"),
        ("抱歉，我无法查看图片。", "refusal"),
        ("Je ne peux pas voir l'image, désolé.", "refusal"),
        ("Lo siento, no puedo ayudar con eso.", "refusal"),
        ("Desculpe, não consigo ver a imagem.", "refusal"),
        ("죄송하지만 답할 수 없습니다.", "refusal"),
        ("<think>The first row", "truncated"),
        ("The correct answer is", "truncated"),
        ("The answer is A or C.", "ambiguous"),
        ("The answer is B, the yellow leaf.", "contradiction"),
        ("Answer: A\nAnswer: C", "contradiction"),
        ("The answer is F.", "outside"),
        ("The answer is B. Wait, let me look again at the second row.", "retracted"),
        ("None of the options is correct.", "none"),
    ],
)
def test_a_reply_without_an_answer_says_why(reply: str, reason: str) -> None:
    found = extract(reply, "choice", OPTIONS)
    assert (found.answer, found.has_answer, found.rule) == (None, False, reason)


@pytest.mark.parametrize(
    ("reply", "part"),
    [
        ("<think>Perhaps A.</think>\nThe answer is **B**.", "B"),
        ("每一行都转动，所以答案是：Ｂ。", "Ｂ"),
        ("\x1b[1mAnswer:\x1b[0m \u200bB", "B"),
        ("Rows turn.\r\n\r\n\\boxed{\\text{B}}", "B"),
        ("It must be the blue drum.", "blue drum"),
    ],
)
def test_the_span_is_the_answer_in_the_untouched_reply(reply: str, part: str) -> None:
    found = extract(reply, "choice", OPTIONS)
    assert found.answer == "B"
    assert found.span is not None
    assert part.strip("*") in reply[slice(*found.span)]


def test_options_that_are_pictures_need_labels_alone() -> None:
    assert extract("The answer is F.", "choice", "ABCDEF").answer == "F"


def test_labels_may_be_numbers() -> None:
    options = {"1": "left", "2": "right"}
    assert extract("2", "choice", options).answer == "2"
    assert extract("The answer is 1.", "choice", options).answer == "1"


def test_an_option_text_shared_by_two_options_decides_nothing() -> None:
    assert not extract("a star", "choice", {"A": "a star", "B": "a star"}).has_answer


def test_circled_numbers_are_statements_where_options_name_them() -> None:
    options = {"A": "①②", "B": "①③", "C": "②③", "D": "①②③"}
    assert extract("①正确，③正确，故选B。", "choice", options).answer == "B"
    assert not extract("①", "choice", options).has_answer
    assert extract("정답은 ③입니다.", "choice", OPTIONS).answer == "C"


def test_several_labels_are_a_set_and_one_label_never_comes_of_several() -> None:
    assert extract("A, C", "choices", OPTIONS).answer == frozenset("AC")
    assert not extract("A, C", "choice", OPTIONS).has_answer


@pytest.mark.parametrize(
    ("text", "count"), [("x; y; z", 2), ("x", 2), ("1. x\n3. y", 2), ("((((((", 1)]
)
def test_blanks_are_all_found_or_none(text: str, count: int) -> None:
    assert not extract(text, "blanks", blanks=count).has_answer


@pytest.mark.parametrize(
    ("template", "answer_type", "reply", "answer"),
    [
        ("COUNT:x", "value", "I see three.\n**COUNT: 3**", 3),
        ("ABOVE:x BELOW:y", "tuple", "ABOVE:2 BELOW:5", (2, 5)),
        ("YES | NO (last line)", "value", "They touch.\nYES", "YES"),
        ("(row,column) (row,column) ... (last line)", "set", "(1,2) (3,4)", {(1, 2), (3, 4)}),
        ("3 1 2 (single line)", "list", "2 3 1", (2, 3, 1)),
        ("S,2,3,...,E (last line)", "list", "S, 4, 7, E", ("S", 4, 7, "E")),
    ],
)
def test_a_template_says_what_a_line_must_look_like(
    template: str, answer_type: str, reply: str, answer: object
) -> None:
    output_format = format_from(template, answer_type)
    assert extract(reply, answer_type, output_format=output_format).answer == answer


def test_a_format_may_be_given_by_its_fields() -> None:
    made = OutputFormat("tuple", labels=("NODES", "EDGES"))
    assert format_from(made.to_json(), "tuple") == made
    assert format_from({"labels": ["NODES", "EDGES"]}, "tuple") == made


def test_what_cannot_be_read_is_the_callers_mistake() -> None:
    for wrong in (("choice", {}), ("open", OPTIONS)):
        with pytest.raises(ParameterError):
            extract("B", wrong[0], wrong[1])
    with pytest.raises(ParameterError, match="at least one blank"):
        extract("B", "blanks", blanks=0)
    with pytest.raises(ParameterError, match="answer_type"):
        format_from("COUNT:x", None)


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
