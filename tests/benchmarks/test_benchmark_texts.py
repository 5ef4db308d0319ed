"""Sentences agree in number and gender in every language, and can be read back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gfactor.benchmarks.chc.common import COMMON, cell_line, cell_of, cell_says
from gfactor.benchmarks.text_flaws import flaws
from gfactor.benchmarks.texts import LANGUAGES, Texts, is_plural, say
from gfactor.imaging.figures import FORMS, SHADES, SIZES, WAYS, CellFigures


@pytest.mark.parametrize(
    ("language", "cell", "said"),
    [
        ("en", CellFigures("cross", "small", "dark", 2), "2 small dark gray crosses"),
        ("en", CellFigures("star", "large", "white", 1), "1 large white star"),
        ("fr", CellFigures("star", "large", "white", 2), "2 étoiles blanches de grande taille"),
        ("fr", CellFigures("circle", "small", "black", 1), "1 cercle noir de petite taille"),
        ("es", CellFigures("cross", "medium", "black", 3), "3 cruces negras de tamaño mediano"),
        ("es", CellFigures("heart", "small", "white", 2), "2 corazones blancos de tamaño pequeño"),
        ("pt", CellFigures("heart", "large", "black", 2), "2 corações pretos de tamanho grande"),
        ("pt", CellFigures("star", "large", "black", 1), "1 estrela preta de tamanho grande"),
        ("zh", CellFigures("circle", "small", "light", 3), "3个小号浅灰色圆形"),
        ("ko", CellFigures("square", "large", "white", 2), "큰 흰색 정사각형 2개"),
        ("fr", CellFigures("arrow", "small", "white", 2, 6),
         "2 flèches blanches de petite taille, la pointe vers la gauche"),
        ("ko", CellFigures("arrow", "small", "black", 1, 1),
         "오른쪽 위쪽을 가리키는 작은 검은색 화살표 1개"),
    ],
)  # fmt: skip
def test_adjectives_and_nouns_agree(language: str, cell: CellFigures, said: str) -> None:
    assert COMMON.write(cell_line(cell), language) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cell_is_read_back_from_its_words(language: str) -> None:
    for form in FORMS:
        for k, (size, shade) in enumerate((s, t) for s in SIZES for t in SHADES):
            turn = k % len(WAYS) if form == "arrow" else 0
            cell = CellFigures(form, size, shade, k % 6 + 1, turn, ("top", "left") if k % 2 else ())
            line = COMMON.write(cell_line(cell), language)
            cells = COMMON.read(line, language, ["panel"])["cells"]
            assert isinstance(cells, tuple)
            assert cell_of(cells) == cell  # pyright: ignore[reportArgumentType]


def test_plural_follows_the_language() -> None:
    assert [is_plural(n, "en") for n in (0, 1, 2)] == [True, False, True]
    assert [is_plural(n, "fr") for n in (0, 1, 2)] == [False, False, True]
    assert not any(is_plural(n, "zh") for n in (0, 1, 2))


def test_a_line_that_no_template_makes_is_refused() -> None:
    with pytest.raises(ValueError, match="0 templates"):
        COMMON.read("2 small dark gray crossses", "en", ["cell"])
    with pytest.raises(ValueError, match="0 templates"):
        COMMON.read("1 small black crosses", "en", ["cell"])


def test_flaws_name_what_is_missing() -> None:
    broken = Texts(
        {"a": {"en": "{count} x", "fr": "x", "zh": "", "es": "{n:n=count}"}},
        {"n": {"dog": {"en": ("dog", "dogs", "n")}}},
    )
    found = " ".join(flaws(broken))
    for part in (
        "no text in 'zh'",
        "fr: it has no field, and English has {count}",
        "agrees with 'count'",
        "no form in 'ko'",
    ):
        assert part in found
    assert flaws(COMMON) == []


def test_two_words_of_a_class_that_share_a_form_are_refused() -> None:
    both = {"dog": {"en": ("x",)}, "cat": {"en": ("x",)}}
    with pytest.raises(ValueError, match="'x' is"):
        Texts({"a": {"en": "{pet}"}}, {"pet": both}).read("x", "en")


def test_a_says_fields_are_in_the_order_of_their_names() -> None:
    assert say("a", b=1, a=2) == say("a", a=2, b=1)
    assert replace(say("a", b=1), template="c")["b"] == 1
    assert cell_says(CellFigures("circle"))[0]["count"] == 1
