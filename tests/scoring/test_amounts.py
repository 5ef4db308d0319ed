"""Sentences that say how many or how much fill a blank with the number, in every language."""

from __future__ import annotations

import pytest

from gfactor.scoring.extraction import extract
from gfactor.scoring.quantities import same_answer
from gfactor.scoring.questions import PutItem
from gfactor.scoring.replies import read_reply

MEASURED = {
    "The pool is 5.0 m deep.": "5.0 m",
    "5.0 m deep": "5.0 m",
    "Answer: the wall is about 2.4 meters high": "2.4 meters",
    "The river is 350 ft wide at this point.": "350 ft",
    "The man is 45 years old.": "45 years",
    "The tank holds 40 liters of water.": "40 liters",
    "The pool reaches a depth of 5.0 m.": "5.0 m",
    "The depth is approximately 5.0 m": "5.0 m",
    "The boat moves at 20 km/h.": "20 km/h",
    "Der Pool ist 5,0 m tief.": "5,0 m",
    "Das Becken hat eine Tiefe von 3,5 m.": "3,5 m",
    "La piscine fait 5 m de profondeur.": "5 m",
    "Le pont mesure 12 m de long.": "12 m",
    "El puente mide 12 m de largo.": "12 m",
    "El hombre tiene 45 a\u00f1os.": "45 a\u00f1os",
    "O muro tem 2,4 m de altura.": "2,4 m",
    "\u6e38\u6cf3\u6c60\u6df15\u7c73\u3002": "5\u7c73",
}
COUNTED = {
    "There are 7 boats in the harbour.": "7",
    "I count 7 buoys.": "7",
    "In the picture, there are 9 boats.": "9",
    "Es sind 7 Boote im Hafen.": "7",
    "Auf dem Bild sind 14 St\u00fchle zu sehen.": "14",
    "Il y a 7 bateaux dans le port.": "7",
    "Hay 7 barcos en el puerto.": "7",
    "H\u00e1 7 barcos no porto.": "7",
    "\u6e2f\u53e3\u91cc\u67097\u8258\u8239\u3002": "7",
}
OF_NO_NUMBER = [
    "There are 7 boats and 3 buoys in the harbour.",
    "H\u00e1 11 barcos no porto 150.",
    "There are at least 7 boats.",
    "There are 7 more boats than buoys.",
    "There are 5 steps to solve this.",
    "Figure 3 shows a harbour with boats.",
    "The 5 m line is hidden.",
    "The pool should be 5 m deep.",
    "The pool is not 5 m deep.",
    "Bild 3 zeigt den Hafen.",
    "Es gibt mehr als 7 Boote.",
    "Il n'y a pas 7 bateaux.",
    "No hay 7 barcos en el puerto.",
    "N\u00e3o h\u00e1 7 barcos no porto.",
    "\u6ca1\u67097\u8258\u8239\u3002",
]


@pytest.mark.parametrize(("reply", "text"), (MEASURED | COUNTED).items())
def test_the_number_of_a_sentence_fills_the_blank(reply: str, text: str) -> None:
    assert extract(reply, "blanks").answer == (text,)


@pytest.mark.parametrize("reply", OF_NO_NUMBER)
def test_a_sentence_that_states_no_one_number_fills_no_blank(reply: str) -> None:
    assert not extract(reply, "blanks").has_answer


def test_what_a_number_measures_does_not_make_it_another() -> None:
    assert same_answer("45 years", "45 years old")
    assert same_answer("5 m tief", "5.0 m")
    assert not same_answer("5 m deep", "5 cm")


NUMERIC = PutItem("i", "h", "b", "blanks", ("7",), facts={"scoring_rule": "number"})
PLAIN = PutItem("i", "h", "b", "blanks", ("7",))


@pytest.mark.parametrize(
    "reply",
    [
        "The harbour holds 7 boats.",
        "Nous avons 7 bateaux dans ce port.",
        "En el puerto flotan 7 barcos.",
        "Im Hafen liegen 7 Boote.",
        "No porto est\u00e3o 7 barcos.",
        "There are seven boats in the harbour.",
    ],
)
def test_where_the_key_is_a_number_the_only_number_of_a_sentence_is_the_answer(
    reply: str,
) -> None:
    read = read_reply(reply, "ok", NUMERIC).lenient
    assert read.answer == ("7",)
    assert read_reply(reply, "ok", PLAIN).lenient.answer != ("7",) or "There are" in reply


@pytest.mark.parametrize("reply", OF_NO_NUMBER)
def test_where_the_key_is_a_number_no_other_sentence_is_an_answer(reply: str) -> None:
    assert not read_reply(reply, "ok", NUMERIC).lenient.has_answer
