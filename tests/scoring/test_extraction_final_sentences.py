"""Replies that discuss the options and then name those that are meant, in a sentence or by marks.

Every rule has its form in several languages, and a sentence beside it that answers nothing.
"""

from __future__ import annotations

import pytest
from support.readings import one, several

PICTURES = dict.fromkeys("ABCD", "")
FRUITS = {"A": "Apples", "B": "Pears", "C": "Grapes", "D": "Lemons"}
TIERE = {"A": "Löwe", "B": "Zebra", "C": "Giraffe", "D": "Straußenvogel"}
MUEBLES = {"A": "Mesa", "B": "Silla", "C": "Lámpara", "D": "Cuadro"}
ANIMAUX = {"A": "Le chat", "B": "Le chien", "C": "Le lapin", "D": "Le cheval"}
MOVEIS = {"A": "Cadeira", "B": "Mesa", "C": "Sofá", "D": "Estante"}
FRUITS_KO = {"A": "사과", "B": "바나나", "C": "포도", "D": "딸기"}
FRUITS_ZH = {"A": "苹果", "B": "香蕉", "C": "葡萄", "D": "草莓"}
COUNTS = {"A": "3", "B": "4", "C": "5", "D": "6"}
Options = dict[str, str]


@pytest.mark.parametrize(
    ("reply", "options", "labels"),
    [
        ("Net A: two faces overlap.\nNet B: it folds.\nNet C: a face is missing.\nNet D: it folds."
         "\n\nThus two nets work: **B and D**.", PICTURES, "BD"),
        ("Figure A: 3 axes. Figure B: 4. Figure C: 5. Figure D: 2.\n\nThe shapes with an even "
         "number of axes are B and D.", PICTURES, "BD"),
        ("A has none. B has none: all angles are acute. D has four. That means C and D.",
         PICTURES, "CD"),
        ("Figur A hat keine Achse. Figur B hat zwei. Figur C hat eine.\n\nSymmetrisch sind somit "
         "die Figuren **B** und **C**.", PICTURES, "BC"),
        ("- **Löwe (A):** fehlt.\n- **Zebra (B):** steht links.\n\nZu sehen sind also **B und C**.",
         TIERE, "BC"),
        ("La mesa está a la izquierda; la silla no aparece.\n\nPor tanto, los muebles son los de "
         "las opciones **A** y **C**.", MUEBLES, "AC"),
        ("Figure A : trois côtés. Figure B : quatre. Figure C : cinq. Figure D : quatre.\n\nLes "
         "quadrilatères sont donc les figures B et D.", PICTURES, "BD"),
        ("Figura A: tem quatro lados. Figura B: tem três. Logo, são quadriláteros apenas as figuras"
         " **A** e **C**.", PICTURES, "AC"),
        ("그림 A는 대칭축이 없습니다. 그림 B는 하나 있습니다. 그러므로 선대칭도형은 B, D입니다.",
         PICTURES, "BD"),
        ("图A不是轴对称图形;图B有一条对称轴;图C没有。所以符合条件的图形是 B、D。", PICTURES, "BD"),
    ],
)  # fmt: skip
def test_the_last_sentence_names_the_set_behind_a_discussion(
    reply: str, options: Options, labels: str
) -> None:
    assert several(reply, options) == labels


@pytest.mark.parametrize(
    "reply",
    [
        "Net A overlaps. Net B folds. The remaining candidates are **B and D**.",
        "Net A overlaps. Net B folds. So the wrong ones are **A and C**.",
        "Net A overlaps. Net B folds. So it may be **B and D**.",
        "Net A overlaps. Net B folds. Are the right ones **B and D**?",
        "Net A überlappt. Zur Auswahl stehen noch **B und D**.",
        "Dudo entre A y C.",
        "The graphs that are hard to read are A and C.",
    ],
)
def test_a_last_sentence_that_doubts_or_rejects_names_no_set(reply: str) -> None:
    assert len(str(several(reply, PICTURES))) > 4


@pytest.mark.parametrize(
    ("reply", "options", "labels"),
    [
        ("The bowl contains apples and grapes.", FRUITS, "AC"),
        ("I can see apples and grapes. There are no pears and no lemons.", FRUITS, "AC"),
        ("The bowl holds apples and grapes but neither pears nor lemons.", FRUITS, "AC"),
        ("Auf dem Bild sind ein Zebra und ein Straußenvogel zu sehen.", TIERE, "BD"),
        ("Se ven una mesa, una lámpara y un cuadro; no hay ninguna silla.", MUEBLES, "ACD"),
        ("Sur la photo, on distingue un chat et un lapin.", ANIMAUX, "AC"),
        ("Na sala vejo uma mesa de madeira e um sofá cinza.", MOVEIS, "BC"),
        ("그림에는 사과와 포도가 있습니다.", FRUITS_KO, "AC"),
        ("图中可以看到苹果和葡萄,没有香蕉和草莓。", FRUITS_ZH, "AC"),
    ],
)
def test_one_sentence_that_says_which_options_are_there_is_their_set(
    reply: str, options: Options, labels: str
) -> None:
    assert several(reply, options) == labels


@pytest.mark.parametrize(
    "reply",
    [
        "It could be apples or grapes.",
        "To tell apples and grapes apart I need a sharper photo.",
        "The apples are red. The grapes are green.",
        "She says apples and grapes.",
        "Which do you mean, the apples or the grapes?",
    ],
)
def test_a_sentence_that_tells_more_of_the_options_is_no_set(reply: str) -> None:
    assert len(str(several(reply, FRUITS))) > 4


@pytest.mark.parametrize(
    ("reply", "options", "label"),
    [
        ("Apples, pears and lemons do not fit. The berries must be grapes. (C)", FRUITS, "C"),
        ("사과, 바나나, 딸기는 맞지 않습니다. 이 FRUITS_KO은 포도입니다. **(C)**", FRUITS_KO, "C"),
        ("苹果、香蕉和草莓都不符合。所以是葡萄。(C)", FRUITS_ZH, "C"),
        ("조건을 만족하는 그림은 B뿐입니다.", PICTURES, "B"),
        ("Netz D", PICTURES, "D"),
        ("그림 C", PICTURES, "C"),
        ("L'image qui convient est la dernière.", PICTURES, "D"),
        ("The second one. Its vertex is lower, unlike the first and the third.", PICTURES, "B"),
        ("Gemeint ist das Netz ohne Lücke. Bei A und D fehlt etwas. Richtig ist daher Netz **B**.",
         PICTURES, "B"),
        ("C shows the mirror image; the others are rotations.", PICTURES, "C"),
        ("In total there are five cats: two on the sill, three by the door.", COUNTS, "C"),
        ("왼쪽에 2개, 오른쪽에 3개가 있어 모두 5개입니다.", COUNTS, "C"),
        ("You take the pears. The grapes are not ripe.", FRUITS, "B"),
        ("Es ist ein Zebra, denn eine Giraffe hat einen langen Hals.", TIERE, "B"),
        ("Apples - on the left\nPears - behind\nGrapes - in the middle\n\nThat leaves only one.",
         FRUITS, "D"),
        ("Manzana no es. Mesa: aquí. Silla: aquí. Cuadro: aquí. Solo queda una.", MUEBLES, "C"),
    ],
)  # fmt: skip
def test_one_option_is_named_at_the_end_or_left_over(
    reply: str, options: Options, label: str
) -> None:
    assert one(reply, options) == label


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("[ ] A\n[ ] B\n[x] C\n[ ] D", "C"),
        ("( ) A  ( ) B  (X) C  ( ) D", "C"),
        ("☐ Apples\n☐ Pears\n☐ Grapes\n☒ Lemons", "D"),
        ("A ✓ B ✓ C ✓ D ✗ (the odd one)", "D"),
        ("1번 ○ / 2번 ○ / 3번 × / 4번 ○", "C"),
        ("A는 X, B는 O, C는 X, D는 X", "B"),
        ("A ✓ B ✓ C ✗ D ✗", "ambiguous"),
        ("[x] A\n[x] B\n[ ] C\n[ ] D", "ambiguous"),
    ],
)
def test_marks_beside_all_options_choose_the_one_that_differs(reply: str, label: str) -> None:
    read = one(reply, FRUITS)
    assert read == label if len(label) == 1 else len(str(read)) > 1


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ("Apples ✅\nPears ❌\nGrapes ✅\nLemons ✅", "ACD"),
        ("Apples [v]  Pears [ ]  Grapes [ ]  Lemons [v]", "AD"),
        ("① ✗　② ✓　③ ✗　④ ✓", "BD"),
        ("Apples - lower than in May, so this is false.\nPears - this is true.\n"
         "Grapes - the tallest bar: true.\nLemons - false.", "BC"),
        ("The gate is open. → B\nThe roof is new. → D", "BD"),
    ],
)  # fmt: skip
def test_marks_beside_texts_and_numbers_choose_a_set(reply: str, labels: str) -> None:
    assert several(reply, FRUITS) == labels


@pytest.mark.parametrize(
    "reply",
    [
        "A student claims the answer is B. Another one writes D. Neither result is correct.",
        "My colleague thinks the answer is C, but I could not verify it.",
        "Ein Schüler behauptet, die Antwort ist B. Beide haben sich verrechnet.",
        "Un alumno afirma que la respuesta es B. Otro dice que es la D.",
        "Un élève affirme que la réponse est B. Un autre dit D.",
        "Um aluno afirma que a resposta é B. Outro diz que é D.",
        "有学生说答案是B,另一个说是D。两个人都算错了。",
    ],
)
def test_an_answer_that_somebody_else_claims_is_none(reply: str) -> None:
    assert len(str(one(reply, PICTURES))) > 1


@pytest.mark.parametrize(
    ("reply", "yes", "no", "label"),
    [
        ("That's incorrect: the bar is lower.", "True", "False", "B"),
        ("Das stimmt nicht: Der Zeiger steht auf der 4.", "Ja", "Nein", "B"),
        ("C'est inexact : il s'en éloigne.", "Vrai", "Faux", "B"),
        ("F", "Verdadeiro", "Falso", "B"),
        ("V", "Vrai", "Faux", "A"),
        ("맞습니다(참). 오른쪽의 거짓 등대는 그림자입니다.", "참", "거짓", "A"),
        ("لا، لا توجد سيارة.", "نعم", "لا", "B"),
    ],
)
def test_yes_and_no_are_named_by_what_is_true(reply: str, yes: str, no: str, label: str) -> None:
    assert one(reply, {"A": yes, "B": no}) == label


def test_a_list_below_a_heading_is_a_set_even_with_texts_behind_the_labels() -> None:
    assert several("Selected options:\n- B. Pears\n- D. Lemons", FRUITS) == "BD"
    assert several("The correct choices are:\n\n1. Pears\n2. Lemons", FRUITS) == "BD"
    assert several("Zu sehen sind:\n\n- Zebra (B)\n- Giraffe (C)", TIERE) == "BC"
    assert len(str(several("The options are:\n- Pears\n- Lemons", FRUITS))) > 4


def test_options_are_named_by_their_places() -> None:
    assert several("The first and third pictures show a left hand.", PICTURES) == "AC"
    assert several("Also das zweite und das dritte.", PICTURES) == "BC"
    assert several("Todos menos el tercero.", PICTURES) == "ABD"
