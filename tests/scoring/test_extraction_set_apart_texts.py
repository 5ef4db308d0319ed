"""Texts of blanks that a sentence sets apart, and other forms of everyday replies.

Each rule is tested by other sentences than those that showed it, and by some that stay unread.
"""

from __future__ import annotations

import pytest
from support import readings
from support.readings import blanks, formatted

PICTURES = list("ABCD")
ORGANS = {"A": "heart", "B": "liver", "C": "kidney", "D": "lung"}
CELLS = "CELLS: (row,column) or None"


def one(reply: str, options: dict[str, str] | list[str] = PICTURES) -> object:
    return readings.one(reply, options)


def several(reply: str, options: dict[str, str] | list[str] = PICTURES) -> object:
    return readings.several(reply, options)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("After rotating, the point lands on **(−4, 1)**.", "(-4, 1)"),
        ("Adding both legs, the trip took **2 hours 35 minutes**.", "2 hours 35 minutes"),
        ("Der Bus fährt um **14:35 Uhr** ab.", "14:35 Uhr"),
        ("El termómetro marca **-4 °C**.", "-4 °C"),
        ("因此小明比小红多 **8** 本书。", "8"),
        ("يشير الميزان إلى **4 كغ**.", "4 كغ"),
        ("2x + 6 = 0 → 2x = -6 → **x = -3**", "x = -3"),
        ("The left pan is **heavier** than the right one.", "heavier"),
        ("The sign reads **No Entry**.", "No Entry"),
        ("We get A = 0.5 × 6 × 8 = **24 cm²**.", "24 cm²"),
    ],
)
def test_the_only_bold_text_of_a_last_sentence_fills_the_blank(reply: str, text: str) -> None:
    assert blanks(reply) == (text,)


@pytest.mark.parametrize(
    "reply",
    [
        "The tank might hold **20 liters**.",
        "Es könnten **20 Liter** sein.",
        "First, read off the height: **8**. Then multiply by the base.",
        "Let me measure. The first side is about **4** or **5** cm.",
        "If the scale were 1:100, it would be **20 m**.",
        "It is the **area** that I can't determine.",
        "Note that the scale is **not given**.",
        "Is it **7**?",
        "**Step 2.** Now multiply by the base",
        "Das Thermometer zeigt **-4 °C** nicht an.",
    ],
)
def test_a_bold_text_in_doubt_or_before_further_steps_fills_no_blank(reply: str) -> None:
    assert isinstance(blanks(reply), str)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('The sign says "No Entry".', "No Entry"),
        ("Auf dem Schild steht „Durchfahrt verboten“.", "Durchfahrt verboten"),
        ("Le panneau indique « Sortie ».", "Sortie"),
        ("牌子上写着“出口”。", "出口"),
        ("표지판에는 '출구'라고 적혀 있습니다.", "출구"),
        ('"heavier" fits the blank, since the left pan is lower.', "heavier"),
        ('"heavier" does not fit the blank.', ""),
        ('The sign may say "No Entry".', ""),
    ],
)
def test_a_text_that_somebody_can_read_somewhere_is_quoted(reply: str, text: str) -> None:
    reading = blanks(reply)
    assert (reading if isinstance(reading, tuple) else ("",)) == (text,)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("The pigment in the leaf is called carotene.", "carotene"),
        ("This kind of triangle is known as an isosceles triangle.", "isosceles triangle"),
        ("Das abgebildete Organ nennt man Leber.", "Leber"),
        ("Cet instrument s'appelle un baromètre.", "baromètre"),
        ("이 과정을 증산 작용이라고 합니다.", "증산 작용"),
        ("تسمى هذه العملية التبخر.", "التبخر"),
        ("Mitosis – the cell divides into two identical daughter cells.", "Mitosis"),
        ("根据题意，3x=12，所以x=4。", "x=4"),
        ("Applying the theorem gives 13² = 169.\n\nTherefore, the missing side is 13.", "13"),
        ("The missing word is heavier because the left pan is lower.", "heavier"),
    ],
)
def test_a_sentence_that_names_a_text_fills_the_blank_with_the_name(reply: str, text: str) -> None:
    assert blanks(reply) == (text,)


@pytest.mark.parametrize(
    ("reply", "texts"),
    [
        ("From the figure:\n\n- Base: **7**\n- Height: **9**", ("7", "9")),
        ("- Width: 7\n- Height: 9", ("7", "9")),
        ("**Left box:** cat\n**Right box:** dog", ("cat", "dog")),
        ("- The first number is **12**.\n- The second number is **30**.", ("12", "30")),
        ("**1)** evaporation **2)** condensation", ("evaporation", "condensation")),
        ("- Width: **7**\n- Height: **9**\n- Depth: **2**", "nothing"),
        ("- Width: perhaps **7**\n- Height: **9**", "nothing"),
    ],
)
def test_lines_that_name_a_text_each_fill_as_many_blanks(reply: str, texts: object) -> None:
    reading = blanks(reply, 2)
    assert reading == texts if isinstance(texts, tuple) else isinstance(reading, str)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (
            "A) Heart pumps.\nB) Liver makes bile.\nC) Kidney filters.\n\nSo it is the kidney (C).",
            "C",
        ),
        ("Heart (A) is out by position. Consequently, it must show a kidney (C).", "C"),
        ("Heart? No. Liver? No. Kidney? Yes!", "C"),
        ("Heart? No. Liver? No.", "nothing"),
        ("Heart? Yes. Liver? Yes.", "nothing"),
        ("Heart (A) is out. Consequently, it may be the kidney (C).", "nothing"),
    ],
)
def test_the_text_and_the_label_in_a_conclusion_are_the_answer(reply: str, answer: str) -> None:
    assert one(reply, ORGANS) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The last one is correct.", "D"),
        ("C'est la dernière option.", "D"),
        ("Die letzte Option stimmt.", "D"),
        ("最后一个选项正确。", "D"),
        ("마지막 보기가 정답입니다.", "D"),
        ("Let me check the last option.", "nothing"),
        ("The last option is wrong.", "nothing"),
        ("2️⃣", "B"),
        ("👉 **B** 👈", "B"),
        ("🟢 A", "A"),
        ("Best fit: B", "B"),
    ],
)
def test_an_option_may_be_the_last_one_a_key_or_between_pictures(reply: str, answer: str) -> None:
    assert one(reply) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Both the first and the third option are right.", "AC"),
        ("Options 1, 3", "AC"),
        ("1. A – Yes, there is a dog.\n2. B – No.\n3. C – Yes, a bird.\n4. D – No.", "AC"),
        ("A: rises ❌ (the curve falls)\nB: falls ✅ (it goes down)\nC ❌\nD ❌", "B"),
        ("A. Iron → include\nB. Wood → exclude\nC. Zinc → include\nD → exclude", "AC"),
    ],
)
def test_places_numbers_and_lines_of_verdicts_choose_several(reply: str, answer: str) -> None:
    assert several(reply) == answer


@pytest.mark.parametrize(
    ("reply", "template", "kind", "answer"),
    [
        ("Differences:\n- (1,1): circle vs. square\n- (3,0): red vs. blue", CELLS, "set",
         {(1, 1), (3, 0)}),
        ("1. (0,2)\n2. (1,3)", CELLS, "set", {(0, 2), (1, 3)}),
        ("The cells that differ are (0, 2) and (1, 3).", CELLS, "set", {(0, 2), (1, 3)}),
        ("- (0,0): same in both\n- (0,1): red vs. blue", CELLS, "set", "nothing"),
        ("The cells that are identical are (0, 2) and (1, 3).", CELLS, "set", "nothing"),
        ("Not these:\n- (1,1)\n- (3,0)", CELLS, "set", "nothing"),
        ("- Above the line: 5\n- Below the line: 7", "ABOVE:x BELOW:y", "tuple", (5, 7)),
        ("The image contains 9 stars.", "COUNT:x", "value", 9),
        ("图中有9颗星。", "COUNT:x", "value", 9),
        ("The image contains 9 stars and some moons.", "COUNT:x", "value", "nothing"),
        ("Oui, les deux points sont reliés.", "YES | NO", "value", "YES"),
        ("아니요, 연결되어 있지 않습니다.", "YES | NO", "value", "NO"),
    ],
)  # fmt: skip
def test_formats_are_read_in_lists_with_remarks_and_in_other_languages(
    reply: str, template: str, kind: str, answer: object
) -> None:
    assert formatted(reply, template, kind) == answer


GEOLOGY = {"A": "erosion", "B": "deposition", "C": "weathering"}


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Weathering is the best answer. Erosion moves material away.", "C"),
        ("Neither erosion nor deposition is the right choice.", "none"),
        ("Erosion or deposition is the right answer.", "nothing"),
        ("Erosion is not the right choice.", "nothing"),
        ("Some say erosion is the right choice.", "nothing"),
        ("Erosion might be the right choice. Deposition is another candidate.", "nothing"),
    ],
)
def test_a_text_that_begins_a_sentence_is_the_answer_if_it_is_called_so(
    reply: str, answer: str
) -> None:
    assert one(reply, GEOLOGY) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Everything points to a right angle, option C.", "C"),
        ("Das ist also der rechte Winkel, Antwort C.", "C"),
        ("C'est donc l'angle droit, réponse C.", "C"),
        ("There's no dot in the first one, option A.", "nothing"),
        ("So that's the figure in C.", "C"),
        ("Figure C is the one that differs from the others.", "C"),
    ],
)
def test_a_last_clause_may_name_the_option_by_a_word_and_its_label(reply: str, answer: str) -> None:
    assert one(reply) == answer


KITCHEN = {"A": "a kettle", "B": "a toaster", "C": "a blender", "D": "a radio"}


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("I can see:\n- a kettle (A)\n- a blender (C)\n\nThere's neither a toaster nor a radio.",
         "AC"),
        ("Visible on the counter:\n* A. a kettle\n* C. a blender", "AC"),
        ("Not visible on the counter:\n* a kettle\n* a blender", "nothing"),
        ("The options are:\n- a kettle\n- a toaster\n- a blender", "nothing"),
        ("I can see:\n- a kettle\n- a blender\n\nThere may be a radio as well.", "nothing"),
        ("S = {B, D}", "BD"),
        ("T F T F", "AC"),
        ("T F T", "nothing"),
        ("D can be crossed out; everything else stays.", "ABC"),
    ],
)  # fmt: skip
def test_a_list_of_some_options_is_the_answer_if_nothing_else_is_left_standing(
    reply: str, answer: str
) -> None:
    reading = str(several(reply, KITCHEN))
    assert (reading if reading.isupper() else "nothing") == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("There are 4 in each row and 3 rows, so there are 12 circles in total.", 12),
        ("数一数，每行4个，共3行，所以一共有12个圆。", 12),
        ("So far I count 12 circles.", "nothing"),
        ("There are 3 rows, so I count 4 circles per row.", "nothing"),
        ("There are more circles than squares, so there are at least 5 circles.", "nothing"),
    ],
)
def test_a_count_may_be_concluded_from_other_numbers(reply: str, answer: object) -> None:
    assert formatted(reply, "COUNT:x", "value") == answer


@pytest.mark.parametrize(
    "reply",
    [
        'The question says "fill in the blank".',
        "Please zoom in on the **legend**.",
        "The answer depends on the **scale**.",
        "Sorry – the label is hard to read here.",
        "Well – that depends on the scale of the map.",
        "**Observation.** The drawing shows two cells.",
    ],
)
def test_what_is_said_about_the_task_fills_no_blank(reply: str) -> None:
    assert isinstance(blanks(reply), str)
