"""Text tables of items: rows with too many cells, other separators and other encodings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.errors import GfactorError
from gfactor.items import ItemBank

Run = Callable[..., Ran]

RAGGED = "id,question,answer\na,What?,x\nb,What, then,y,z\nc,Who?,y\nd,Where\n"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return partial(run_cli, monkeypatch, capsys)


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_a_row_with_too_many_cells_is_named_in_one_sentence(
    run: Run, tmp_path: Path, ending: str
) -> None:
    source = tmp_path / f"own{ending}"
    source.write_text(RAGGED.replace(",", "\t") if ending == ".tsv" else RAGGED)
    ran = run("build", "vlmevalkit", "--from", str(source), "-o", str(tmp_path / "own.parquet"))
    assert ran.code == 2
    assert ran.err.strip() == (
        f"gfactor: 'own{ending}', data row 2: it has 5 cells for 3 columns; fix the file, or load "
        "the rest with --skip-invalid"
    )


@pytest.mark.thorough
@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_rows_with_another_number_of_cells_are_skipped_and_counted(
    run: Run, tmp_path: Path, ending: str
) -> None:
    source, bank = tmp_path / f"own{ending}", tmp_path / "own.parquet"
    source.write_text(RAGGED.replace(",", "\t") if ending == ".tsv" else RAGGED)
    ran = run("build", "vlmevalkit", "--from", str(source), "--skip-invalid", "-o", str(bank))
    assert ran.code == 0, ran.err
    assert [item.id for item in ItemBank.open(bank)] == ["own/a", "own/c"]
    first = f"'own{ending}', data row 2: it has 5 cells for 3 columns"
    assert f"2 rows were skipped:\n  {first}" in ran.out
    assert f"'own{ending}', data row 4: it has 2 cells for 3 columns" in ran.out


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("ending", "separator", "encoding", "note"),
    [
        (".csv", ";", "utf-8", "semicolons between the cells"),
        (".csv", "\t", "utf-16", "the encoding UTF-16, tabs between the cells"),
        (".csv", ";", "cp1252",
         "the encoding Windows-1252 (Latin-1), semicolons between the cells"),
        (".tsv", ";", "utf-8", "semicolons between the cells"),
    ],
)  # fmt: skip
def test_a_table_from_a_spreadsheet_becomes_a_bank_with_a_note(
    run: Run, tmp_path: Path, ending: str, separator: str, encoding: str, note: str
) -> None:
    lines = ["id,question,answer", "a,Wie groß?,3", "b,Wer küßt Müller?,Özil"]
    source, bank = tmp_path / f"own{ending}", tmp_path / "own.parquet"
    source.write_bytes("\r\n".join(lines).replace(",", separator).encode(encoding))
    ran = run("build", "vlmevalkit", "--from", str(source), "-o", str(bank))
    assert ran.code == 0, ran.err
    assert ran.err.count(f"note: {source} was read with {note}\n") == 1
    assert [item.content[0] for item in ItemBank.open(bank)] == ["Wie groß?", "Wer küßt Müller?"]


def test_a_table_in_chinese_of_another_encoding_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "own.csv"
    source.write_bytes("id,question,answer\na,图中有几个点,三\n".encode("gb18030"))
    with pytest.raises(GfactorError, match="iconv -f GB18030"):
        gf.build("vlmevalkit", source=str(source), path=tmp_path / "own.parquet")
    with pytest.raises(GfactorError, match="line 2: this is not text in UTF-8"):
        gf.score(str(source))


def test_a_quotation_mark_that_swallows_rows_is_asked_for(tmp_path: Path) -> None:
    source = tmp_path / "own.csv"
    source.write_text('id,question,answer\na,What?,x\nb,"Who?,y\nc,Where?,z\n')
    with pytest.raises(GfactorError, match=r"data row 2: it has 2 cells .* in 2 lines \(is a quot"):
        gf.build("vlmevalkit", source=str(source), path=tmp_path / "own.parquet")
