"""A notebook's `summary()` is the text that the command prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.banks import make_items
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.items import write_bank

IDEAL, RANDOM = "observer:ideal", "baseline:random"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    bank = gf.open_bank(write_bank(make_items(), tmp_path / "bank.parquet"))
    gf.run(bank, [IDEAL, RANDOM], journal=tmp_path / "c.db")
    return tmp_path / "c.db"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.mark.thorough
def test_scores(journal: Path, run: Callable[..., Ran]) -> None:
    scores = gf.score(journal)
    assert run("score", journal).out == scores.summary() + "\n"
    assert IDEAL in scores.summary()
    assert "generalizes to" in scores.summary()


def test_scores_of_a_policy_stand_with_the_fates_of_replies(
    journal: Path, run: Callable[..., Ran]
) -> None:
    text = gf.score(journal, policy="vlmevalkit").summary()
    assert "VLMEvalKit" in text
    assert run("score", journal, "--policy", "vlmevalkit").out == text + "\n"


@pytest.mark.thorough
@pytest.mark.parametrize("by", [None, "domain"])
def test_comparisons(journal: Path, run: Callable[..., Ran], by: str | None) -> None:
    text = gf.compare(journal, by=by).summary()
    assert text.count("#1 - #2") == (1 if by is None else 1 + domains_of(journal))
    assert run("compare", journal, *(["--by", by] if by else [])).out == text + "\n"


@pytest.mark.thorough
def test_sequential_comparisons(journal: Path, run: Callable[..., Ran]) -> None:
    text = gf.compare_sequentially(journal).summary()
    assert "naive alarms" in text
    assert run("compare", journal, "--sequential").out == text + "\n"


@pytest.mark.thorough
def test_explained_differences(journal: Path, run: Callable[..., Ran]) -> None:
    first, second = {"examinee": IDEAL}, {"examinee": RANDOM}
    text = gf.explain_difference(
        journal, journal, first_settings=first, second_settings=second
    ).summary()
    assert "items match" in text
    words = ["--first", f"examinee={IDEAL}", "--second", f"examinee={RANDOM}"]
    assert run("explain-difference", journal, journal, *words).out == text + "\n"


def domains_of(journal: Path) -> int:
    return len(set(gf.score(journal).groups("domain")["domain"]))
