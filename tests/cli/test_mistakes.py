"""A user's mistakes in words, files and folders: one sentence, nothing half-written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import pytest
from support.cli import Ran, run_cli

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.replications.m3gia.published import read_parameters

Gfactor: TypeAlias = Callable[..., Ran]


@pytest.fixture
def gfactor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Gfactor:
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Ran:
        return run_cli(monkeypatch, capsys, *words)

    return call


@pytest.fixture
def bank(gfactor: Gfactor, tmp_path: Path) -> Path:
    words = ("--domains", "sort_lines", "--sizes", "1-2", "--instances", "1", "-o", "bank.parquet")
    assert gfactor("build", "percept-v", *words).code == 0
    return tmp_path / "bank.parquet"


def one_sentence(done: Ran) -> str:
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("gfactor: ")
    assert done.err.count("\n") == 1
    return done.err


def test_a_word_that_is_no_text_is_told(gfactor: Gfactor) -> None:
    assert "is not text in UTF-8" in one_sentence(gfactor("score", "a\udcff.db"))


def test_a_message_is_never_longer_than_a_terminal_can_hold(gfactor: Gfactor) -> None:
    err = one_sentence(gfactor("list", "x" * 100_000))
    assert len(err) < 1300
    assert err.rstrip().endswith(".")


def test_known_names_are_listed_once_and_not_by_hundreds() -> None:
    said = str(UnknownNameError("model", "?", [f"m{k:03}" for k in range(200)] * 2))
    assert said.count("m000") == 1
    assert "and 140 more" in said


@pytest.mark.parametrize("verb", ["score", "matrix", "compare"])
def test_reading_an_empty_file_as_a_journal_leaves_it_empty(gfactor: Gfactor, verb: str) -> None:
    Path("empty.db").touch()
    assert "is not a journal" in one_sentence(gfactor(verb, "empty.db"))
    assert Path("empty.db").stat().st_size == 0


def test_an_audit_of_a_journal_names_what_finds_broken_items(gfactor: Gfactor, bank: Path) -> None:
    assert gfactor("run", str(bank), "--examinee", "baseline:random", "--journal", "c.db").code == 0
    assert "gfactor analyze irt c.db" in one_sentence(gfactor("audit", "c.db"))


def test_a_word_that_means_a_command_elsewhere_names_it(gfactor: Gfactor) -> None:
    assert "gfactor profile" in one_sentence(gfactor("study", "live"))
    assert "gfactor profile" in one_sentence(gfactor("analyze", "profile"))
    assert "gfactor compare" in one_sentence(gfactor("study", "rank"))


def test_a_file_that_is_no_log_leaves_no_journal(gfactor: Gfactor) -> None:
    Path("text.jsonl").write_text("hello\n")
    one_sentence(gfactor("import", "lmms-eval", "text.jsonl", "--journal", "c.db"))
    one_sentence(gfactor("import", "lmms-eval", "nosuch.jsonl", "--journal", "c.db"))
    assert not Path("c.db").exists()


@pytest.mark.thorough
def test_a_run_that_cannot_begin_leaves_no_journal(gfactor: Gfactor, bank: Path) -> None:
    run = ("run", str(bank), "--examinee", "baseline:random", "--journal", "c.db")
    Path("bad.toml").write_text("a = = 1")
    one_sentence(gfactor(*run, "--pack", "bad.toml"))
    one_sentence(gfactor(*run, "--captions-by", "nonsense"))
    assert not Path("c.db").exists()
    assert gfactor(*run).code == 0
    one_sentence(gfactor(*run, "--pack", "bad.toml"))
    with closing(sqlite3.connect("c.db")) as kept:
        assert kept.execute("select count(*) from responses").fetchone() == (2,)


def test_a_folder_is_no_bank(gfactor: Gfactor, tmp_path: Path) -> None:
    assert "is a folder" in one_sentence(
        gfactor("run", str(tmp_path), "--examinee", "baseline:random", "--journal", "c.db")
    )


def test_a_build_that_fails_at_once_leaves_no_parts(gfactor: Gfactor) -> None:
    Path("problem_1.json").write_text("[1, 2]")
    one_sentence(gfactor("build", "multi", "--from", "problem_1.json", "-o", "o.parquet"))
    Path("problem_1.json").write_text("[" * 100_000)
    one_sentence(gfactor("build", "multi", "--from", "problem_1.json", "-o", "o.parquet"))
    assert not Path("o.parquet.parts").exists()


def test_domains_of_nothing_are_not_all_domains(gfactor: Gfactor) -> None:
    assert "names none" in one_sentence(
        gfactor("build", "percept-v", "--domains", ",", "-o", "o.parquet")
    )


@pytest.mark.parametrize(
    "words",
    [
        ("analyze", "efa", "x.csv", "--seed", "-1"),
        ("analyze", "gia", "x.csv", "--seed", "-1"),
        ("analyze", "pls", "x.csv", "--model", "A =~ a", "--bootstrap", "9" * 20),
        ("analyze", "gia", "x.csv", "--draws", "9" * 20),
        ("prune", "x.csv", "--seed", "-1"),
        ("compare-benchmarks", "x.csv", "--draws", "-1"),
        ("build", "percept-v", "-o", "o.parquet", "--jobs", "9" * 20),
        ("run", "x.parquet", "--examinee", "a:b", "--journal", "c.db", "--occasions", "9" * 20),
        ("study", "jspsych", "x", "-o", "y", "--forms", "-1"),
        ("annotate", "responses", "x", "--seed", "-1"),
        ("annotate", "responses", "x", "--per-examinee", "0"),
    ],
    ids=lambda words: " ".join(words[:2]) + " " + words[-2],
)
def test_a_number_outside_of_what_can_be_is_refused_at_once(
    gfactor: Gfactor, words: tuple[str]
) -> None:
    assert "is not in the range" in one_sentence(gfactor(*words))


@pytest.mark.thorough
@pytest.mark.parametrize("option", ["--time-limit", "--base-pay", "--pay-per-right"])
@pytest.mark.parametrize("value", ["inf", "nan", "-1"])
def test_a_study_cannot_have_an_infinite_number(
    gfactor: Gfactor, bank: Path, option: str, value: str
) -> None:
    one_sentence(gfactor("study", "new", str(bank), "-o", "st", "--title", "x", option, value))
    assert not Path("st").exists()


@pytest.mark.thorough
def test_a_study_with_an_odd_title_can_be_opened(gfactor: Gfactor, bank: Path) -> None:
    title = "a\x7fb\x1b[31m\"'\\"
    assert gfactor("study", "new", str(bank), "-o", "st", "--title", title).code == 0
    assert gfactor("study", "status", "st", "--json").code == 0


def test_labels_go_to_a_file_that_can_be_written_or_nothing_happens(
    gfactor: Gfactor, bank: Path
) -> None:
    gfactor("annotate", "new", str(bank), "-o", "workspace")
    gfactor("run", str(bank), "--examinee", "baseline:random", "--journal", "c.db")
    take = ("annotate", "responses", "workspace", "--from", "c.db", "--json")
    one_sentence(gfactor(*take, "-o", "no/such/labels.csv"))
    done = gfactor(*take, "-o", "labels.csv")
    assert set(json.loads(done.out)) == {"added", "short", "labels", "waiting", "blind"}


def test_one_bad_name_invites_nobody(gfactor: Gfactor, bank: Path) -> None:
    gfactor("annotate", "new", str(bank), "-o", "workspace")
    one_sentence(gfactor("annotate", "invite", "workspace", "first", "bad\x1b"))
    assert "there is none" in one_sentence(gfactor("annotate", "assign", "workspace", "first", "x"))


@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff\xfe", b"[]", b"{}"])
def test_parameters_that_are_none_are_told(gfactor: Gfactor, content: bytes) -> None:
    Path("c.csv").write_text("model,a\nm,1\n")
    Path("p.json").write_bytes(content)
    for path in ("p.json", ".", "c.csv/x"):
        with pytest.raises(ParameterError):
            read_parameters(path)


def test_a_table_of_vlmevalkit_in_another_encoding_is_told(gfactor: Gfactor) -> None:
    table = "index\tquestion\tanswer\n0\t这是什么颜色？\tA\n"
    Path("MME.tsv").write_bytes(table.encode("gb18030"))
    assert "UTF-8" in one_sentence(
        gfactor("build", "vlmevalkit", "--from", "MME.tsv", "-o", "o.parquet")
    )
