"""gfactor analyze gap: pictures against text twins of a journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.cli import Ran, run_cli

import gfactor as gf

PERSON = "observer:limited?acuity=0.03&capacity=1000"


Ask = Callable[..., Ran]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    return lambda *words: run_cli(monkeypatch, capsys, *words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gap")
    bank = gf.build(
        "percept-v",
        domains=["counting_circles", "change_colour"],
        sizes=[3, 4, 5, 6],
        instances=4,
        twin="both",
        path=folder / "twins.parquet",
    )
    gf.run(bank, [PERSON], journal=folder / "g.db")
    gf.run(bank, [PERSON], journal=folder / "g.db", condition="images=blank")
    return folder


@pytest.mark.slow
def test_bad_eyes_lose_in_seeing_alone(folder: Path, ask: Ask) -> None:
    page = folder / "page"
    said = ask("analyze", "gap", str(folder / "g.db"), "--json", "-o", str(page))
    assert said.code == 0, said.err
    document = json.loads(said.out)
    assert document["pairs"] == 32
    assert document["verdict"] == "seeing"
    assert document["gap"]["ci_upper"] < 0
    assert {row["by"] for row in document["by"]} == {"family", "size", "ability"}
    assert document["tree"]["reason"]["estimate"] == 1
    assert document["about"]["blind"] == "images=blank"
    written = json.loads((page / "gap.json").read_text())
    assert written == {k: v for k, v in document.items() if k != "data"}
    text = (page / "report.html").read_text()
    assert "What pictures lose in seeing and in reasoning" in text
    assert {path.suffix for path in (page / "figures").iterdir()} == {".svg", ".png"}


@pytest.mark.slow
def test_groups_are_chosen_and_unknown_ones_named(folder: Path, ask: Ask) -> None:
    said = ask("analyze", "gap", str(folder / "g.db"), "--by", "size", "--json")
    assert [row["level"] for row in json.loads(said.out)["by"]] == [3, 4, 5, 6]
    wrong = ask("analyze", "gap", str(folder / "g.db"), "--by", "color")
    assert wrong.code != 0
    assert "no label 'color'" in wrong.err


@pytest.mark.slow
def test_what_is_missing_is_said_with_the_way_to_it(folder: Path, ask: Ask) -> None:
    bank, journal = str(folder / "twins.parquet"), str(folder / "ideal.db")
    ask("run", bank, "--examinee", "observer:ideal", "--journal", journal)
    blind = ask("analyze", "gap", journal)
    assert "--condition images=blank" in blind.err
    known = ask("analyze", "gap", journal, "--guess", "0.1", "--json")
    assert json.loads(known.out)["verdict"] in ("none", "undecided")
    ask("run", bank, "--examinee", PERSON, "--journal", journal)
    several = ask("analyze", "gap", journal, "--guess", "0.1")
    assert "choose one with --examinee" in several.err
    chosen = ask(
        "analyze", "gap", journal, "--guess", "0.1", "--examinee", "observer:ideal", "--json"
    )
    assert json.loads(chosen.out)["gap"]["estimate"] == 0
    ask("run", bank, "--examinee", "observer:ideal", "--journal", journal, "--condition", "cot=on")
    two = ask("analyze", "gap", journal, "--guess", "0.1", "--examinee", "observer:ideal")
    assert "choose one with --condition" in two.err


@pytest.mark.slow
def test_pictures_alone_have_no_gap(folder: Path, ask: Ask) -> None:
    bank, journal = str(folder / "plain.parquet"), str(folder / "plain.db")
    ask("build", "percept-v", "--domains", "change_colour", "--sizes", "2", "-o", bank)
    ask("run", bank, "--examinee", "observer:ideal", "--journal", journal)
    said = ask("analyze", "gap", journal)
    assert said.code != 0
    assert "build the bank with --twin both" in said.err


def test_banks_of_pictures_and_of_twins_are_paired_by_their_ids(tmp_path: Path, ask: Ask) -> None:
    journal = str(tmp_path / "two.db")
    for twin in ("picture", "text"):
        bank = str(tmp_path / f"{twin}.parquet")
        ask(
            "build", "chc", "--families", "number_series", "--answers", "open", "--per-cell", "8",
            "--twin", twin, "--seed", "3", "-o", bank,
        )  # fmt: skip
        ask("run", bank, "--examinee", "observer:ideal", "--journal", journal)
    said = ask("analyze", "gap", journal, "--guess", "0", "--by", "family,difficulty", "--json")
    document = json.loads(said.out)
    assert (document["pairs"], document["gap"]["estimate"]) == (24, 0)
    assert [row["pairs"] for row in document["by"]] == [24, 8, 8, 8]
