"""Forms that replies showed which nobody had seen before: contradictions, lists set apart, cells.

Each rule is tested by more than the sentence that showed it, and by one that must stay unread.
"""

from __future__ import annotations

import pytest
from support import readings
from support.readings import blanks, formatted

from gfactor.scoring.extraction.cases import format_from
from gfactor.scoring.extraction.conforming import strict
from gfactor.scoring.texts import same_text

METALS = {"A": "iron", "B": "copper", "C": "wood", "D": "rubber"}
CITIES = {"A": "Berlin", "B": "Paris", "C": "Zurich", "D": "Madrid"}


def one(reply: str, options: dict[str, str] = METALS) -> object:
    return readings.one(reply, options)


def several(reply: str, options: dict[str, str] = METALS) -> object:
    return readings.several(reply, options)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ('{"answer": "A"}\n{"answer": "B"}', "contradiction"),
        ('{"answer": "A"}\nI checked the second row.\n{"answer": "B"}', "contradiction"),
        ('{"answer": "A"} Wait, I misread it. {"answer": "B"}', "B"),
        ('{"answer": "A"}\nTherefore:\n{"answer": "B"}', "B"),
        ('{"answer": "A"}\n{"answer": "iron"}', "A"),
        ('{"note": "B"}\n{"answer": "A"}', "A"),
        ('{"answer": "unclear"}\n{"answer": "A"}', "A"),
        ('{"answer": "A"} Wait. {"answer": "B"}\n{"answer": "C"}', "contradiction"),
    ],
)
def test_two_objects_with_different_answers_answer_nothing(reply: str, answer: str) -> None:
    assert one(reply) == answer


def test_two_objects_also_contradict_each_other_where_several_or_texts_are_wanted() -> None:
    assert several('{"answer": ["A"]}\n{"answer": ["B", "C"]}') == "contradiction"
    assert several('{"answer": ["A", "B"]}\n{"answer": ["B", "A"]}') == "AB"
    assert blanks('{"answer": "salt"}\n{"answer": "sugar"}') == "contradiction"
    assert blanks('{"answer": "salt"}\n{"answer": "Salt"}') == ("Salt",)


def test_two_final_answers_contradict_each_other_in_every_kind_of_item() -> None:
    assert one("Final answer: A\nFinal answer: C") == "contradiction"
    assert several("Final answer: A, B\nFinal answer: C") == "contradiction"
    assert blanks("Final answer: salt\nFinal answer: sugar") == "contradiction"
    assert blanks("Final answer: salt\n\nFinal answer: salt") == ("salt",)
    assert blanks("Answer: salt. No, wait.\nAnswer: sugar") == ("sugar",)
    for reply in ("Final answer: 4\nFinal answer: 5", "- COUNT: 4\n- COUNT: 5"):
        assert formatted(reply, "COUNT:x", "value") == "nothing"
    assert formatted("Final answer: 5\nFinal answer: 5", "COUNT:x", "value") == 5
    assert formatted("- COUNT: 4\n\nI missed one.\n\n- COUNT: 5", "COUNT:x", "value") == 5


@pytest.mark.parametrize("reply", ["Cannot answer: the circuit diagram is missing.",
                                   "I can give no answer: the table is not visible."])  # fmt: skip
def test_a_denied_heading_heads_no_text(reply: str) -> None:
    assert blanks(reply) == "refusal"
    assert blanks("Not sure at first. Answer: salt") == ("salt",)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The missing number is 42, because the differences grow by 2.", "42"),
        ("El número que falta es 42, porque las diferencias crecen.", "42"),
        ("Die fehlende Zahl ist 42, denn die Differenzen wachsen um 2.", "42"),
        ("The missing word is salt (because it dissolves).", "salt"),
    ],
)
def test_a_reason_behind_a_text_is_no_part_of_it(reply: str, answer: str) -> None:
    assert blanks(reply) == (answer,)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Options (B) & (C) – the remaining ones are wrong", "BC"),
        ("(A) & (D) - les autres sont fausses", "AD"),
        ("A und B – die übrigen sind falsch.", "AB"),
        ("Perhaps (B) & (C) - the remaining ones are wrong", "nothing"),
    ],
)
def test_labels_before_others_that_are_called_wrong_are_the_answer(reply: str, answer: str) -> None:
    assert several(reply, dict.fromkeys("ABCD", "")) == answer


def test_what_is_unchecked_is_no_answer_and_what_is_checked_is_one() -> None:
    assert several("I uncheck B.") == "nothing"
    assert several("I check A, C and D and uncheck B.") == "ACD"
    assert one("I check B.") == "B"
    assert one("I check whether A fits.") == "nothing"
    assert several("all but B") == "ACD"
    assert several("②和④") == "BD"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The correct options are A (Berlin), B (Paris) and D (Madrid).", "ABD"),
        ("As opções corretas são A (Berlin), B (Paris) e D (Madrid).", "ABD"),
        ("The correct options are A: Berlin, B: Paris and D: Madrid.", "ABD"),
        ("The correct options are A (the capital of Germany), B and D.", "ABD"),
        ("I choose B (Paris) or D (Madrid).", "ambiguous"),
        ("The answers are A (Berlin) and B (Paris), but not C (Zurich).", "AB"),
    ],
)
def test_a_list_goes_on_behind_the_text_of_an_option(reply: str, answer: str) -> None:
    assert several(reply, options=CITIES) == answer


def test_an_or_behind_the_text_of_an_option_leaves_the_answer_open() -> None:
    assert one("I choose B (Paris) or D (Madrid).", options=CITIES) == "ambiguous"
    assert one("I choose B (Paris), because it is a capital.", options=CITIES) == "B"


def test_a_list_of_ticks_is_read_as_a_whole() -> None:
    assert several("✅ A\n❌ B\n✅ C\n❌ D") == "AC"


@pytest.mark.parametrize(
    ("reply", "texts"),
    [
        ("**Salt** dissolves in … **water**", ("Salt", "water")),
        ("The **mitochondria** release most of the cell's **energy**.", ("mitochondria", "energy")),
        ("Either **salt** or **sugar** would do.", "nothing"),
        ("**Blank 1:** look at the **picture**.", "nothing"),
        ("**Salt** is white. It dissolves in **water**.", "nothing"),
    ],
)
def test_a_sentence_with_a_bold_text_in_each_blank_gives_these(reply: str, texts: object) -> None:
    assert blanks(reply, 2) == texts


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("reply", "template", "kind", "answer"),
    [
        ("<think>Is it (0, 1)? No.</think>(1, 1)", "(row,column)", "value", (1, 1)),
        ("<think>I see 5.</think>4", "COUNT:x", "value", 4),
        ("<think>COUNT: 5</think>", "COUNT:x", "value", 5),
        ("Row 0, column 2", "(row,column)", "value", (0, 2)),
        ("The cell is in row 0, column 2.", "(row,column)", "value", (0, 2)),
        ("Zeile 3, Spalte 1", "(row,column)", "value", (3, 1)),
        ("第0行第2列", "(row,column)", "value", (0, 2)),
        ("row 0", "(row,column)", "value", "nothing"),
        ("3 < 1 < 5 < 2 < 4", "1 2 3", "list", (3, 1, 5, 2, 4)),
        ("Path: S → 4 → 9 → E", "S 1 2 E", "list", ("S", 4, 9, "E")),
        ("The path is S -> 4 -> 9 -> E.", "S 1 2 E", "list", ("S", 4, 9, "E")),
        ("The path is not S → 4 → 9 → E.", "S 1 2 E", "list", "nothing"),
        ("It is S → 4 → E or 7.", "S 1 2 E", "list", "nothing"),
        ("**3 1 5 2 4** is the order by size.", "1 2 3", "list", (3, 1, 5, 2, 4)),
        ("**3 1** is the order, or **1 3**.", "1 2 3", "list", "nothing"),
        ("**3 1 5** is the order of 3 things.", "1 2 3", "list", "nothing"),
        ("The set is {(0, 1), (2, 3)}.", "CELLS: (row,column) or None", "set", {(0, 1), (2, 3)}),
        ("Without {(0, 1), (2, 3)}.", "CELLS: (row,column) or None", "set", "nothing"),
        ("COUNT: twenty one", "COUNT:x", "value", 21),
        ("yes", "YES | NO", "value", "YES"),
        ("ANSWER: blue", "ANSWER: Blue", "value", "Blue"),
    ],
)
def test_formats_are_read_behind_thinking_in_words_and_set_apart(
    reply: str, template: str, kind: str, answer: object
) -> None:
    assert formatted(reply, template, kind) == answer


@pytest.mark.parametrize("reply", ["COUNT:7", "```\nCOUNT:7\n```", "**COUNT:7**", "`COUNT:7`"])
def test_strict_reading_takes_markdown_round_the_whole_line_for_its_setting(reply: str) -> None:
    assert strict(reply, format_from("COUNT:x", "value")).answer == 7


@pytest.mark.parametrize("reply", ["**COUNT:**7", "**COUNT:7** circles", "**COUNT:7*", "> COUNT:7"])
def test_strict_reading_takes_nothing_else_off_a_line(reply: str) -> None:
    assert not strict(reply, format_from("COUNT:x", "value")).has_answer


def test_a_set_with_a_condition_is_the_same_with_and_without_latex() -> None:
    assert same_text("{x | x > 1}", r"$\{x|x>1\}$")
    assert same_text("{x | x ≥ 0}", r"$\{x\mid x\ge 0\}$")
    assert not same_text("{x | x > 1}", r"$\{x|x<1\}$")
    assert not same_text("x|x>1", r"$\{x|x>1\}$")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("| Option | Conducts? | Right |\n|---|---|---|\n| A | yes | no |\n| B | no | yes |", "B"),
        ("| A | ✓ | ✗ |\n| B | ✗ | ✓ |\n| C | ✓ | ✗ |", "B"),
    ],
)
def test_the_last_column_of_a_table_of_options_decides(reply: str, answer: str) -> None:
    assert one(reply) == answer
