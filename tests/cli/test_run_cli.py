"""gfactor run, score and matrix, as they are typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from support.banks import make_items
from support.cli import Ran, run_cli

from gfactor.benchmarks import build
from gfactor.examinees.observer import observer
from gfactor.items import write_bank

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    return write_bank(make_items(), tmp_path / "bank.parquet")


@pytest.fixture
def journal(run: Run, bank: Path, tmp_path: Path) -> Path:
    path = tmp_path / "c.db"
    people = ("--examinee", "baseline:constant", "--examinee", "observer:ideal")
    assert run("run", bank, "--journal", path, *people).code == 0
    return path


@pytest.mark.thorough
def test_the_ideal_observer_is_right_on_a_built_bank_from_end_to_end(
    run: Run, tmp_path: Path
) -> None:
    bank, path = tmp_path / "b.parquet", tmp_path / "c.db"
    build("percept-v", bank, seed=7, domains=["change_colour"], sizes=[1, 5], instances=3)
    assert run("run", bank, "--journal", path, "--examinee", "observer:ideal").code == 0
    (result,) = json.loads(run("score", path, "--json").out)["results"]
    assert (result["n"], result["accuracy"], result["lenient"]) == (6, 1.0, 1.0)
    assert result["errors"] == 0


def test_a_second_run_asks_only_what_is_missing(run: Run, bank: Path, tmp_path: Path) -> None:
    words = ("run", bank, "--journal", tmp_path / "c.db", "--examinee", "baseline:random", "--json")
    first = json.loads(run(*words, "--sample", "1").out)["examinees"][0]
    assert (first["examinee"], first["asked"]) == ("baseline:random?seed=0", 4)
    second = json.loads(run(*words).out)["examinees"][0]
    assert (second["asked"], second["known"]) == (8, 4)
    third = json.loads(run(*words, "--occasions", "2").out)["examinees"][0]
    assert (third["asked"], third["known"]) == (12, 12)


def test_run_says_what_it_did_and_what_to_do_next(run: Run, bank: Path, tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    said = run("run", bank, "--journal", path, "--examinee", "baseline:constant").out
    assert "baseline:constant: 12 asked, in" in said
    assert f"next: gfactor score {path}" in said


def test_failed_attempts_end_with_exit_code_1(
    run: Run, bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("worker lost")

    monkeypatch.setattr(observer, "look", broken)
    ran = run("run", bank, "--journal", tmp_path / "c.db", "--examinee", "observer:ideal")
    assert ran.code == 1
    assert "12 attempts failed, the last with: OSError: worker lost" in ran.out


@pytest.mark.thorough
def test_score_shows_intervals_counts_and_chance(run: Run, journal: Path) -> None:
    lines = run("score", journal).out.splitlines()
    assert lines[0] == f"{journal}: 24 responses of 2 examinees"
    own = next(line for line in lines if line.strip().startswith("baseline:constant"))
    # Two domains of six items: wider than Wilson's [.138, .609] of twelve in one domain.
    assert own.split()[1:5] == ["12", "0.333", "[0.094,", "0.653]"]
    assert "toy: generalizes to other items of these 2 domains" in lines
    heads = [line.split() for line in lines if line.split()[:2] == ["examinee", "domain"]]
    assert heads == [
        ["examinee", "domain", "n", "accuracy", "lenient", "format", "errors", "missing", "chance"]
    ]


@pytest.mark.thorough
def test_score_may_be_of_one_examinee(run: Run, journal: Path) -> None:
    told = json.loads(run("score", journal, "--examinee", "observer:ideal", "--json").out)
    (result,) = told["results"]
    # The toy pictures belong to no domain that observers know.
    assert (result["n"], result["accuracy"], result["errors"]) == (12, 0.0, 12)


def test_matrix_prints_writes_and_gives_json(run: Run, journal: Path, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    assert str(path) in run("matrix", journal, "--by", "size", "-o", path).out
    assert list(pd.read_csv(path, index_col=0).columns) == ["1", "2"]
    assert "baseline:constant" in run("matrix", journal).out
    made = json.loads(run("matrix", journal, "--json").out)
    assert made["indicators"] == ["a", "b"]
    assert made["n"] == [[6, 6], [6, 6]]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--examinee", "observer:idael"), "unknown observer 'idael'; did you mean 'ideal'?"),
        (("--examinee", "ideal"), "examinee 'ideal' has no scheme"),
        (("--examinee", "observer:ideal", "--occasions", "0"), "0 is not in the range"),
        (("--examinee", "observer:ideal", "--sample", "-1"), "-1 is not in the range x>=1"),
        ((), "Missing option '--examinee'"),
    ],
)
def test_a_mistake_gets_one_sentence_and_exit_code_2(
    run: Run, bank: Path, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    ran = run("run", bank, "--journal", tmp_path / "c.db", *words)
    assert ran.code == 2
    assert ran.err.startswith("gfactor: ")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "c.db").exists()


def test_a_typo_in_the_last_examinee_costs_nothing(run: Run, bank: Path, tmp_path: Path) -> None:
    people = ("--examinee", "baseline:constant", "--examinee", "baseline:randm")
    assert run("run", bank, "--journal", tmp_path / "c.db", *people).code == 2
    assert not (tmp_path / "c.db").exists()


def test_files_that_are_missing_or_something_else_are_refused(
    run: Run, bank: Path, tmp_path: Path
) -> None:
    someone = ("--examinee", "observer:ideal")
    for words, sentence in (
        (
            ("run", tmp_path / "no.parquet", "--journal", tmp_path / "c.db", *someone),
            "no such file",
        ),
        (("run", bank, "--journal", tmp_path / "no" / "c.db", *someone), "folder does not exist"),
        (("run", bank, "--journal", bank, *someone), "is not a journal"),
        (("score", tmp_path / "no.db"), "does not exist; `gfactor run` writes journals"),
        (("matrix", bank), "is not a journal"),
    ):
        ran = run(*words)
        assert (ran.code, sentence in ran.err) == (2, True), ran.err


@pytest.mark.parametrize("verb", ["run", "score", "matrix"])
def test_help_has_an_example(run: Run, verb: str) -> None:
    ran = run(verb, "--help")
    assert ran.code == 0
    assert f"Example:\n    gfactor {verb}" in ran.out


def test_a_condition_given_twice_is_refused_in_place_of_the_first_being_dropped(
    run: Run, bank: Path, journal: Path, tmp_path: Path
) -> None:
    twice = ("--condition", "images=blank", "--condition", "cot=on")
    words = ("--examinee", "baseline:random", "--journal", tmp_path / "new.db")
    ran = run("run", bank, *words, *twice)
    assert (ran.code, "join what belongs together by commas" in ran.err) == (2, True)
    assert not (tmp_path / "new.db").exists()
    for verb in ("score", "compare"):
        ran = run(verb, journal, *twice)
        assert (ran.code, "--condition is given 2 times" in ran.err) == (2, True)


@pytest.mark.thorough
def test_an_option_for_several_values_may_be_given_twice(run: Run, journal: Path) -> None:
    people = ("--examinee", "baseline:constant", "--examinee", "observer:ideal")
    assert run("score", journal, *people).code == 0
