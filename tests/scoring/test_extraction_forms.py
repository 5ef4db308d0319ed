"""Forms of present models' replies: tags, channels, transcripts, tool calls, tables, exceptions."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.cases import format_from
from gfactor.scoring.extraction.turns import answering_part

OPTIONS = {"A": "Mercury", "B": "Venus", "C": "Mars", "D": "Saturn"}
ANGLES = {"A": "45°", "B": r"$60^\circ$", "C": r"\frac{\pi}{2}", "D": "√2"}

ONE = [
    ("B", "<REASONING>A? No.</REASONING><CONCLUSION>B</CONCLUSION>"),
    ("B", "<|channel|>analysis<|message|>A?<|end|><|channel|>final<|message|>It is B."),
    (None, "<|channel|>analysis<|message|>It is B."),
    ("B", "Red or bright? <|begin_of_box|>B<|end_of_box|>"),
    ("B", "USER: Which planet?\nA. Mercury\nB. Venus\nASSISTANT: B"),
    ("B", "B\n\nQuestion: Which is red?\nA. one\nB. two\nAnswer: A"),
    ("C", "Let me restate.\n\nQuestion: Mercury, Venus, Mars or Saturn?\nAnswer: C"),
    ("B", '{"name": "answer", "arguments": {"option_id": "B"}}'),
    ("B", '{"réponse_finale": "B"}'),
    ("B", r'{"answer": "\boxed{B}"}'),
    ("A", "La B... mejor dicho, la A."),
    ("A", "C, ou melhor, A."),
    ("C", "No es la A, sino la C."),
    ("B", "A가 아니라 B입니다."),
    ("B", "Salvo la B, ninguna es correcta."),
    ("B", "除B外，其余三项均不正确。"),
    ("B", "A: F\nB: V\nC: F\nD: F"),
    ("B", "| A | B | C | D |\n|---|---|---|---|\n| ✗ | ✓ | ✗ | ✗ |"),
    ("B", "2번입니다."),
    (None, "Final Answer: A\nFinal Answer: C"),
    (None, "La respuesta es la A.\nLa respuesta es la B."),
    (None, "答案是A。不过也可能是C。"),
    (None, "온도가 더 낮다면 B가 됩니다."),
    (None, "Se fosse menor, seria a C."),
    (None, "Anything but C."),
    ("D", "I'd say B; or rather, D, because of the rings."),
    ("D", "Je dirais la B ; ou plutôt la D, puisqu'elle a des anneaux."),
    ("D", "应该是B，哦不，是D，因为它有光环。"),
    ("C", "It is not A but C, because the soil is red."),
    ("C", "La respuesta no es la A, sino la C: el suelo es rojo."),
    ("C", "Ce n'est pas la A mais la C, car le sol est rouge."),
    (None, "It is not only A but also C."),
    (None, "Diría que la B, aunque rectifico: la C, porque es roja."),
    (None, "Answer: A. Actually, it might be B."),
    (None, '"It is B," says the student.'),
    (None, "Une solution précédente donne la B."),
    (None, "Choosing A would be hasty."),
    ("B", "本题选择的是【B】。"),
]
SEVERAL = [
    ("AD", "✅ A\n❌ B\n❌ C\n✅ D"),
    ("", "A and B are both plausible, though I can't confirm either."),
    ("AC", "①번과 ③번입니다."),
    ("AC", "Everything except B and D."),
    ("AC", "(V) A\n(F) B\n(V) C\n(F) D"),
    ("AC", "True: A, C\nFalse: B, D"),
    ("AC", "√×√×"),
    ("ABC", "Todas son correctas menos la D."),
    ("ACD", "All but B are red."),
    ("", "\\boxed{A, B}\n\\boxed{C, D}"),
]
BLANKS = [
    ("liver", "The largest gland is the **liver**."),
    ("李白", "这首诗的作者是**李白**。"),
    ("윤동주", "이 시의 작가는 **윤동주**입니다."),
    ("3;4", "Solving the two equations one after the other gives both.\n\nBlank 1: 3\nBlank 2: 4"),
    ("left;right", "Blank 1: right. No, wrong.\n\nBlank 1: left\nBlank 2: right"),
    ("酸;碱", "| 空 | 答案 |\n|---|---|\n| 1 | 酸 |\n| 2 | 碱 |"),
    ("rojo;azul", 'En el primer hueco no va "verde" sino "rojo", y en el segundo va "azul".'),
    ("14", "It isn't 12; it's 14."),
    ("14", "El valor no es 12 sino 14."),
    ("14", "12가 아니라 14입니다."),
    ("", "A imagem não abre."),
    ("CO₂;H₂O", "The reaction yields two products: CO₂ and H₂O."),
    ("iron;tin", "The second blank is tin, the first is iron."),
    ("iron;tin", "2) tin\n1) iron"),
    ("春;秋", "第二空填秋，第一空填春。"),
    ("봄;여름", "두 번째 빈칸은 '여름', 첫 번째 빈칸은 '봄'입니다."),
    ("sol;lua", "A segunda é lua e a primeira é sol."),
    ("CO₂", "The gas released is CO₂."),
    ("mass", "Not weight but mass."),
    ("", "Either oak or pine."),
    ("", "Paris is the capital of France."),
]
FORMATTED = [
    ("COUNT:x", "value", 12, "Total : douze cercles"),
    ("COUNT:x", "value", 13, "개수: 열세 개"),
    ("COUNT:x", "value", "", "COUNT:4\nCOUNT:5"),
    ("COUNT:x", "value", 5, "COUNT:5\n\nQuestion: and squares?\nCOUNT:9"),
    ("free list of colours on one line", "set", {"red", "tan"}, "red\ntan"),
    ("free list of colours on one line", "set", "", "The missing colors:\nred\ntan"),
    ("(row,column) (row,column) ... (last line)", "set", {(4, 4), (0, 2)}, "{(4, 4), (0, 2)}"),
    ("(x,y) or None (last line)", "tuple", None, "None"),
]


@pytest.mark.parametrize(("label", "reply"), ONE)
def test_one_answer_is_read_in_present_forms(label: str | None, reply: str) -> None:
    assert extract(reply, "choice", OPTIONS).answer == label


@pytest.mark.parametrize(
    ("label", "reply"),
    [("A", r"\boxed{45^\circ}"), ("A", "45 degrees"), ("B", "60°"), ("C", "π/2"), ("D", r"\sqrt2")],
)
def test_an_options_formula_is_known_in_other_spellings(label: str, reply: str) -> None:
    assert extract(reply, "choice", ANGLES).answer == label


def test_options_that_differ_by_case_alone_are_two() -> None:
    metals = {"A": "CO", "B": "Co"}
    assert extract("The metal is Co.", "choice", metals).answer == "B"
    assert extract("The gas is CO.", "choice", metals).answer == "A"


@pytest.mark.parametrize(("labels", "reply"), SEVERAL)
def test_several_answers_are_read_in_present_forms(labels: str, reply: str) -> None:
    assert (extract(reply, "choices", dict.fromkeys("ABCD", "")).answer or set()) == set(labels)


@pytest.mark.parametrize(("texts", "reply"), BLANKS)
def test_blanks_are_read_in_any_order_and_sentence(texts: str, reply: str) -> None:
    found = extract(reply, "blanks", blanks=1 + texts.count(";")).answer
    assert found == (tuple(texts.split(";")) if texts else None)


@pytest.mark.parametrize(("template", "kind", "answer", "reply"), FORMATTED)
def test_formatted_answers_are_read_over_lines(
    template: str, kind: str, answer: object, reply: str
) -> None:
    found = extract(reply, kind, output_format=format_from(template, kind))
    assert found.has_answer == (answer != "")
    assert not found.has_answer or found.answer == answer


def test_what_was_read_stands_where_the_span_says() -> None:
    reply = "USER: Which?\nASSISTANT: The answer is B."
    span = extract(reply, "choice", OPTIONS).span
    assert span is not None
    assert reply[slice(*span)] == "B"


def test_what_is_not_the_answer_is_made_blank() -> None:
    for reply, kept in (
        ("analysisIt may be A.assistantfinalB", "B"), ("Assistant: B", "B"),
        ("User: which?\nAssistant: C", "C"), ("It is C", "It is C"),
    ):  # fmt: skip
        found = answering_part(reply)
        assert len(found) == len(reply)
        assert found.strip() == kept


TOYS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}


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
    assert extract(reply, "choices", TOYS).answer == frozenset(labels)


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
    assert extract(reply, "choice", TOYS).answer == label


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
    assert not extract(reply, kind, TOYS).has_answer
