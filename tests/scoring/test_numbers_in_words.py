"""Numbers in words and signs, and the parts of a text that are numbered, one rule at a time."""

from __future__ import annotations

import itertools

import pytest

from gfactor.scoring.extraction.candidates import ReadingTask, counted
from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.numbering import numbered
from gfactor.scoring.extraction.numerals import counted as counted_in
from gfactor.scoring.extraction.numerals import headed, number_in_words
from gfactor.scoring.extraction.options import OptionTexts

WORDS = {"A": "kite", "B": "drum", "C": "bell", "D": "horn", "E": "leaf"}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("17", 17), ("007", 7), ("Zéro", 0), ("neuf", 9), ("dix-sept", 17),
        ("vingt", 20), ("vingt-deux", 22), ("soixante-neuf", 69), ("trente et un", 31),
        ("uno", 1), ("quince", 15), ("dieciséis", 16), ("treinta y uno", 31),
        ("sesenta y nueve", 69), ("veintidós", 22), ("veintinueve", 29), ("veintiuno", 21),
        ("dezenove", 19), ("dezanove", 19), ("vinte e um", 21), ("sessenta e nove", 69),
        ("duas", 2), ("catorze", 14), ("零", 0), ("九", 9), ("两", 2), ("十", 10), ("十二", 12),
        ("二十", 20), ("九十九", 99), ("하나", 1), ("열", 10), ("열하나", 11), ("스무", 20),
        ("스물둘", 22), ("쉰아홉", 59),
    ],
)  # fmt: skip
def test_a_number_in_words_is_its_number(text: str, number: int) -> None:
    assert number_in_words(text) == number


@pytest.mark.parametrize(
    "text", ["", "many", "1.5", "-3", "²", "vingtdeux", "十十", "百", "열스물"]
)
def test_other_words_are_no_number(text: str) -> None:
    assert number_in_words(text) is None


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Il y a trois cercles.", 3),
        ("En tout : quinze.", 15),
        ("Hay dos gatos.", 2),
        ("Há duas bolas no total.", 2),
        ("Conto catorze.", 14),
        ("图中共有十二个圆。", 12),
        ("一共有二十三个。", 23),
        ("모두 세 개입니다.", 3),
        ("총 열두 개", 12),
    ],
)
def test_a_counting_sentence_gives_its_number(line: str, number: int) -> None:
    assert counted_in(line) == number


@pytest.mark.parametrize(
    "line",
    [
        "Hay dos gatos y tres perros.",
        "Deux cercles.",
        "La torre de dos pisos.",
        "Il y a un cercle.",
        "It has three circles.",
    ],
)
def test_two_numbers_or_no_counting_phrase_give_none(line: str) -> None:
    assert counted_in(line) is None


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Total : douze cercles", 12),
        ("Total: 7", 7),
        ("Suma = veintidós.", 22),
        ("总数：十二个", 12),
        ("개수는 열두 개입니다", 12),
        ("Total", None),
        ("Total: many", None),
        ("The bell rings: 7", None),
        ("Total: 3 + 4", None),
    ],
)
def test_a_heading_for_the_total_gives_the_number_behind_it(line: str, number: int | None) -> None:
    assert headed(line) == number


@pytest.mark.parametrize(
    ("text", "count", "parts"),
    [
        ("1. salt 2. water", 2, ["salt", "water"]),
        ("(1) salt (2) water (3) sand", 3, ["salt", "water", "sand"]),
        ("2. water\n1. salt", 2, ["salt", "water"]),
        ("① salt ② water", 2, ["salt", "water"]),
        ("(가) 소금 (나) 물", 2, ["소금", "물"]),
        ("a) salt\nb) water", 2, ["salt", "water"]),
        ("i. salt\nii. water\niii. sand", 3, ["salt", "water", "sand"]),
        ("[1]: salt, [2]: water", 2, ["salt", "water"]),
        ("First: salt, second: water", 2, ["salt", "water"]),
        ("第一空:盐;第二空:水", 2, ["盐", "水"]),  # full-width signs are folded before
        ("1. salt 2. water", 3, []),
        ("1. salt 3. water", 2, []),
        ("salt and water", 2, []),
        ("1. salt 1. water", 2, []),
    ],
)
def test_the_parts_behind_the_numbers(text: str, count: int, parts: list[str]) -> None:
    found = [part.strip(" ,;；。") for part in numbered(text, count)]
    assert found == parts


def named(text: str, at: str, *, many: bool = False, options: dict[str, str] = WORDS) -> str | None:
    """The labels that the text counts to from the place of `at` on."""
    task = ReadingTask(Grammar(tuple(options)), OptionTexts(options), many)
    found = counted(text, text.index(at), task)
    if found is None:
        return None
    assert found.trouble == ""
    assert text[found.start :].startswith(at)
    return "".join(sorted(found.labels)) + f" {text[found.start : found.end]}"


@pytest.mark.parametrize(
    ("text", "at", "many", "expected"),
    [
        ("③", "③", False, "C ③"),
        ("①③", "①", True, "AC ①③"),
        ("①、②和⑤", "①", True, "ABE ①、②和⑤"),
        ("①③", "①", False, None),
        ("⑥", "⑥", False, None),
        ("①①", "①", True, None),
        ("2번", "2", False, "B 2번"),
        ("2번, 4번", "2", True, "BD 2번, 4번"),
        ("6번", "6", False, None),
        ("Option 3", "3", False, "C 3"),
        ("option number 5 is", "5", False, "E 5"),
        ("In all 3 are", "3", False, None),
        ("Option 0", "0", False, None),
        ("Option 3.5", "3", False, None),
        ("the second option", "the", False, "B the second option"),
        ("the fifth one", "the", False, "E the fifth one"),
        ("la troisième figure", "la", False, "C la troisième figure"),
        ("the first.", "the", False, "A the first"),
        ("the first of many", "the", False, None),
        ("第四个选项", "第", False, "D 第四个选项"),
        ("第5项", "第", False, "E 第5项"),
        ("세 번째 선택지", "세", False, "C 세 번째 선택지"),
        ("第六个", "第", False, None),
    ],
)
def test_options_named_by_their_place(text: str, at: str, many: bool, expected: str | None) -> None:
    assert named(text, at, many=many) == expected


def test_places_are_not_counted_where_options_hold_numbers_or_circles() -> None:
    numbers = {"A": "2 cats", "B": "3 cats", "C": "none"}
    assert named("2번", "2", options=numbers) is None
    assert named("2번, 1번", "2", many=True, options=numbers) is None
    assert named("1번", "1", options=numbers) == "A 1번"
    circled = {"A": "① and ②", "B": "②", "C": "③"}
    assert named("②", "②", options=circled) is None
    labels = {"1": "cat", "2": "dog"}
    assert named("Option 2", "2", options=labels) is None


def test_korean_numbers_join_a_ten_and_a_unit_in_either_of_its_forms() -> None:
    units = {"하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "넷": 4, "네": 4, "다섯": 5,
             "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9}  # fmt: skip
    tens = {"": 0, "열": 10, "스물": 20, "서른": 30, "마흔": 40, "쉰": 50}
    for (ten, first), (unit, second) in itertools.product(tens.items(), units.items()):
        assert number_in_words(ten + unit) == first + second
    assert [number_in_words(ten) for ten in tens if ten] == [10, 20, 30, 40, 50]
    assert number_in_words("스무") == 20
