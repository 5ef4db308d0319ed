"""MM-IQ from its published file: eight paradigms, two languages, chance per paradigm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.releases import mm_iq_rows, png, write_mm_iq

from gfactor.administration import Journal, run
from gfactor.benchmarks import build
from gfactor.benchmarks.mm_iq import PARADIGMS, paradigm_named
from gfactor.errors import GfactorError
from gfactor.examinees import make_examinee
from gfactor.items import ItemBank
from gfactor.scoring import chance_levels


def load(folder: Path, **options: Any) -> ItemBank:
    built = build("mm-iq", folder / "bank.parquet", source=str(folder / "release"), **options)
    return ItemBank.open(built.path, decode=True)


def test_both_languages_show_the_same_pictures(tmp_path: Path) -> None:
    write_mm_iq(tmp_path / "release")
    bank = load(tmp_path)
    assert len(bank) == 16
    english, chinese = bank.item("en-0003"), bank.item("zh-0003")
    assert english.text == "Choose the option that fits best (3)."
    assert chinese.text == "请选出最合适的一项（3）。"
    assert english.images == chinese.images
    assert english.target == "D"
    assert [c.content for c in english.choices] == ["", "", "", ""]
    assert {labels["domain"] for labels in bank.labels().values()} == set(PARADIGMS)


def test_a_language_is_chosen(tmp_path: Path) -> None:
    write_mm_iq(tmp_path / "release")
    assert {item.language for item in load(tmp_path, languages=("zh",))} == {"zh"}


def test_an_older_file_with_one_question_column_serves_its_own_language(tmp_path: Path) -> None:
    rows = [{k: v for k, v in row.items() if not k.startswith("question_")} for row in mm_iq_rows()]
    write_mm_iq(tmp_path / "release", rows)
    assert len(load(tmp_path, languages=("en",))) == 8
    with pytest.raises(GfactorError, match="it has no question in language 'zh'"):
        load(tmp_path, languages=("zh",))


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({"category": "Chess"}, "category 'Chess' is none of the eight"),
        ({"answer": "E"}, 'its target "E" is not among its choices (A, B, C, D)'),
        ({"answer": ""}, "it has no key"),
        ({"image": None}, "image '0002.png' has no bytes"),
        ({"image": {"bytes": png(1)[:-9], "path": "x"}}, "image '0002.png' is a PNG that is cut"),
        ({"data_id": 1}, "the id is already that of row 2"),
    ],
)
def test_an_invalid_row_is_told_with_file_row_and_id(
    tmp_path: Path, cells: dict[str, Any], told: str
) -> None:
    rows = mm_iq_rows()
    rows[2] = {**rows[2], **cells}
    write_mm_iq(tmp_path / "release", rows)
    with pytest.raises(GfactorError) as error:
        load(tmp_path, languages=("en",))
    where = f"'test-00000-of-00001.parquet', row 3, id '{cells.get('data_id', 2)}': {told}"
    assert where in str(error.value)
    bank = load(tmp_path, languages=("en",), skip_invalid=True)
    assert (len(bank), bank.metadata["skipped"]) == (7, 1)


@pytest.mark.parametrize("written", ["Mathematical", "mathematics", "2D-Geometry", "3d geometry"])
def test_paradigms_are_read_as_the_files_spell_them(written: str) -> None:
    assert paradigm_named(written).name in PARADIGMS


@pytest.mark.thorough
def test_chance_is_a_quarter_in_every_paradigm(tmp_path: Path) -> None:
    """One of four options, whatever keys the items of a paradigm happen to have."""
    categories = [p.name for p in PARADIGMS.values() for _ in range(3)]
    image = {"bytes": png(5), "path": "x.png"}
    rows = [
        {**mm_iq_rows()[0], "data_id": number, "category": category, "image": image,
         "question_en": f"Which fits? {number}", "answer": "AAB"[number % 3]}
        for number, category in enumerate(categories)
    ]  # fmt: skip
    write_mm_iq(tmp_path / "release", rows)
    built = build(
        "mm-iq", tmp_path / "b.parquet", source=str(tmp_path / "release"), languages=("en",)
    )
    with Journal.open(tmp_path / "c.db") as journal:
        bank = ItemBank.open(built.path)
        run(bank, make_examinee("baseline:random", bank=bank), journal)
        levels = chance_levels(journal.items(), by="paradigm").to_dict()
    assert levels == {paradigm.short: 0.25 for paradigm in PARADIGMS.values()}
