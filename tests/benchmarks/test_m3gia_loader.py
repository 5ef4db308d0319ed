"""M3GIA from its published files: six languages, 18 types, factors, keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.releases import ASKED, FILES, m3gia_rows, write_m3gia

from gfactor.benchmarks import build
from gfactor.benchmarks.m3gia import (
    BROAD,
    CLUSTERS,
    FACTORS,
    NARROW,
    TYPES,
    items_per_cluster,
    items_per_factor,
    q_matrix,
    type_named,
)
from gfactor.errors import GfactorError
from gfactor.items import ItemBank


def load(folder: Path, **options: Any) -> ItemBank:
    built = build("m3gia", folder / "bank.parquet", source=str(folder / "release"), **options)
    return ItemBank.open(built.path, decode=True)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    write_m3gia(tmp_path / "release")
    return tmp_path


@pytest.mark.thorough
def test_every_language_has_its_items(release: Path) -> None:
    bank = load(release)
    assert len(bank) == 24
    for language in FILES:
        item = bank.item(f"{language}-001")
        assert (item.language, item.text) == (language, ASKED[language].format("alpha"))
        assert item.target == "B"
    assert bank.metadata["languages"] == list(FILES)
    assert bank.metadata["skipped"] == 0


def test_options_end_at_none_and_stand_in_the_picture_where_they_are_letters(release: Path) -> None:
    bank = load(release, languages=("en",))
    assert [c.content for c in bank.item("en-001").choices] == ["beta", "gamma", "delta"]
    assert len(bank.item("en-211").choices) == 5
    assert [c.content for c in bank.item("en-051").choices] == ["", "", "", ""]


def test_a_hint_stands_between_picture_and_question(release: Path) -> None:
    item = load(release, languages=("en",)).item("en-251")
    assert item.content[1:] == ("Look at the rows.", "Which fits?")
    assert item.images == (item.content[0],)


def test_labels_are_type_cluster_and_factors(release: Path) -> None:
    labels = load(release, languages=("ko",)).labels()
    assert labels["ko-211"] == {
        "domain": "Number Series", "image_type": "NI", "cluster": "Reasoning",
        "test_language": "ko", "number": 211, "factors": ("Gf",), "narrow_factors": ("I", "RQ"),
    }  # fmt: skip
    assert labels["ko-251"]["factors"] == ("Gv", "Gf")
    assert "narrow_factors" not in labels["ko-001"]


def test_the_q_matrix_has_table_3s_totals() -> None:
    counts = items_per_factor()
    assert counts == {"Gc": 80, "Gv": 110, "Grw": 40, "Gq": 60, "Gf": 125, "I": 50, "RG": 40,
                      "RQ": 55}  # fmt: skip
    assert sum(t.per_language for t in TYPES.values()) == 300
    assert items_per_cluster() == dict(zip(CLUSTERS, (50, 60, 40, 60, 90), strict=True))
    matrix = q_matrix()
    assert matrix.shape == (18, len(FACTORS))
    weights = [t.per_language for t in TYPES.values()]
    assert {f: int(matrix[f].to_numpy() @ weights) for f in FACTORS} == counts
    for kind in TYPES.values():
        assert ("Gf" in kind.broad) == bool(kind.narrow)
        assert set(kind.broad) <= set(BROAD)
        assert set(kind.narrow) <= set(NARROW)


@pytest.mark.parametrize("written", ["Number Seres", "Raven’s Matrices", " Math  Facts "])
def test_types_are_read_as_the_files_spell_them(written: str) -> None:
    assert type_named(written).name in TYPES


def changed(**cells: Any) -> list[dict[str, Any]]:
    rows = m3gia_rows("en")
    rows[2] = {**rows[2], **cells}
    return rows


INVALID = [
    ({"QuestionTypes": "Chess"}, "question type 'Chess' is none of the 18"),
    ({"index": "x"}, "its index must be a whole number, not 'x'"),
    ({"index": "1", "QuestionTypes": "Oral Vocabulary"}, "the id is already that of row 1"),
    ({"B": "none"}, "it has an option C, but no option B"),
    ({"A": "nan", "B": "", "C": "", "D": "", "E": ""}, "it has 0 options"),
    ({"question": "none"}, "it has neither a question nor a hint"),
    ({"image": {"bytes": b"GIF", "path": "x"}}, "image 'en-211.png' cannot be decoded"),
    ({"image": {"bytes": None, "path": "x.png"}}, "its image names a file ('x.png')"),
]


@pytest.mark.parametrize(("cells", "told"), INVALID)
def test_an_invalid_row_is_told_with_file_row_and_id(
    tmp_path: Path, cells: dict[str, Any], told: str
) -> None:
    write_m3gia(tmp_path / "release", ["en"], en=changed(**cells))
    with pytest.raises(GfactorError) as error:
        load(tmp_path, languages=("en",))
    index = cells.get("index", "211")
    assert f"'en_final.parquet', row 3, id {index!r}: {told}" in str(error.value)
    assert not (tmp_path / "bank.parquet").exists()
    bank = load(tmp_path, languages=("en",), skip_invalid=True)
    assert len(bank) == 3
    assert bank.metadata["skipped"] == 1
    assert told in bank.metadata["skipped_rows"][0]


def test_a_key_that_is_no_option_is_invalid(release: Path) -> None:
    keys = release / "release" / "data" / "ground_truth" / "answer_dict_english.jsonl"
    entries = json.loads(keys.read_text())
    entries[0]["ground_truth"] = "D"
    # Lines instead of an array, as the ending says.
    keys.write_text("\n".join(map(json.dumps, entries)))
    with pytest.raises(GfactorError, match="row 1, id '1': its target \"D\" is not among"):
        load(release, languages=("en",))


def test_a_key_of_another_type_is_invalid(release: Path) -> None:
    keys = release / "release" / "data" / "ground_truth" / "answer_dict_english.jsonl"
    entries = json.loads(keys.read_text())
    entries[1]["question_type"] = "Geometry"
    keys.write_text(json.dumps(entries))
    with pytest.raises(GfactorError, match="its key names another type of question, 'Geometry'"):
        load(release, languages=("en",))


def test_missing_keys_and_languages_are_told(release: Path) -> None:
    folder = release / "release"
    (folder / "pt_final.parquet").unlink()
    with pytest.raises(GfactorError, match="no file of language 'pt'"):
        load(release)
    for path in folder.rglob("*.jsonl"):
        path.rename(release / path.name)
    with pytest.raises(GfactorError, match="holds no keys"):
        load(release, languages=("en",))
    assert len(load(release, languages=("en",), answers=str(release))) == 4


def test_a_file_of_its_own_needs_no_other(release: Path) -> None:
    folder = release / "release"
    for path in folder.glob("answer*"):
        path.unlink()
    (folder / "data" / "ground_truth" / "answer_dict_english.jsonl").rename(
        folder / "answer_dict_english.jsonl"
    )
    source = str(folder / "en_final.parquet")
    built = build("m3gia", release / "one.parquet", source=source)
    assert built.items == 4


@pytest.mark.thorough
def test_the_bank_is_the_same_for_any_number_of_jobs(release: Path) -> None:
    one = load(release)
    first = one.path.read_bytes()
    build("m3gia", release / "two.parquet", source=str(release / "release"), jobs=2)
    assert (release / "two.parquet").read_bytes() == first


def test_a_whole_bank_has_table_3s_totals_exactly(tmp_path: Path) -> None:
    for language in FILES:
        base = m3gia_rows(language)[2]
        names = [name for name, kind in TYPES.items() for _ in range(kind.per_language)]
        rows = [
            {**base, "index": str(k), "question": f"{k}?", "QuestionTypes": name}
            for k, name in enumerate(names, 1)
        ]
        write_m3gia(tmp_path / "release", [language], **{language: rows})
    bank = load(tmp_path)
    assert len(bank) == 1800
    frame = bank.frame()
    counts = frame.groupby("domain").size().to_dict()
    assert counts == {name: 6 * kind.per_language for name, kind in TYPES.items()}
    per_factor = {f: 6 * n for f, n in items_per_factor().items()}
    found = {**bank.q_matrix("factors").sum(), **bank.q_matrix("narrow_factors").sum()}
    assert found == per_factor
