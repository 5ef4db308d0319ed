"""Loaded banks from files to scores, on the command line: built, put in words, answered, scored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.cli import Ran, run_cli
from support.releases import FILES, base64_png, write_m3gia, write_mm_iq, write_multi, write_tsv

from gfactor.administration import Condition, render
from gfactor.administration.asking.preparing import Files, prepare
from gfactor.errors import GfactorError
from gfactor.items import ItemBank

Run = Callable[..., Ran]
BASELINES = ("random", "most", "constant")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


def write_tables(folder: Path) -> Path:
    folder.mkdir()
    rows: list[dict[str, Any]] = [
        {"index": k, "question": f"Is it {k}?", "answer": "Yes" if k % 2 else "No",
         "category": "count", "image": base64_png(k)}
        for k in range(4)
    ]  # fmt: skip
    rows.append({"index": 9, "question": "How many?", "answer": "4", "category": "count"})
    return write_tsv(folder / "MME.tsv", rows)


WRITERS: dict[str, Callable[[Path], Path]] = {
    "m3gia": write_m3gia,
    "mm-iq": write_mm_iq,
    "multi": write_multi,
    "vlmevalkit": write_tables,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(WRITERS))
def test_a_bank_is_built_answered_and_scored(run: Run, tmp_path: Path, name: str) -> None:
    source = WRITERS[name](tmp_path / "release")
    bank, journal = tmp_path / "bank.parquet", tmp_path / "c.db"
    made = json.loads(run("build", name, "--from", source, "-o", bank, "--json").out)
    assert made["skipped"] == 0
    examinees = [word for b in BASELINES for word in ("--examinee", f"baseline:{b}")]
    assert run("run", bank, "--journal", journal, *examinees).code == 0
    scored = json.loads(run("score", journal, "--json").out)
    by_examinee = {one["examinee"]: one for one in scored["results"]}
    assert set(by_examinee) == {"baseline:random?seed=0", "baseline:most", "baseline:constant"}
    for row in by_examinee.values():
        assert row["n"] == made["items"]
        assert row["missing"] == 0
    # The best constant reply of every task is right at least as often as the most frequent one.
    best, most = by_examinee["baseline:constant"], by_examinee["baseline:most"]
    assert best["accuracy"] >= most["accuracy"]


def test_skipped_rows_are_said_and_stored(run: Run, tmp_path: Path) -> None:
    rows = [{"index": 1, "question": "?", "A": "x", "B": "y", "answer": "A"},
            {"index": 2, "question": "?", "A": "x", "B": "y", "answer": "C"}]  # fmt: skip
    source = write_tsv(tmp_path / "X.tsv", rows)
    bank = tmp_path / "b.parquet"
    ran = run("build", "vlmevalkit", "--from", source, "-o", bank)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "'X.tsv', data row 2, id '2': its key 'C' is not among its options (A, B)" in ran.err
    assert "--skip-invalid" in ran.err
    ran = run("build", "vlmevalkit", "--from", source, "--skip-invalid", "-o", bank)
    assert ran.code == 0
    assert "1 rows were skipped:\n  'X.tsv', data row 2, id '2'" in ran.out
    assert ItemBank.open(bank).metadata["skipped"] == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("m3gia",), "say where the published files are"),
        (("m3gia", "--from", "gone"), "there is no file or folder 'gone'"),
        (("m3gia", "--from", ".", "--language", "de"), "unknown language 'de'"),
        (("mm-iq", "--from", "."), "holds no questions of MM-IQ"),
        (("multi", "--from", "."), "holds no problem_"),
        (("vlmevalkit", "--from", "."), "holds no tables of items"),
        (("vlmevalkit", "--from", ".", "--language", "?"), "is not a tag"),
    ],
)
def test_a_mistake_is_one_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("build", *words, "-o", "b.parquet")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert told in ran.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", list(WRITERS))
def test_help_says_where_the_files_come_from(run: Run, name: str) -> None:
    ran = run("build", name, "--help")
    assert f"gfactor build {name} --from" in ran.out
    assert "--skip-invalid" in ran.out


def words_of(bank: ItemBank, item_id: str, condition: Condition) -> list[str]:
    rendered = render(bank.item(item_id), condition)
    return [s for s in rendered.content if isinstance(s, str)]


@pytest.mark.thorough
def test_m3gia_is_put_in_six_languages(run: Run, tmp_path: Path) -> None:
    write_m3gia(tmp_path / "release")
    run("build", "m3gia", "--from", tmp_path / "release", "-o", tmp_path / "b.parquet")
    bank = ItemBank.open(tmp_path / "b.parquet")
    said = {
        language: "\n".join(words_of(bank, f"{language}-001", Condition(background=True)))
        for language in FILES
    }
    starts = ("This is a question of an intelligence test", "这是一道智力测验题",
              "Cette question fait partie d'un test", "Esta pregunta es de una prueba",
              "Esta questão é de um teste", "이 문제는 지능 검사")  # fmt: skip
    for text, start in zip(said.values(), starts, strict=True):
        assert text.startswith(start)
        assert "\nB. gamma\n" in text
    assert len(set(said.values())) == 6


def test_options_in_the_picture_are_not_listed_and_never_permuted(run: Run, tmp_path: Path) -> None:
    write_mm_iq(tmp_path / "release")
    run("build", "mm-iq", "--from", tmp_path / "release", "-o", tmp_path / "b.parquet")
    bank = ItemBank.open(tmp_path / "b.parquet")
    text = "\n".join(words_of(bank, "en-0003", Condition()))
    assert "below it its options A, B, C and D" in text
    assert "\nA." not in text
    with pytest.raises(GfactorError, match="options_seed permutes choices, and those of item"):
        prepare(bank, Condition(options_seed=1), Files())
