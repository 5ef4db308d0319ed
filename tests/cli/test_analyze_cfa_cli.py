"""`gfactor analyze cfa`: fits, pages, scores, and a sentence for every mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded
from support.cli import Ran, run_cli

MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9\n"

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """`gfactor analyze cfa WORDS` in a folder with data.csv, gaps.csv and m.lav."""
    monkeypatch.chdir(tmp_path)
    recorded.sample("three_factors").to_csv("data.csv", index=False)
    recorded.sample("with_gaps").to_csv("gaps.csv", index=False)
    recorded.sample("ordinal").to_csv("ordinal.csv", index=False)
    Path("m.lav").write_text("# three abilities\n" + MODEL, "utf-8")
    return lambda *words: run_cli(monkeypatch, capsys, "analyze", "cfa", *words)


def test_the_document_has_lavaans_numbers(run: Run) -> None:
    done = run("data.csv", "--model", "m.lav", "--estimator", "MLR", "--json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    theirs = recorded.read("cfa_mlm")["estimates"]
    own = {(r["lhs"], r["op"], r["rhs"]): r for r in document["estimates"]}
    for lhs, op, rhs, est in zip(*(theirs[k] for k in ("lhs", "op", "rhs", "est")), strict=True):
        assert own[lhs, op, rhs]["est"] == pytest.approx(est, rel=1e-7)
    assert {"lhs", "op", "rhs", "group", "est", "se", "z", "pvalue"} <= set(own["f1", "=~", "x2"])
    assert document["fit"]["chisq"] == pytest.approx(20.403334225)
    assert document["converged"] is True
    assert document["diagnostics"] == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["cfa_ml", "fiml_mlr", "groups_metric", "ordinal_wlsmv", "growth", "bounds_active"]
)
def test_a_recorded_call_is_replayed_from_its_options(run: Run, name: str) -> None:
    theirs = recorded.read(name)
    recorded.sample(theirs["sample"]).to_csv("sample.csv", index=False)
    Path("options.json").write_text(json.dumps(theirs["arguments"] or {}), "utf-8")
    done = run(
        *("sample.csv", "--model", theirs["syntax"], "--type", theirs["model_type"]),
        *("--lavaan-options", "options.json", "--json"),
    )
    assert done.code == 0, done.err
    assert json.loads(done.out)["fit"]["chisq"] == pytest.approx(theirs["fit"]["chisq"], rel=1e-6)


def test_the_text_is_a_table_in_apa_style(run: Run) -> None:
    done = run("data.csv", "--model", "m.lav", "--estimator", "MLR")
    assert "chi-square(24) = 20.83 (scaled), p = .649; CFI = 1.000, TLI = 1.005" in done.out
    assert re.search(r"f1 -> x2 +0\.96 +0\.08 +\[0\.80, 1\.12\] +11\.\d\d +< \.001 +\.82", done.out)
    assert "omega of f1" in done.out


def test_what_speaks_against_a_fit_is_said_first(run: Run) -> None:
    recorded.sample("few").to_csv("few.csv", index=False)
    model = recorded.read("heywood")["syntax"]
    done = run("few.csv", "--model", model)
    assert done.out.startswith(("serious:", "warning:"))
    assert "negative" in done.out.splitlines()[0]


def test_groups_have_their_own_tables_and_figures(run: Run) -> None:
    done = run("data.csv", "--model", "m.lav", "--group", "school", "-o", "page")
    assert "Group south (n =" in done.out
    assert "Group north (n =" in done.out
    assert {p.name for p in Path("page/figures").glob("*.svg")} == {
        f"{name}_{group}.svg"
        for name in ("paths", "loadings", "residuals")
        for group in ("north", "south")
    }


@pytest.mark.thorough
def test_a_page_has_tables_and_a_path_diagram(run: Run) -> None:
    done = run("gaps.csv", "--model", "m.lav", "--missing", "fiml", "-o", "page")
    assert done.out.rstrip().endswith("report.html")
    page = Path("page/report.html").read_text("utf-8")
    assert "Path diagram" in page
    assert "full information" in page
    assert "<svg" in Path("page/figures/paths.svg").read_text("utf-8")
    assert len(pd.read_csv("page/tables/estimates.csv")) == 36


@pytest.mark.slow
def test_a_page_has_the_same_bytes_again(run: Run) -> None:
    for folder in ("page", "again"):
        run("gaps.csv", "--model", "m.lav", "--missing", "fiml", "-o", folder)
    assert Path("again/report.html").read_bytes() == Path("page/report.html").read_bytes()


@pytest.mark.thorough
def test_the_head_of_a_page_has_the_fit_and_says_misfit_before_it(run: Run) -> None:
    """A model of one ability for data of three."""
    model = "g =~ x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9"
    done = run("data.csv", "--model", model, "-o", "page", "--json")
    fit = json.loads(done.out)["fit"]
    page = Path("page/report.html").read_text("utf-8")
    head = re.sub("<[^>]*>", " ", page[: page.index('id="results"')])
    for name in ("cfi", "tli", "rmsea", "rmsea.ci.lower", "rmsea.ci.upper", "srmr"):
        assert f"{fit[name]:.3f}"[1:] in head, name
    assert "90% CI [" in head
    assert "None of the checks found anything" not in page
    assert head.count("does not fit") == 2
    assert "Where the model misses the data most" in head


def test_the_text_has_likelihood_criteria_baseline_and_explained_variance(run: Run) -> None:
    done = run("data.csv", "--model", "m.lav")
    fit = json.loads(run("data.csv", "--model", "m.lav", "--json").out)["fit"]
    for name in ("logl", "aic", "bic", "baseline.chisq"):
        assert f"{fit[name]:.2f}" in done.out, name
    assert re.search(r"close-fit p = \.\d{3}", done.out)
    assert re.search(r"Explained variance +R2\n +x1 +\.\d{3}\n", done.out)


@pytest.mark.thorough
def test_ordinal_indicators_with_covariates_have_indices_and_reliability(run: Run) -> None:
    recorded.sample("ordinal_covariates").to_csv("o.csv", index=False)
    model = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf1 ~ age + sex\nf2 ~ f1 + age"
    words = ("o.csv", "--model", model, "--type", "sem", "--ordered", "x1,x2,x3,x4,x5,x6")
    document = json.loads(run(*words, "--json").out)
    first = document["modification_indices"][0]
    assert (first["lhs"], first["op"], first["rhs"]) == ("f2", "~", "sex")
    assert first["mi"] == pytest.approx(5.172, abs=5e-4)  # lavaan 0.6-14
    named = {(row["index"], row["latent"]) for row in document["reliability"]["indices"]}
    assert {("omega", "f1"), ("omega", "f2")} <= named
    assert "omega of f1" in run(*words, "-o", "page").out
    assert Path("page/tables/modification.csv").exists()


@pytest.mark.thorough
def test_ordered_all_stands_for_all_indicators(run: Run) -> None:
    recorded.sample("ordinal_covariates").to_csv("o.csv", index=False)
    words = ("o.csv", "--model", "f1 =~ x1 + x2 + x3 + x4", "--json", "--ordered")
    assert run(*words, "all").out == run(*words, "x1,x2,x3,x4").out


def test_weights_and_clusters_are_lavaans_from_the_command_line(run: Run) -> None:
    theirs = recorded.read("design_both")
    recorded.sample("designed").to_csv("designed.csv", index=False)
    words = ("designed.csv", "--model", theirs["syntax"], "--type", "sem", "--estimator", "MLR")
    done = run(*words, "--weights", "weight", "--cluster", "family", "--json")
    document = json.loads(done.out)
    assert document["se"] == "robust.cluster"
    assert document["fit"]["chisq.scaled"] == pytest.approx(theirs["fit"]["chisq.scaled"])
    own = {(r["lhs"], r["op"], r["rhs"]): r["se"] for r in document["estimates"]}
    for lhs, op, rhs, se in zip(
        *(theirs["estimates"][k] for k in ("lhs", "op", "rhs", "se")), strict=True
    ):
        assert own[lhs, op, rhs] == pytest.approx(se, rel=1e-6, abs=1e-9)
    assert "no column 'famly'" in run(*words, "--cluster", "famly").err


def test_scores_are_written_with_their_errors(run: Run) -> None:
    done = run("data.csv", "--model", "m.lav", "--scores", "s.csv", "--score-method", "bartlett")
    assert "bartlett scores of 320 cases" in done.out
    found = pd.read_csv("s.csv")
    assert list(found.columns) == ["case", "f1", "f1.se", "f2", "f2.se", "f3", "f3.se"]
    theirs = np.array(recorded.read("cfa_ml")["scores"]["bartlett"])
    np.testing.assert_allclose(found.loc[:7, ["f1", "f2", "f3"]], theirs, rtol=1e-6)


def test_scores_of_clusters_are_written_with_their_names(run: Run) -> None:
    theirs = recorded.read("twolevel_scores")["cases"][0]
    sample = recorded.sample("two_levels")
    sample.assign(school=[f"s{k}" for k in sample["school"]]).to_csv("pupils.csv", index=False)
    options = ("--cluster", "school", "--scores", "s.csv", "--score-level", "2")
    done = run("pupils.csv", "--model", theirs["syntax"], *options)
    assert "regression scores of 90 clusters" in done.out
    found = pd.read_csv("s.csv")
    assert list(found.columns) == ["cluster", "fb", "fb.se", "gb", "gb.se"]
    assert found["cluster"].tolist() == [f"s{k}" for k in range(90)]
    np.testing.assert_allclose(found.loc[:7, ["fb", "gb"]], theirs["between"], rtol=1e-5)


def test_a_bootstrap_gives_the_same_intervals_for_the_same_seed(run: Run) -> None:
    model = recorded.read("mediation")["syntax"]
    recorded.sample("mediation").to_csv("chain.csv", index=False)
    words = ("chain.csv", "--model", model, "--bootstrap", "50", "--seed", "3")
    first, second = (json.loads(run(*words, "--json").out)["bootstrap"] for _ in range(2))
    assert first == second
    assert first["kept"] == 50
    (indirect,) = [row for row in first["intervals"] if row["lhs"] == "indirect"]
    assert 0 < indirect["low"] < indirect["est"] < indirect["high"]
    done = run(*words, "-o", "page")
    assert "Bootstrap (50 of 50)" in done.out
    assert "indirect" in Path("page/tables/bootstrap.csv").read_text("utf-8")


def broken(kind: str) -> tuple[str, ...]:
    """Makes a mistake of this kind in the folder and gives the words of the call."""
    data = recorded.sample("three_factors")
    words = ["bad.csv", "--model", "m.lav"]
    files: dict[str, object] = {
        "text": data.astype({"x4": object}).assign(x4=["high", *data["x4"][1:]]),
        "column": data.drop(columns="x9"),
        "rows": data.iloc[:0],
        "constant": data.assign(x5=1.0),
        "infinite": data.assign(x5=[np.inf, *data["x5"][1:]]),
    }
    frame = files.get(kind, data)
    assert isinstance(frame, pd.DataFrame)
    frame.to_csv("bad.csv", index=False)
    match kind:
        case "empty":
            Path("bad.csv").write_text("", "utf-8")
        case "ragged":
            Path("bad.csv").write_text("x1,x2\n1,2\n1,2,3,4\n", "utf-8")
        case "binary":
            Path("bad.csv").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff\xfe")
        case "absent":
            words[0] = "nowhere.csv"
        case "folder":
            Path("dir.csv").mkdir()
            words[0] = "dir.csv"
        case "model":
            words[2] = "nowhere.lav"
        case "syntax":
            Path("m.lav").write_text("f1 =~ x1 + x2 x3\n", "utf-8")
        case "group":
            words += ["--group", "town"]
        case "one group":
            data.assign(school="north").to_csv("bad.csv", index=False)
            words += ["--group", "school"]
        case "no group":
            data.assign(school=[None, *data["school"][1:]]).to_csv("bad.csv", index=False)
            words += ["--group", "school"]
        case "estimator":
            words += ["--estimator", "MLX"]
        case "option" | "value" | "json" | "list" | "clash":
            text = {
                "option": '{"rotatoin": "x"}',
                "value": '{"group.w.free": true}',
                "json": "{",
                "list": "[1]",
                "clash": '{"estimator": "ML"}',
            }[kind]
            Path("o.json").write_text(text, "utf-8")
            words += ["--lavaan-options", "o.json", "--estimator", "MLR"]
        case "scores":
            words += ["--scores", "nowhere/s.csv"]
        case _:
            pass
    return tuple(words)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("text", "row 1, column 'x4': 'high' is not a number"),
        ("column", "no column 'x9'"),
        ("rows", "no rows"),
        ("constant", "'x5' does not vary"),
        ("infinite", "infinite"),
        ("empty", "is empty"),
        ("ragged", "line 3: 4 cells in a table of"),
        ("binary", "not text in UTF-8"),
        ("absent", "there is no such file"),
        ("folder", "is a folder"),
        ("model", "does not exist; give a file with lavaan syntax"),
        ("syntax", "line 1, column 15: expected '\\+'"),
        ("group", "no column 'town'"),
        ("one group", "one value only"),
        ("no group", "1 rows have no value in the grouping column"),
        ("estimator", "'MLX'"),
        ("option", "'rotatoin' is not supported"),
        ("value", "group.w.free = True is not supported"),
        ("json", "is not JSON"),
        ("list", "must hold a JSON object"),
        ("clash", "'MLR' on the command line and 'ML' in the file"),
        ("scores", "cannot write"),
    ],
)
def test_a_mistake_is_one_sentence(run: Run, kind: str, said: str) -> None:
    done = run(*broken(kind))
    assert done.code == 2, done.out + done.err
    assert re.search(said, done.err), done.err
    assert done.err.startswith("gfactor: ")
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.thorough
def test_a_two_level_model_prints_both_levels_and_has_a_page(run: Run) -> None:
    recorded.sample("two_levels").to_csv("pupils.csv", index=False)
    theirs = recorded.read("twolevel_ml")
    words = ("pupils.csv", "--model", theirs["syntax"], "--cluster", "school")
    done = run(*words, "-o", "page")
    assert (done.code, done.err) == (0, "")
    assert "n = 1178 in 90 clusters" in done.out
    assert done.out.index("Level 1: within clusters") < done.out.index("Level 2: between clusters")
    assert "Intraclass correlations: y1" in done.out
    page = Path("page/report.html").read_text("utf-8")
    assert "1178 in 90 clusters" in page
    assert "Path diagram, between" in page
    document = json.loads(run(*words, "--json").out)
    assert document["fit"]["chisq"] == pytest.approx(theirs["exact_chisq"])
    assert document["groups"] == ["within", "between"]
    done = run("pupils.csv", "--model", theirs["syntax"])
    assert done.code == 2
    assert "needs the column of clusters" in done.err
