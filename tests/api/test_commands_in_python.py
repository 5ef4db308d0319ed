"""What a command prints is what its function returns: the same text, the same document."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.errors import ParameterError

Run = Callable[..., Ran]
MODEL = "f =~ a1 + a2 + a3 + a4"
PATHS = "A =~ a1 + a2; B =~ a3 + a4; B ~ A"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """Six indicators of a factor, and two groups; also as the file scores.csv."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(5)
    f = random.normal(size=120)
    data = pd.DataFrame({f"a{k}": f + random.normal(size=120) for k in range(1, 7)})
    data["lab"] = ["u", "v"] * 60
    data.to_csv("scores.csv", index=False)
    return pd.read_csv("scores.csv")


def same(run: Run, result: Any, *words: object) -> None:
    """The command prints the summary, and with --json the document after what it only knows."""
    assert run(*words).out == f"{result.summary()}\n"
    printed = json.loads(run(*words, "--json").out)
    assert {k: v for k, v in printed.items() if k != "data"} == json.loads(
        json.dumps({k: v for k, v in result.to_dict().items() if k != "data"})
    )


@pytest.mark.thorough
def test_a_path_model_has_what_was_looked_at_beside_it(run: Run, scores: pd.DataFrame) -> None:
    how: dict[str, Any] = {"n_bootstrap": 20, "folds": 3, "group": "lab", "permutations": 20}
    fit = gf.pls(PATHS, "scores.csv", **how, seed=4)
    assert list(fit.further) == ["bootstrap", "prediction", "cvpat", "groups"]
    words = ("--bootstrap", 20, "--predict", 3, "--group", "lab", "--permutations", 20)
    same(run, fit, "analyze", "pls", "scores.csv", "--model", PATHS, *words, "--seed", 4)
    with pytest.raises(ParameterError, match=r"^permutations is for comparing groups; give group"):
        gf.pls(PATHS, scores, permutations=20)
    with pytest.raises(ParameterError, match=r"^against is for PLSpredict; give folds"):
        gf.pls(PATHS, scores, against=PATHS)


def test_a_factor_model_is_reported_with_scores_and_bootstrap(
    run: Run, scores: pd.DataFrame
) -> None:
    how: dict[str, Any] = {"missing": "fiml", "n_bootstrap": 20, "seed": 2}
    report = gf.cfa(MODEL, "scores.csv", **how, scores_path="f.csv")
    assert report.summary().startswith(report.fit.apa())
    assert len(pd.read_csv("f.csv")) == 120
    words = ("--missing", "fiml", "--bootstrap", 20, "--seed", 2, "--scores", "f.csv")
    same(run, report, "analyze", "cfa", "scores.csv", "--model", MODEL, *words)
    assert gf.cfa(MODEL, scores).fit.n == 120
    assert gf.cfa(MODEL, scores, where="lab=u").fit.n == 60


def test_factors_come_with_the_parallel_analysis_and_the_general_factor(
    run: Run, scores: pd.DataFrame
) -> None:
    columns = scores.drop(columns="lab")
    solution = gf.efa(columns, 2, starts=2, general=True)
    assert "Schmid-Leiman solution" in solution.summary()
    assert solution.to_dict()["general"] == solution.schmid_leiman().to_dict()
    words = ("--factors", 2, "--starts", 2, "--general", "--drop", "lab")
    same(run, solution, "analyze", "efa", "scores.csv", *words)
    counted = gf.efa(columns, starts=2)
    assert counted.parallel is not None
    assert counted.summary().endswith(counted.parallel.summary())
    found = gf.adequacy(columns, anti_image=True)
    assert "anti-image correlations" in found.summary()
    assert "anti-image" not in gf.adequacy(columns).summary()
    same(run, found, "analyze", "adequacy", "scores.csv", "--anti-image", "--drop", "lab")


def test_invariance_reads_the_file_and_knows_the_columns(run: Run, scores: pd.DataFrame) -> None:
    steps = gf.invariance(MODEL, "scores.csv", group="lab")
    same(run, steps, "analyze", "invariance", "scores.csv", "--model", MODEL, "--group", "lab")
    with pytest.raises(ParameterError, match=r"^ordered names 'b9', which is not a column of"):
        gf.invariance(MODEL, scores, group="lab", ordered=["b9"])


def test_other_designs_and_a_cut_are_part_of_the_study(run: Run, scores: pd.DataFrame) -> None:
    long = scores.head(20).drop(columns="lab").rename_axis("person").reset_index()
    long = long.melt("person", var_name="task", value_name="score")
    long.to_csv("long.csv", index=False)
    how: dict[str, Any] = {"object": "person", "facets": ["task"]}
    study = gf.gtheory("long.csv", **how, grid={"task": [5.0, 10.0]}, cut=0.5)
    assert study.designs is not None
    assert study.designs["n_task"].tolist() == [5, 10]
    assert study.to_dict()["phi_lambda"]["estimate"] == study.phi_lambda(0.5)
    assert "d_study" not in gf.gtheory("long.csv", **how).to_dict()
    words = ("--object", "person", "--facets", "task", "--d-study", "task=5,10", "--cut", 0.5)
    same(run, study, "analyze", "generalizability", "long.csv", *words)


def test_forensics_take_files_with_their_points(run: Run, scores: pd.DataFrame) -> None:
    counts = scores.drop(columns="lab").round().clip(0, 3)
    counts.to_csv("counts.csv", index=False)
    found = gf.forensics("counts.csv", points=3, counts=True)
    assert found.summary() == gf.forensics(
        {"counts": counts}, points=dict.fromkeys(counts, 3.0), counts=True
    ).summary()  # fmt: skip
    same(run, found, "audit", "counts.csv", "--points", 3, "--counts")
    with pytest.raises(ParameterError, match="two files are called 'counts'"):
        gf.forensics(["counts.csv", Path("elsewhere/counts.csv")])
    with pytest.raises(ParameterError, match="tasks is for files"):
        gf.forensics(counts, tasks="a")


def test_an_option_that_a_command_would_ignore_is_refused(run: Run, scores: pd.DataFrame) -> None:
    for words, sentence in (
        (("compare", "c.db", "--sequential", "--by", "domain"), "--by does not go with"),
        (("profile", "observer:ideal", "--rank", "--se", 0.3), "--se is for profiles"),
        (("profile", "observer:ideal", "--level", 0.9), "--level is for --rank or --bank"),
        (("calibrate", "c.db", "-o", "x", "--se", 0.3), "--se goes with --plan"),
        (("audit", "scores.csv", "--probe", "network"), "--probe is for banks"),
    ):
        refused = run(*words)
        assert (refused.code, sentence in refused.err) == (2, True), refused.err


def test_a_fit_of_cfa_has_what_a_fit_of_sem_has_and_takes_both_orders() -> None:
    random = np.random.default_rng(1)
    g = random.normal(size=200)
    data = pd.DataFrame({f"x{k}": g + random.normal(size=200) for k in range(1, 5)})
    model = "g =~ x1 + x2 + x3 + x4"
    anyhow: Any = gf.cfa
    report, fit = gf.cfa(model, data), gf.sem(model, data)
    assert report.fit_measures["cfi"] == fit.fit_measures["cfi"]
    assert report.estimates.equals(fit.estimates)
    assert anyhow(data, model).fit.n == 200
    with pytest.raises(AttributeError, match="nonsense"):
        _ = report.nonsense
