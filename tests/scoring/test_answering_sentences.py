"""Texts in sentences that repeat the question, sets with exceptions, and verdicts by paragraph."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import read_reply


def text_read(question: str, reply: str, blanks: int = 1) -> object:
    """The texts that are read in a reply to a question; None if none are."""
    item = PutItem("i", "h", "b", "blanks", ("x",) * blanks, text=question)
    return read_reply(reply, "ok", item).lenient.answer


@pytest.mark.parametrize(
    ("question", "reply", "text"),
    [
        ("What instrument is the girl playing?", "She is playing a violin.", "a violin"),
        ("What animal is on the roof?", "The animal on the roof is a cat.", "a cat"),
        ("Que tient la femme ?", "Elle tient un parapluie.", "un parapluie"),
        ("¿Qué lleva el joven?", "Lleva una guitarra.", "una guitarra"),
        ("Qual é o destino escrito no ônibus?", "Destino: Recife", "Recife"),
        ("Was hält der Mann in der Hand?", "Der Mann hält einen Schirm.", "einen Schirm"),
        ("花瓶里插的是什么花？", "花瓶里插着向日葵。", "向日葵"),
        ("여자가 연주하는 악기는 무엇입니까?", "여자가 연주하고 있는 악기는 첼로예요.", "첼로"),
        (
            "Que lit-on sur l'enseigne ?",
            "On peut y lire « Boulangerie Martin ».",
            "Boulangerie Martin",
        ),
        ("What does the neon sign say?", "**OPEN 24 HOURS**", "OPEN 24 HOURS"),
    ],
)
def test_a_sentence_that_repeats_the_question_gives_the_text_behind_its_words(
    question: str, reply: str, text: str
) -> None:
    assert text_read(question, reply) == (text,)


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("What instrument is the girl playing?", "She is playing in the park."),
        ("What instrument is the girl playing?", "She is not playing a violin."),
        ("What instrument is the girl playing?", "She might be playing a violin."),
        ("What instrument is the girl playing?", "Is she playing a violin?"),
        ("Que tient la femme ?", "Elle ne tient pas un parapluie."),
    ],
)
def test_a_sentence_that_denies_or_doubts_gives_no_text(question: str, reply: str) -> None:
    read = text_read(question, reply)
    assert read not in (("a violin",), ("in the park",), ("un parapluie",))


def test_the_items_sentence_with_its_blanks_filled_in_gives_their_texts() -> None:
    question = "Ergänze: „Die Fotosynthese findet im ____ statt, Wasser nimmt die ____ auf.“"
    reply = "Die Fotosynthese findet im Blatt statt, Wasser nimmt die Wurzel auf."
    assert text_read(question, reply, 2) == ("Blatt", "Wurzel")
    assert text_read("The capital of France is ____.", "The capital of France is Paris.") == (
        "Paris",
    )
    repeated = "Die Fotosynthese findet im ____ statt, Wasser nimmt die ____ auf."
    assert text_read(question, repeated, 2) is None


FRUITS = {"A": "당근", "B": "오이", "C": "사과", "D": "배추"}
LETTERS = {"A": "Peru", "B": "Chile", "C": "Brazil", "D": "Bolivia"}
MELONS = {"A": "fraise", "B": "melon", "C": "kiwi", "D": "orange"}


@pytest.mark.parametrize(
    ("reply", "options", "labels"),
    [
        ("All of them are shaded apart from C.", LETTERS, "ABD"),
        ("Tous, sauf le melon.", MELONS, "ACD"),
        ("Exceto D, todas aparecem.", LETTERS, "ABC"),
        ("Alle außer Brazil sind schraffiert.", LETTERS, "ABD"),
        ("C만 빼고 전부 채소입니다.", FRUITS, "ABD"),
    ],
)
def test_all_options_but_the_excepted_ones_are_a_set(
    reply: str, options: dict[str, str], labels: str
) -> None:
    assert extract(reply, "choices", options).answer == frozenset(labels)


@pytest.mark.parametrize(
    "reply",
    [
        "All of them apart from C?",
        "Not all of them are shaded apart from C.",
        "All of them are wrong in some way, and nothing but time will tell.",
    ],
)
def test_a_doubtful_exception_is_no_set(reply: str) -> None:
    assert extract(reply, "choices", LETTERS).answer != frozenset("ABD")


def test_the_only_option_whose_paragraph_calls_it_right_is_the_answer() -> None:
    german = (
        "a) „Peru“: falsch, zu klein.\nb) „Chile“: richtig, 171 cm.\n"
        "c) „Brazil“: falsch, ein Irrtum.\nd) „Bolivia“: falsch, 160 cm."
    )
    assert extract(german, "choice", LETTERS).answer == "B"
    english = (
        "**A) Peru**\n10 > 9. ✅ True\n\n**B) Chile**\n❌ False\n\n"
        "**C) Brazil**\n❌ False\n\n**D) Bolivia**\n21. ❌ False"
    )
    assert extract(english, "choice", LETTERS).answer == "A"
    korean = "A: 감소하므로 X\nB: 달라지므로 X\nC: 가장 크므로 O\nD: 20이므로 X"
    assert extract(korean, "choice", FRUITS).answer == "C"
    assert not extract(german.replace("richtig", "falsch"), "choice", LETTERS).has_answer
    assert not extract(german.rpartition("\n")[0], "choice", LETTERS).has_answer
