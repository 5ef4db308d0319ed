"""gfactor analyze pls, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pls_cases import CASES
from support.cli import Ran, run_cli

from gfactor.psychometrics.pls import bootstrap_pls, compare_groups_pls, fit_pls

MODEL = "A =~ a1 + a2 + a3 + a4\nB =~ b1 + b2 + b3 + b4\nC <~ c1 + c2 + c3 + c4\nB ~ A\nC ~ A + B\n"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    """`run(*words)` in a folder with d.csv (named rows, a column of text) and m.pls."""
    data = CASES["chain_path"].data()
    data.insert(0, "model", [f"model-{i}" for i in range(len(data))])
    data.assign(note="x").to_csv(tmp_path / "d.csv", index=False)
    (tmp_path / "m.pls").write_text(MODEL)
    monkeypatch.chdir(tmp_path)

    def ran(*words: str) -> Ran:
        return run_cli(monkeypatch, capsys, "analyze", "pls", *words)

    return ran


@pytest.mark.thorough
def test_the_document_is_the_result(run: Any) -> None:
    done = run("d.csv", "--model", "m.pls", "--scheme", "factorial", "--json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    wanted = fit_pls(MODEL, CASES["chain_path"].data(), scheme="factorial")
    assert document == wanted.to_dict()
    assert document["paths"]["A"]["C"] == pytest.approx(wanted.paths.to_numpy()[0, 2])
    for name in ("loadings", "weights", "r2", "htmt", "vif", "srmr", "iterations"):
        assert document[name] is not None
    assert {"alpha", "rho_a", "rho_c", "ave"} <= set(document["reliability"]["A"])


@pytest.mark.thorough
def test_intervals_and_predictions_come_with_the_seed(run: Any) -> None:
    words = ("d.csv", "--model", MODEL, "--bootstrap", "60", "--seed", "4", "--predict", "5")
    document = json.loads(run(*words, "--json").out)
    fit = fit_pls(MODEL, CASES["chain_path"].data())
    assert document["bootstrap"] == bootstrap_pls(fit, 60, seed=4).to_dict()
    assert document["prediction"]["folds"] == 5
    text = run(*words).out
    assert "60 of 60 bootstrap resamples of 60 rows" in text
    assert "PLSpredict, 5-fold" in text


@pytest.mark.slow
def test_a_page_is_written_the_same_twice(run: Any, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        done = run("d.csv", "--model", "m.pls", "--bootstrap", "50", "-o", folder)
        assert done.code == 0
        assert f"open {folder}/report.html" in done.out
    files = sorted(p.relative_to("one") for p in Path("one").rglob("*") if p.is_file())
    for name in ("figures/paths.svg", "figures/htmt.svg", "figures/loadings_against_vif.svg"):
        assert Path(name) in files
    for path in files:
        assert Path("one", path).read_bytes() == Path("two", path).read_bytes()
    table = pd.read_csv("one/tables/measurement.csv")
    fit = fit_pls(MODEL, CASES["chain_path"].data())
    assert np.allclose(table["loading"], fit.measurement["loading"], atol=1e-6)
    page = Path("one/report.html").read_text("utf-8")
    assert "Diagnostics" in page
    assert str(tmp_path) not in page


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("none.csv", "--model", "m.pls"), "there is no such file"),
        (("d.csv", "--model", "none.pls"), "the model file 'none.pls' cannot be read"),
        (("d.csv", "--model", "m.pls", "--predict", "many"), "a number or 'loo', not 'many'"),
        (("d.csv", "--model", "m.pls", "--technique", "earliest"), "--technique is for PLSpredict"),
        (("d.csv", "--model", "m.pls", "--linear-model", "others"), "is for PLSpredict"),
        (("d.csv", "--model", "wrong.pls"), "wrong.pls: model, line 2, column 3"),
        (("d.csv", "--model", "column.pls"), "d.csv: unknown column 'a9'"),
        (("d.csv", "--model", "text.pls"), "row 'model-0' holds 'x'"),
    ],
)
def test_a_mistake_is_one_sentence(run: Any, words: tuple[str, ...], what: str) -> None:
    Path("wrong.pls").write_text("A =~ a1\nB b1\n")
    Path("column.pls").write_text("A =~ a9\nB =~ b1\nB ~ A\n")
    Path("text.pls").write_text("A =~ note\nB =~ b1\nB ~ A\n")
    done = run(*words)
    assert done.code == 2
    assert done.out == ""
    assert what in done.err
    assert done.err.startswith("gfactor: ")
    assert done.err.count("\n") == 1


def test_groups_are_compared_with_the_seed(run: Any, tmp_path: Path) -> None:
    data = CASES["chain_path"].data()
    groups = ["open" if k % 2 else "closed" for k in range(len(data))]
    data.assign(kind=groups).to_csv("g.csv", index=False)
    words = ("g.csv", "--model", "m.pls", "--group", "kind", "--permutations", "10", "--seed", "3")
    done = run(*words, "--json", "-o", "page")
    assert done.code == 0
    wanted = compare_groups_pls(fit_pls(MODEL, data), groups, permutations=10, seed=3)
    assert json.loads(done.out)["groups"] == wanted.to_dict()
    page = (tmp_path / "page" / "report.html").read_text("utf-8")
    assert "Measurement invariance of composites" in page
    assert "Paths by group" in page
    assert "invariance" in run(*words).out
    refused = run("g.csv", "--model", "m.pls", "--permutations", "20")
    assert "--permutations is for comparing groups; give --group" in refused.err
    assert "did you mean 'kind'" in run("g.csv", "--model", "m.pls", "--group", "kin").err
