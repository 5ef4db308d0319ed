"""A reply that goes through the options and breaks off has not answered, wherever it is cut."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.option_by_option import _concludes
from gfactor.scoring.extraction.options import OptionTexts

FRUIT = ("une pomme", "une poire", "une banane", "une cerise")
WALKS = {
    "en": (
        "Let's examine each option. ",
        "Option {} corresponds to {}, which is in the picture. ",
        ("the red kite", "the blue drum", "the green bell", "the yellow leaf"),
    ),
    "en, shown": (
        "Let me look at them in turn. ",
        "Statement {} shows {}. It matches the first row. ",
        ("the red kite", "the blue drum", "the green bell", "the yellow leaf"),
    ),
    "fr": (
        "Examinons chaque proposition. ",
        "La proposition {} correspond à {}, qui se trouve au nord. ",
        FRUIT,
    ),
    "fr, lines": ("Voyons les réponses.\n", "Réponse {} : c'est {}, bien visible.\n", FRUIT),
    "es": (
        "Examinemos cada opción. ",
        "La opción {} corresponde a {}, que está al norte. ",
        ("un triángulo", "un cuadrado", "un círculo", "un pentágono"),
    ),
    "pt": (
        "Vamos analisar cada alternativa. ",
        "A alternativa {} corresponde a {}, que está na sala. ",
        ("um gato", "um cachorro", "um cavalo", "um coelho"),
    ),
    "zh": ("我们逐一分析各选项。", "选项{}指的是{}，位于北边。", ("苹果", "香蕉", "西瓜", "葡萄")),
    "ko": (
        "각 선택지를 살펴보겠습니다. ",
        "선택지 {}는 {}을 나타내며 왼쪽에 있습니다. ",
        ("삼각형", "사각형", "오각형", "육각형"),
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 8])
@pytest.mark.parametrize("kind", ["choice", "choices"])
@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_through_the_options_gives_no_answer_wherever_it_is_cut(
    walk: str, kind: str, step: int
) -> None:
    opening, sentence, texts = WALKS[walk]
    options = dict(zip("ABCD", texts, strict=True))
    reply = opening + "".join(sentence.format(label, text) for label, text in options.items())
    invented = [
        reply[:end]
        for end in range(1, len(reply), step)
        if extract(reply[:end], kind, options).has_answer
    ]
    assert invented == []


@pytest.mark.parametrize("kind", ["choice", "choices"])
@pytest.mark.parametrize(
    "opening", ["The answer is B. ", "Answer: B\n\n", "**B**\n\n", "\\boxed{B}\n"]
)
def test_an_answer_before_a_walk_that_breaks_off_stands(opening: str, kind: str) -> None:
    options = dict(zip("ABCD", WALKS["en"][2], strict=True))
    reply = f"{opening}Option A is the red kite, which flies. Option C is the"
    expected = "B" if kind == "choice" else frozenset("B")
    assert extract(reply, kind, options).answer == expected


def test_what_is_called_the_answer_in_a_walk_that_breaks_off_is_the_answer() -> None:
    options = dict(zip("ABCD", WALKS["en"][2], strict=True))
    for said in ("Option B is correct.", "Option B is the answer, as it is blue."):
        reply = f"Option A shows the red kite. {said} Option C shows"
        assert extract(reply, "choice", options).answer == "B"
        assert extract(reply, "choices", options).answer is None


OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}


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
    task = ReadingTask(Grammar(tuple(OPTIONS)), OptionTexts(OPTIONS), many=False)
    assert _concludes(sentence, 0, len(sentence), task) is concludes
