"""Sentences about the statement, about all options but some, about places; and traps for them."""

from __future__ import annotations

import pytest

from gfactor.items import OutputFormat
from gfactor.scoring.extraction import extract

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}
TRUTH = {"A": "True", "B": "False"}
COUNT = OutputFormat("value", labels=("COUNT",))


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("The statement is true.", "A"),
        ("The statement is not true.", "B"),
        ("L'affirmation est fausse.", "B"),
        ("L'affirmation n'est pas exacte.", "B"),
        ("La afirmación es falsa porque el Sol es una estrella.", "B"),
        ("A afirmativa está certa.", "A"),
        ("该说法是错误的。", "B"),
        ("이 설명은 옳습니다.", "A"),
    ],
)
def test_a_sentence_that_judges_the_statement_is_an_answer(reply: str, label: str) -> None:
    assert extract(reply, "choice", TRUTH).answer == label


@pytest.mark.parametrize(
    "reply",
    [
        "The statement may be true.",
        "The statement is true or false.",
        "The first statement is true and the second is false.",
        "The statement is false only in winter.",
        "L'affirmation est vraie si x > 0.",
        "该说法可能正确。",
    ],
)
def test_a_judgement_in_doubt_is_none(reply: str) -> None:
    assert not extract(reply, "choice", TRUTH).has_answer


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ("All options except C are correct.", "ABD"),
        ("All options except C are incorrect.", "C"),
        ("Toutes les propositions sauf la C sont exactes.", "ABD"),
        ("B and D are wrong, the rest are right.", "AC"),
        ("- [x] A\n- [ ] B\n- [x] C\n- [ ] D", "AC"),
        ("A (O), B (X), C (O), D (X)", "AC"),
        ("\\boxed{A}, \\boxed{C}", "AC"),
        ("정답: A·C", "AC"),
        ("The toys of wood are the red kite and the blue drum.", "AB"),
        ("A: yes, it flies.\nB: no, it is heavy.\nC: yes, it rings.\nD: no.", "AC"),
    ],
)
def test_several_options_are_read(reply: str, labels: str) -> None:
    assert extract(reply, "choices", OPTIONS).answer == frozenset(labels)


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("세 번째 보기가 정답입니다.", "C"),
        ("The third option is correct.", "C"),
        ("The tile that fits here is (c).", "C"),
        ("The areas add up to nine. Option C", "C"),
        ("| Option | Verdict |\n|---|---|\n| A | ✗ |\n| B | ✗ |\n| C | ✓ |\n| D | ✗ |", "C"),
        ("Answer (letter only): C", "C"),
        ("La opción que completa la serie es la C.", "C"),
        ("Só a C satisfaz as duas condições.", "C"),
    ],
)
def test_one_option_is_read(reply: str, label: str) -> None:
    assert extract(reply, "choice", OPTIONS).answer == label


@pytest.mark.parametrize(
    "reply",
    [
        "The option that I ruled out is B.",
        "The worst choice is A.",
        "The first one I looked at is (b).",
        "The figure shown above is (a).",
        "In the example, the answer was B.",
        "He thinks the answer is C, but I doubt it.",
        "If so, the answer is C.",
        "I first considered changing my answer to B.",
        "All but B are drawn in red.",
        "A (2), B (3), C (4)",
        "A：看起来像；B：也像。",
        "A选项看似符合题意；B选项也看似符合题意",
        "정답은 B가 아닐 것이다.",
        "남은 후보는 A와 B입니다.",
        "Option B\nOption C",
        "The options: A | B | C | D",
        "Answer choices: (A) (B) (C) (D)",
        "Opciones:\nA) the red kite\nB) the blue drum\n\nElige la opción correcta.",
        "Verdict\nA is small, B is big.",
        "A: C",
    ],
)
@pytest.mark.parametrize("kind", ["choice", "choices"])
def test_what_only_looks_like_an_answer_is_none(reply: str, kind: str) -> None:
    assert not extract(reply, kind, OPTIONS).has_answer


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
    assert extract(reply, "value", output_format=COUNT).answer == count
