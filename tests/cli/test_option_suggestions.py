"""An option that a command does not have is answered by the one that was probably meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.cli import Ran, run_cli

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (("run", "b.parquet", "--model", "m"), "'--model'; did you mean '--examinee'?"),
        (("run", "b.parquet", "--baseurl", "u"), "'--baseurl'; did you mean '--base-url'?"),
        (("run", "b.parquet", "--temperature", "0"), "did you mean '--condition'?"),
        (("score", "c.db", "--lenient"), "always stands beside, in the column 'lenient'"),
        (("profile", "--model", "m"), "the model is an argument: gfactor profile openai:MODEL"),
        (("analyze", "reliability", "a.csv", "--items", "q1"), "did you mean '--columns'?"),
        (("analyze", "cfa", "a.csv", "--std.lv"), """--lavaan-options '{"std.lv": true}'"""),
        (("analyze", "cfa", "a.csv", "--orthogonal"), """'{"orthogonal": true}'"""),
        (("analyze", "irt", "a.csv", "--scores", "s.csv"), "persons.csv (Python: fit.scores())"),
        (("score", "c.db", "--xyzzy"), "score --help' lists the options"),
    ],
)
def test_an_unknown_option_names_the_one_that_is_meant(
    run: Run, words: tuple[str, ...], end: str
) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert ran.err.rstrip().endswith(end)


def test_a_list_of_nothing_names_what_can_be_listed(run: Run) -> None:
    ran = run("list")
    assert ran.code == 2
    assert "list needs one of the words benchmarks, calibrations, " in ran.err
    assert ran.err.rstrip().endswith(" or transformations")


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.normal(size=(80, 1)) + random.normal(size=(80, 4)))
    frame = frame.add_prefix("verbal")
    frame.iloc[0, 0] = np.nan
    frame.to_csv(path := tmp_path_factory.mktemp("data") / "s.csv", index=False)
    return path


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ("v ~= verbal0 + verbal1 + verbal2", "a factor is measured by =~, not ~="),
        ("v =~ verbl0 + verbal1 + verbal2", "has no column 'verbl0'; did you mean 'verbal0'?"),
        ("v BY verbal0 verbal1;", "in lavaan's it is 'v =~ verbal0 + verbal1'"),
        ("verbal0 with verbal1", "in lavaan's it is 'verbal0 ~~ verbal1'"),
        ("no.such.file", "the model file 'no.such.file' does not exist"),
    ],
)
def test_a_model_in_other_words_is_answered_by_how_it_is_written(
    run: Run, scores: Path, model: str, sentence: str
) -> None:
    ran = run("analyze", "cfa", scores, "--model", model)
    assert ran.code != 0
    assert sentence in ran.err


def test_ranges_of_columns_and_words_of_lavaan(run: Run, scores: Path) -> None:
    ran = run("analyze", "efa", scores, "--columns", "verbal0-verbal3")
    assert "a range of columns has a colon: write verbal0:verbal3" in ran.err
    words = ("analyze", "cfa", scores, "--model", "v =~ verbal0 + verbal1 + verbal2", "--json")
    ran = run(*words, "--missing", "ml", "--lavaan-options", '{"std.lv": true}')
    assert ran.code == 0, ran.err
    document = json.loads(ran.out)
    assert document["n"] == [80]
    variances = [one for one in document["estimates"] if (one["lhs"], one["op"]) == ("v", "~~")]
    assert variances[0]["est"] == 1
    assert "'none' is not one of" in run(*words, "--missing", "none").err
