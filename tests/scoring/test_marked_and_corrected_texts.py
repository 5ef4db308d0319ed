"""Texts that a short reply points at, corrects, or gives with another name, in eight languages."""

from __future__ import annotations

import pytest

from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import read_reply


def text_read(reply: str, question: str) -> str | None:
    item = PutItem("i", "h", "b", "blanks", ("no key",), text=question)
    answer = read_reply(reply, "ok", item).lenient.answer
    return str(answer[0]) if isinstance(answer, tuple) else None


BIRD = "What is this bird?"
SIGN = "What does the sign say?"


@pytest.mark.parametrize(
    "reply",
    [
        ">>> heron <<<",
        "answer >>> heron <<<",
        "→ heron ←",
        "Answer: --> heron <--",
        "____ = heron",
        "____: heron",
        "( ) = heron",
    ],
)
def test_signs_point_at_a_text(reply: str) -> None:
    assert text_read(reply, BIRD) == "heron"


@pytest.mark.parametrize("reply", ["____ = ?", "____: ____"])
def test_a_gap_that_is_left_open_gives_no_text(reply: str) -> None:
    assert text_read(reply, BIRD) is None


def test_signs_of_inequalities_point_at_nothing() -> None:
    assert text_read("=> x <= 5", "Solve for x.") != "x"


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("heron (also known as egret)", "heron"),
        ("heron (a.k.a. egret)", "heron"),
        ("Reiher (auch Graureiher)", "Reiher"),
        ("héron (aussi appelé butor)", "héron"),
        ("atarraya (en algunos sitios, esparavel)", "atarraya"),
        ("garça (também chamada socó)", "garça"),
        ("苍鹭(又称灰鹭)", "苍鹭"),
        ("왜가리(일명 청왜가리)", "왜가리"),
        ("H-E-R-O-N (heron)", "heron"),
        ("永熙(Yǒngxī)", "永熙"),
    ],
)
def test_another_name_in_brackets_is_left_out(reply: str, name: str) -> None:
    assert text_read(reply, BIRD) == name


@pytest.mark.parametrize(
    "reply", ["carbon (IV)", "heron (grey)", "H-E-R-O-N (egret)", "heron (Ardea)"]
)
def test_other_brackets_stay(reply: str) -> None:
    assert text_read(reply, BIRD) == reply


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('It says "Adel"... no, sorry, there is an R; the plate says "Adler".', "Adler"),
        ('Da steht "Rosental"... nein, Moment, da steht "Rosenthal".', "Rosenthal"),
        ("Elle dit « Rosier »… pardon, en fait c'est « Rosière ».", "Rosière"),
        ("Pone «Rosal»… perdón, es «Rosales».", "Rosales"),
        ("Diz «Rosal»… não, desculpe, é «Rosário».", "Rosário"),
        ("写着“玫瑰”……不对,应该是“玫園”。", "玫園"),
        ('"장미"라고… 아, 아니, "장미원"입니다.', "장미원"),
        ('정답은 "장미"… 아, 그건 꽃 이름이고 간판은 "장미원"입니다.', "장미원"),
    ],
)
def test_a_quoted_text_replaces_the_one_before_it(reply: str, text: str) -> None:
    assert text_read(reply, SIGN) == text


@pytest.mark.parametrize(
    "reply",
    [
        'The answer is "Rose"... no, wait.',
        'I thought it was "Rose"... no, it is not "Hill".',
        "Pone «Rosal»… no, no es «Rosales».",
        "« Rosier ». Non, l'enseigne dit autre chose.",
        'Es heißt "Rosental" – Moment, vielleicht "Rosenthal".',
    ],
)
def test_a_correction_without_a_certain_text_gives_none(reply: str) -> None:
    assert text_read(reply, SIGN) is None


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Quel est le titre du roman ?", "Le titre est masqué par la"),
        ("What is the title of the novel?", "The title is hidden by the"),
        ("What is the title of the novel?", "The title of the novel is The"),
        ("Wie heißt der Roman?", "Der Titel des Romans ist verdeckt von der"),
        ("¿Cuál es el título de la novela?", "El título está tapado por la"),
        ("Qual é o título do romance?", "O título está coberto pela"),
        ("小说的书名是什么?", "小说的书名被"),
        ("소설의 제목은?", "소설의 제목은 나무를"),
        ("ما عنوان الرواية؟", "عنوان الرواية مكتوب على"),
    ],
)
def test_a_sentence_that_breaks_off_gives_no_text(question: str, reply: str) -> None:
    assert text_read(reply, question) is None


def test_a_letter_in_capitals_ends_a_sentence() -> None:
    assert text_read("The missing vitamin is vitamin A", "Which vitamin is missing?") == "A"


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Who is on the medal?", "A person in profile is shown. I do not identify people."),
        ("Wer ist zu sehen?", "Es ist eine Person im Profil. Ich identifiziere keine Personen."),
        ("Qui est-ce ?", "C'est une personne de profil. Je n'identifie pas les personnes."),
        ("¿Quién es?", "Es una persona de perfil. No identifico a personas por su rostro."),
        ("Quem é?", "É uma pessoa de perfil. Não identifico pessoas pelo rosto."),
        ("奖章上是谁?", "奖章上是一个侧面的人。我不会识别人物身份。"),
        ("누구입니까?", "옆모습의 인물입니다. 저는 인물을 식별하지 않습니다."),
        ("من هذا؟", "هذا شخص من الجانب. أنا لا أحدد هوية الأشخاص."),
    ],
)
def test_whoever_identifies_no_persons_names_none(question: str, reply: str) -> None:
    assert text_read(reply, question) is None


@pytest.mark.parametrize(
    ("question", "reply", "name"),
    [
        (
            "Which dish is on the board?",
            'The first line says "Today", the second "gazpacho". That is the dish on offer.',
            "gazpacho",
        ),
        (
            "Welches Gericht steht auf der Tafel?",
            'Oben steht "Heute", darunter "Labskaus". Das ist das Gericht des Tages.',
            "Labskaus",
        ),
        (
            "Quel plat est annoncé ?",
            "La ligne du centre annonce « aïoli ». C'est le plat du jour.",
            "aïoli",
        ),
        (
            "¿Qué plato está anunciado?",
            "La línea del centro anuncia «ajoblanco». Ese es el plato del día.",
            "ajoblanco",
        ),
        ("Que prato é?", "A linha do meio diz «açorda». Esse é o prato do dia.", "açorda"),
    ],
)
def test_a_last_sentence_points_back_at_a_quoted_text(question: str, reply: str, name: str) -> None:
    assert text_read(reply, question) == name


def test_a_last_sentence_that_denies_it_points_at_nothing() -> None:
    reply = 'The board says "Today" and "gazpacho". That is not the dish.'
    assert text_read(reply, "Which dish is on the board?") is None


@pytest.mark.parametrize(
    ("question", "reply", "name"),
    [
        (
            "What type of bridge is it?",
            "**Deck.** It is narrow.\n\n**Conclusion.** The bridge is a **suspension bridge**.",
            "suspension bridge",
        ),
        ("Welche Brücke?", "**Fazit.** Die Brücke ist eine **Hängebrücke**.", "Hängebrücke"),
        ("Quel pont ?", "**Conclusion.** Le pont est un **pont suspendu**.", "pont suspendu"),
    ],
)
def test_a_bold_heading_is_no_name(question: str, reply: str, name: str) -> None:
    assert text_read(reply, question) == name


@pytest.mark.parametrize(
    "reply",
    [
        "**Conclusion.** It is hard to say whether it is a **truss**.",
        "**Deck.** It is narrow.\n\n**Towers.** They are tall.",
    ],
)
def test_headings_alone_name_nothing(reply: str) -> None:
    assert text_read(reply, "What type of bridge is it?") is None


def test_the_conclusion_behind_another_name_is_the_name() -> None:
    question = "Welcher Fluss fließt durch die rote Stadt?"
    reply = "Die rote Stadt ist Meiningen. Das Band daneben ist beschriftet."
    assert text_read(f"{reply} Gesucht ist demnach die Werra.", question) == "Werra"


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Quel est le nom du moulin ?", "« Moulin Rouge ». L'enseigne est de travers."),
        ("What is the name of the mill?", '"Moulin Rouge". The sign hangs upside down.'),
        ("Wie heißt die Mühle?", "„Moulin Rouge“. Das Schild hängt schief."),
    ],
)
def test_a_quoted_text_before_a_remark_is_the_name(question: str, reply: str) -> None:
    assert text_read(reply, question) == "Moulin Rouge"
