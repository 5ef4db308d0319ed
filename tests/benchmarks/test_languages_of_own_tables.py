"""The language of items of a person's table: columns that say it, and notes where none does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.releases import write_tsv

import gfactor as gf
from gfactor.benchmarks import build
from gfactor.items import ItemBank

ENGLISH = "How many of the boats are blue?"
PORTUGUESE = "Quantos dos barcos são azuis no porto?"


def built(
    folder: Path, rows: list[dict[str, Any]], name: str = "own", language: str = ""
) -> tuple[ItemBank, str]:
    numbered = [{"index": k, "answer": "red", **row} for k, row in enumerate(rows)]
    source = write_tsv(folder / f"{name}.tsv", numbered)
    options: dict[str, Any] = {"language": language} if language else {}
    done = build("vlmevalkit", folder / "bank.parquet", source=str(source), **options)
    return gf.open_bank(done.path), "; ".join(done.notes)


@pytest.mark.thorough
@pytest.mark.parametrize("column", ["language", "Language", "lang", "LANG"])
@pytest.mark.parametrize(
    ("cells", "tags"),
    [
        (["en", "PT", "pt_BR"], ["en", "pt", "pt-BR"]),
        (["English", "portuguese", "Português"], ["en", "pt", "pt"]),
        (["eng", "por", ""], ["en", "pt", "en"]),
    ],
)
def test_a_column_of_languages_says_the_language_and_is_no_label(
    tmp_path: Path, column: str, cells: list[str], tags: list[str]
) -> None:
    bank, notes = built(tmp_path, [{"question": ENGLISH, column: cell} for cell in cells])
    assert [item.language for item in bank] == tags
    assert not {"lang", "given_language"} & set(bank.label_types)
    assert notes == "labels for --by, besides domain: language"


@pytest.mark.thorough
def test_items_are_selected_by_language(tmp_path: Path) -> None:
    cells = ["en"] * 4 + ["pt"] * 4
    bank, _ = built(tmp_path, [{"question": ENGLISH, "language": cell} for cell in cells])
    gf.select(bank, "quota", by=["language"], quota="2,pt=1", path=tmp_path / "few.parquet")
    chosen = gf.open_bank(tmp_path / "few.parquet")
    assert [item.language for item in chosen] == ["en", "en", "pt"]


def test_a_column_lang_of_other_words_stays_a_label(tmp_path: Path) -> None:
    bank, _ = built(tmp_path, [{"question": ENGLISH, "lang": cell} for cell in ("ts", "cs", "py")])
    assert [item.language for item in bank] == ["en"] * 3
    assert [item.labels["lang"] for item in bank] == ["ts", "cs", "py"]


def test_the_language_column_of_a_published_set_stays_as_published(tmp_path: Path) -> None:
    rows = [{"question": ENGLISH, "language": "english", "lang": "PT"}]
    bank, _ = built(tmp_path, rows, "HallusionBench")
    (item,) = bank
    assert (item.language, item.labels["given_language"], item.labels["lang"]) == (
        "en", "english", "PT",
    )  # fmt: skip


def test_the_build_says_which_items_look_like_another_language(tmp_path: Path) -> None:
    rows = [{"question": text} for text in [ENGLISH] * 5 + [PORTUGUESE] * 4]
    _, notes = built(tmp_path, rows)
    assert notes == (
        "9 items have the language en, which nothing names: 4 with more words of pt (own/5, own/6, "
        "own/7 and 1 more). A column language (or lang), or --language TAG, names another"
    )
    for row in rows:
        row["lang"] = "pt" if row["question"] == PORTUGUESE else "en"
    assert built(tmp_path, rows)[1] == "labels for --by, besides domain: language"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Combien des bateaux sont bleus dans le port ?", "fr"),
        ("¿Cuántos de los barcos son azules en el puerto?", "es"),
        ("Welche der Boote im Hafen sind nicht blau?", "de"),
        (PORTUGUESE, "pt"),
    ],
)
def test_a_table_in_one_language_of_latin_letters_is_not_taken_for_english_in_silence(
    tmp_path: Path, question: str, language: str
) -> None:
    rows = [{"question": question}] * 4
    assert f": 4 with more words of {language} (" in built(tmp_path, rows)[1]
    bank, notes = built(tmp_path, rows, language=language)
    assert (notes, {item.language for item in bank}) == ("", {language})


def test_a_language_that_no_word_shows_is_named_as_assumed(tmp_path: Path) -> None:
    _, notes = built(tmp_path, [{"question": "Montrez trois bateaux bleus"}] * 3)
    assert notes.startswith(
        "3 items have the language en, which nothing names and no word shows. A column language"
    )
    assert built(tmp_path, [{"question": ENGLISH}] * 3)[1] == ""
