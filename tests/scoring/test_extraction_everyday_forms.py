"""Forms of everyday replies in eight languages: limits, places, units in words, blanks by name.

Each rule is tested by other sentences than those that showed it, and by some that stay unread.
"""

from __future__ import annotations

import pytest
from support import readings
from support.readings import blanks, formatted

PICTURES = list("ABCD")
LENGTHS = {"A": "5 cm", "B": "6 cm", "C": "7 cm"}


def one(reply: str, options: dict[str, str] | list[str] = PICTURES) -> object:
    return readings.one(reply, options)


def several(reply: str, options: dict[str, str] | list[str] = PICTURES) -> object:
    return readings.several(reply, options)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Only A and D are true; B and C confuse mass with weight.", "AD"),
        ("Seules A et D sont vraies ; B et C confondent masse et poids.", "AD"),
        ("Solo A y D son verdaderas; B y C confunden masa y peso.", "AD"),
        ("只有A和D正确，B和C混淆了质量与重量。", "AD"),
        ("A와 D만 옳고, B와 C는 질량과 무게를 혼동한다.", "AD"),
        ("A and D are true; B and C confuse mass with weight.", "ambiguous"),
        ("All of them hold except B.", "ACD"),
        ("All of them hold.", "ABCD"),
        ("A und C streiche ich, B und D lasse ich stehen.", "BD"),
    ],
)
def test_options_to_which_a_verdict_is_limited_are_the_answer(reply: str, answer: str) -> None:
    assert several(reply) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The condition is met only by figure C.", "C"),
        ("Das gilt nur für Figur C.", "C"),
        ("Eso solo ocurre en la figura C.", "C"),
        ("Isso só acontece na figura C.", "C"),
        ("The second row shows only C.", "nothing"),
        ("I looked only at C.", "nothing"),
    ],
)
def test_only_before_an_option_at_the_end_limits_what_the_sentence_says(
    reply: str, answer: str
) -> None:
    assert one(reply) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Viele nehmen C, doch das ist ein häufiger Fehler: Es ist B.", "B"),
        ("Beaucoup prendraient C, c'est un piège : la bonne figure est la B.", "B"),
        ("A common mistake: the answer is B.", "nothing"),
    ],
)
def test_a_mistake_that_names_its_option_ends_with_its_clause(reply: str, answer: str) -> None:
    assert one(reply) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The ruler shows 6 centimeters.", "B"),
        ("Das Lineal zeigt 6 Zentimeter an.", "B"),
        ("尺子显示6厘米。", "B"),
        ("The ruler shows 6 meters.", "nothing"),
        ("It is more than 6 centimeters.", "nothing"),
        ("It is 6 centimeters or 7 centimeters.", "nothing"),
        ("It is not 6 centimeters.", "nothing"),
        ("8 centimeters.", "nothing"),
    ],
)
def test_a_number_with_its_unit_in_words_names_the_option_with_the_symbol(
    reply: str, answer: str
) -> None:
    assert one(reply, LENGTHS) == answer


def test_a_number_alone_names_the_option_that_counts_the_same_things() -> None:
    assert one("\\boxed{3}", {"A": "2개", "B": "3개"}) == "B"
    assert one("Answer: 3", {"A": "2 apples", "B": "3 apples"}) == "B"
    assert one("Answer: 3", {"A": "2 apples", "B": "3 pears"}) == "nothing"
    assert one("Answer: 3", {"A": "2 sin x", "B": "3 sin x"}) == "nothing"


def test_a_verdict_may_stand_behind_the_text_of_a_bracketed_option() -> None:
    options = {"A": "-2", "B": "-1", "C": "1", "D": "2"}
    assert one("So option B) -1 is correct.", options) == "B"
    assert one("So option B) -2 is correct.", options) == "nothing"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Two dots lie above the line and seven below it.", (2, 7)),
        ("Oberhalb der Linie sind es zwei, unterhalb sieben.", (2, 7)),
        ("Sous la ligne il y a sept points, au-dessus deux.", (2, 7)),
        ("上方有两个，下方有七个。", (2, 7)),
        ("선 위에 두 개, 선 아래에 일곱 개가 있다.", (2, 7)),
        ("About two dots lie above the line and seven below it.", "nothing"),
        ("Two or three dots lie above the line and seven below it.", "nothing"),
        ("Two dots lie above the line.", "nothing"),
    ],
)
def test_numbers_with_the_places_that_labels_name_are_read(reply: str, answer: object) -> None:
    assert formatted(reply, "ABOVE:x BELOW:y", "tuple") == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Frei ist die vierte Spalte der zweiten Zeile, also (4, 2).", (4, 2)),
        ("La casilla está en la segunda fila, o sea, (4, 2).", (4, 2)),
        ("It stands in the second row, that is (4, 2).", (4, 2)),
        ("The row below contains (4, 2).", "nothing"),
        ("It is not in the second row, that is (4, 2).", "nothing"),
    ],
)
def test_a_cell_that_a_last_line_concludes_with_is_read(reply: str, answer: object) -> None:
    assert formatted(reply, "(x,y) or None (last line)", "tuple") == answer


def test_lists_and_counts_of_a_format_are_read_in_other_languages() -> None:
    order, path = ("3 1 2 (last line)", "list"), ("S,2,3,...,E (last line)", "list")
    assert formatted("正确的顺序应该是2、1、3。", *order) == (2, 1, 3)
    assert formatted("Die Reihenfolge lautet 2, 1, 3.", *order) == (2, 1, 3)
    assert formatted("Der Weg lautet S – 4 – 8 – E.", *path) == ("S", 4, 8, "E")
    shapes = ("CIRCLES:x TRIANGLES:y SQUARES:z", "tuple")
    assert formatted("Hay tres círculos, un triángulo y dos cuadrados.", *shapes) == (3, 1, 2)
    assert formatted("Hay tres círculos y dos cuadrados.", *shapes) == "nothing"
    assert formatted("هناك خمس دوائر في الصورة.", "COUNT:x", "value") == 5
    assert formatted("答案是NO。", "YES | NO (last line)", "value") == "NO"


@pytest.mark.parametrize(
    ("reply", "count", "answer"),
    [
        ("**الفراغ الأول:** 5\n**الفراغ الثاني:** 9", 2, ("5", "9")),
        ("Gap one: rain; gap two: snow.", 2, ("rain", "snow")),
        ("Lücke zwei: Schnee; Lücke eins: Regen.", 2, ("Regen", "Schnee")),
        ('"Rain" belongs in the first gap and "snow" in the second.', 2, ("Rain", "snow")),
        ("The first word is **rain** and the second **snow**.", 2, ("rain", "snow")),
        ("rain / snow", 2, ("rain", "snow")),
        ("We read the scale.\n\n**37.5 kg**", 1, ("37.5 kg",)),
        ("La masse est donc 15.", 1, ("15",)),
        ("In the end I arrive at $y = 4$.", 1, ("y = 4",)),
        ("不等式的解集为 x>2。", 1, ("x>2",)),
    ],
)
def test_blanks_are_named_by_numerals_by_places_and_by_their_last_line(
    reply: str, count: int, answer: object
) -> None:
    assert blanks(reply, count) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("La réponse la plus plausible est la C.", "C"),
        ("Lo más probable es que sea la C.", "C"),
        ("O mais provável é a letra C.", "C"),
        ("After a second look I'm sticking with C.", "C"),
        ("الشكل الوحيد الذي يطابق النمط هو C.", "C"),
        ("نستبعد A و B و D، فلا يبقى إلا C.", "C"),
        ("Lo más probable no es que sea la C.", "nothing"),
    ],
)
def test_more_ways_to_announce_an_answer_are_known(reply: str, answer: str) -> None:
    assert one(reply) == answer


def test_what_is_most_possible_is_meant() -> None:
    places = {"A": "医院", "B": "学校"}
    assert one("墙上有黑板，这里最有可能是学校。", places) == "B"
    assert one("墙上有黑板，这里可能是学校。", places) == "nothing"
