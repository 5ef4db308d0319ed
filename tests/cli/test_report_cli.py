"""gfactor report, as it is typed, on the answers of a real bank."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from support.cli import Ran, run_cli

from gfactor.administration import Journal
from gfactor.benchmarks import build

Run = Callable[..., Ran]
EXAMINEES = (
    "observer:ideal", "baseline:random", "baseline:constant",
    "observer:limited?capacity=4&acuity=0.8&seed=2",
)  # fmt: skip


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def journal(run: Run, tmp_path: Path) -> Path:
    bank, path = tmp_path / "b.parquet", tmp_path / "c.db"
    domains = ["change_colour", "counting_circles"]
    build("percept-v", bank, seed=7, domains=domains, sizes=[1, 4, 8, 12], instances=3)
    people = [word for name in EXAMINEES for word in ("--examinee", name)]
    assert run("run", bank, "--journal", path, *people).code == 0
    return path


def test_report_writes_what_it_says_about_a_real_bank(
    run: Run, journal: Path, tmp_path: Path
) -> None:
    ran = run("report", journal, "-o", tmp_path / "r", "--json")
    told = json.loads(ran.out)
    assert list(told) == ["path", "tables", "figures"]
    html = Path(told["path"]).read_text(encoding="utf-8")
    assert html.count("data:image/png;base64,") == 3  # a sample of each domain, one of two pictures
    for name in told["tables"]:
        assert (tmp_path / "r" / "tables" / f"{name}.csv").is_file()
    for name in told["figures"]:
        assert (tmp_path / "r" / "figures" / f"{name}.svg").is_file()
    summary = pd.read_csv(tmp_path / "r" / "tables" / "summary.csv").set_index("examinee")
    assert summary.loc["observer:ideal", "accuracy"] == 1
    assert set(summary["n"]) == {24}
    fits = pd.read_csv(tmp_path / "r" / "tables" / "psychometric_functions.csv")
    assert set(fits["domain"]) == {"change_colour", "counting_circles"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("report", "nowhere.db", "-o", "r"), "nowhere.db"),
        (("report", "c.db"), "-o"),
    ],
)
def test_mistakes_get_one_sentence_and_exit_code_2(
    run: Run, words: tuple[str, ...], told: str
) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert told in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_gets_one_sentence(
    run: Run, journal: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    ran = run("report", journal, "-o", tmp_path / "file")
    assert ran.code == 2
    assert "name a folder" in ran.err


def test_a_journal_without_answers_gets_one_sentence(run: Run, tmp_path: Path) -> None:
    Journal.open(tmp_path / "empty.db").close()
    ran = run("report", tmp_path / "empty.db", "-o", tmp_path / "r")
    assert ran.code == 2
    assert "no answers" in ran.err
