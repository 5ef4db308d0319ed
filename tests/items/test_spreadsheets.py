"""Tables as spreadsheets write them in other countries: semicolons, decimal commas, encodings."""

from __future__ import annotations

from pathlib import Path

import pytest

from gfactor.errors import ParameterError
from gfactor.items.table_files import read_frame

ROWS = [["Müller", 1.5, 0], ["Çelik", 2.25, 1]]


@pytest.mark.parametrize(
    ("content", "note"),
    [
        ("name;a b;c\nMüller;1,5;0\nÇelik;2,25;1\n".encode("cp1252"),
         "the encoding Windows-1252 (Latin-1), semicolons between the cells, commas as decimal"),
        ("name;a b;c\r\nMüller;1.5;0\r\nÇelik;2.25;1\r\n".encode(),
         "semicolons between the cells\n"),
        ('"name";"a b";"c"\n"Müller";"1,5";0\n"Çelik";"2,25";1\n'.encode(), "semicolons"),
        ("name\ta b\tc\nMüller\t1.5\t0\nÇelik\t2.25\t1\n".encode("utf-16"),
         "the encoding UTF-16, tabs between the cells\n"),
        ("name,a b,c\nMüller,1.5,0\nÇelik,2.25,1\n".encode("latin-1"), "Windows-1252"),
    ],
)  # fmt: skip
def test_a_spreadsheets_table_is_read_with_a_note(
    content: bytes, note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    frame = read_frame(path)
    assert list(frame) == ["name", "a b", "c"]
    assert frame.to_numpy().tolist() == ROWS
    found = capsys.readouterr().err
    assert found.startswith(f"note: {path} was read with ")
    assert note in found


@pytest.mark.parametrize(
    ("code_page", "texts"),
    [("cp1252", ["1 m³ Kies", "¿Qué?", "20 µm"]), ("cp1250", ["Jak długi?", "żagiel", "ŁÓDŹ"])],
)
def test_polish_of_windows_is_told_from_western_text(
    code_page: str, texts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes("\n".join(["name,a", *(f"{text},1" for text in texts)]).encode(code_page))
    assert read_frame(path)["name"].tolist() == texts
    assert f"Windows-{code_page[2:]}" in capsys.readouterr().err


def test_a_usual_table_is_read_without_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    path.write_text('name,a b,c\nMüller,"1,5;2",0\n', "utf-8")
    assert read_frame(path).to_numpy().tolist() == [["Müller", "1,5;2", 0]]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "content",
    ["name,a\nöäüß,1\n".encode() + b"\xc3,1\n", b"name,a\n\x81,1\n", b"\xff\x01,a\n1,2\n"],
)
def test_damaged_text_is_no_other_encoding(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(ParameterError, match="this is not text in UTF-8"):
        read_frame(path)


@pytest.mark.parametrize(
    ("lines", "note"),
    [
        (
            "id,a,b\np1,1,0\np2,1\n",
            "fewer than 3 cells in line 3 (2 cells); the cells that it",
        ),
        ("id,a,b\np1\n\np2,1\n", "in lines 2 (1 cell), 4 (2 cells); the cells that they lack"),
        ("id,a,b\np1,1,\np2,1,0\n", ""),
        ('id,a,b\np1,"x\ny",\np2,1,0\n', ""),
    ],
)
def test_lines_that_end_early_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, note: str
) -> None:
    path = tmp_path / "short.csv"
    path.write_text(lines)
    assert len(read_frame(path)) == 2
    error = capsys.readouterr().err
    assert note in error
    assert bool(error) == bool(note)
