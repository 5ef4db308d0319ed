"""A user's mistakes in tables of scores: one sentence, exit code 2, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import run_cli

READERS = (
    ("analyze", "adequacy"),
    ("analyze", "efa"),
    ("analyze", "pls", "--model", "A =~ a + b"),
    ("analyze", "cfa", "--model", "g =~ a + b + c"),
    ("analyze", "invariance", "--model", "g =~ a + b + c", "--group", "name"),
    ("import-scores",),
    ("prune",),
)

MISTAKES = {
    "empty.csv": (b"", "is empty"),
    "header.csv": (b"name,a,b,c\n", ""),
    "damaged.csv": (
        "name,a,b,c\nöäü,1,2,3\n".encode() + b"\xc3,1,2,3\n",
        "line 3: this is not text in UTF-8",
    ),
    "zero.csv": (b"name,a,b,c\nm1,1\x00,2,3\n", "line 2: a zero byte"),
    "twice.csv": (b"name,a,a,b,c\nm1,1,2,3,4\nm2,2,1,3,4\n", "two columns called 'a'"),
    "ragged.csv": (
        b"name,a,b\nm1,1\nm2,1,2,3,4\n",
        "line 3: 5 cells in a table of",
    ),
    "quote.csv": (b'name,a,b\nm1,"1,2\nm2,3,4\n', "line 2: a quotation mark is opened"),
    "long.csv": (b"name,a,b,c\nm1," + b"x" * 100_000 + b",2,3\nm2,1,2,3\n", ""),
    "cut.parquet": (b"PAR1 and no more", "is not a Parquet file"),
}


# A long text is no mistake to import-scores: a column of texts is a fact there.
PAIRS = [(r, n) for r in READERS for n in MISTAKES if (r, n) != (("import-scores",), "long.csv")]


@pytest.mark.parametrize(
    ("reader", "name"), PAIRS, ids=[f"{r[min(1, len(r) - 1)]}-{n}" for r, n in PAIRS]
)
def test_a_table_that_cannot_be_used_is_told_in_one_sentence(
    reader: tuple[str, ...],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    content, said = MISTAKES[name]
    path = tmp_path / name
    path.write_bytes(content)
    done = run_cli(monkeypatch, capsys, *reader, str(path))
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("gfactor: ")
    assert done.err.count("\n") == 1
    assert len(done.err) < 1300
    assert said in done.err
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("reader", READERS, ids=lambda words: words[min(1, len(words) - 1)])
def test_what_is_no_table_is_told(
    reader: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file.csv").write_text("name,a\nm,1\n")
    for given in (tmp_path, tmp_path / "file.csv" / "x.csv", tmp_path / "nosuch.csv"):
        done = run_cli(monkeypatch, capsys, *reader, str(given))
        assert done.code == 2
        assert done.err.count("\n") == 1
        assert "Errno" not in done.err


def test_a_marked_table_and_one_with_an_odd_name_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "o'dd é \"name\x1b[31m.csv"
    rows = "".join(f"m{i},{i},{i * i % 7},{i * 3 % 5}\n" for i in range(20))
    path.write_text(f"\ufeffname,a,b,c\n{rows}", encoding="utf-8")
    done = run_cli(monkeypatch, capsys, "import-scores", str(path), "--json")
    assert done.code == 0
    assert '"a"' in done.out
    assert "\x1b" not in done.out + done.err


def test_a_table_without_a_score_is_not_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("name,a\nm1,x\nm2,y\n")
    done = run_cli(monkeypatch, capsys, "import-scores", str(path), "-o", str(tmp_path / "o.csv"))
    assert done.code == 2
    assert "no score in" in done.err
    assert not (tmp_path / "o.csv").exists()
    path.write_text("name,a\nm1,inf\nm2,1\n")
    assert "an infinite value" in run_cli(monkeypatch, capsys, "import-scores", str(path)).err


def test_a_column_that_is_no_score_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mixed.csv"
    path.write_text("name,a,b\nm1,1,x\nm2,2,3\n")
    done = run_cli(monkeypatch, capsys, "import-scores", str(path))
    assert done.code == 0
    assert "no scores but facts: b" in done.out


@pytest.mark.thorough
def test_a_header_that_a_terminal_would_obey_makes_no_broken_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"m{i},{i % 7},{i * i % 7 + i % 3},{i * 3 % 5}\n" for i in range(40))
    (tmp_path / "x.csv").write_text(f"name,<script>alert(1)</script>,\x1b[31mb,c\n{rows}")
    model = 'g =~ "<script>alert(1)</script>" + "\x1b[31mb" + c'
    words = ("analyze", "cfa", str(tmp_path / "x.csv"), "--model", model, "-o", str(tmp_path / "p"))
    done = run_cli(monkeypatch, capsys, *words)
    assert done.code == 0
    pages = [p for p in (tmp_path / "p").rglob("*") if p.suffix in (".html", ".svg")]
    assert len(pages) >= 2
    for page in pages:
        text = page.read_text("utf-8")
        assert "<script>alert" not in text
        assert page.suffix != ".svg" or "\x1b" not in text
    assert "\x1b" not in done.out + done.err


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--model", "m"), "--model is for files of the format lmms-eval or vlmevalkit"),
        (("--by", "item"), "--by is for files of the format journal"),
    ],
)
def test_what_no_file_takes_is_not_passed_over(
    option: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("model,a\nm1,1\nm2,2\n")
    done = run_cli(monkeypatch, capsys, "import-scores", str(path), *option)
    assert done.code == 2
    assert told in done.err
    assert "read as table" in done.err


def test_what_one_of_several_files_takes_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.csv").write_text("model,a\nm1,1\nm2,2\n")
    (tmp_path / "m1_MME_score.csv").write_text("existence,count\n190,120\n")
    files = [str(tmp_path / name) for name in ("x.csv", "m1_MME_score.csv")]
    done = run_cli(monkeypatch, capsys, "import-scores", *files, "--model", "m1", "--json")
    assert done.code == 0
    assert '"MME.existence"' in done.out


def test_factor_scores_hold_no_formula(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"=m{i},{i % 7},{i * i % 7 + i % 3},{i * 3 % 5}\n" for i in range(40))
    (tmp_path / "x.csv").write_text(f"name,a,b,c\n{rows}")
    scores = tmp_path / "scores.csv"
    words = ("analyze", "cfa", str(tmp_path / "x.csv"), "--model", "g =~ a + b + c")
    done = run_cli(monkeypatch, capsys, *words, "--scores", str(scores))
    assert done.code == 0
    assert scores.read_text().splitlines()[1].startswith("'=m0,")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores.csv", "x.csv"]
