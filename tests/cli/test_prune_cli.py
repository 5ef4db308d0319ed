"""gfactor prune, compare-benchmarks and import-scores as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from support.benchmarks import simulated
from support.oracles import ORACLES

from gfactor.cli import cli
from gfactor.errors import GfactorError

MODEL = """
C1 =~ B.C1.t1 + B.C1.t2 + B.C1.t3 + B.C1.t4 + B.C1.t5
C2 =~ B.C2.t1 + B.C2.t2 + B.C2.t3 + B.C2.t4 + B.C2.t5
C2 ~ C1
"""


def call(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(w) for w in words])


def document(*words: object) -> Any:
    done = call(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = simulated(80)
    data.to_csv(tmp_path / "scores.csv")
    (tmp_path / "m.pls").write_text(MODEL)
    rng = np.random.default_rng(0)
    rating = 1000 + 5 * data.mean(axis=1).iloc[:40] + rng.normal(0, 20, 40)
    arena = pd.DataFrame({"model": [f"{m} (chat)" for m in rating.index], "rating": rating})
    arena = arena.assign(rating_q025=rating - 10, rating_q975=rating + 10, date="2026-01-01")
    older = arena.assign(date="2025-01-01")
    pd.concat([arena, older]).to_csv(tmp_path / "arena.csv", index=False)
    names = pd.DataFrame({"model": rating.index, "as": arena["model"].to_numpy()})
    names.to_csv(tmp_path / "names.csv", index=False)
    return tmp_path


def test_prune_prints_what_stays_and_a_trace(folder: Path) -> None:
    found = document(
        "prune", folder / "scores.csv", "--model", folder / "m.pls", "--vif", 3, "--loading", 0.8
    )
    assert {"retained", "trace", "three", "diagnostics"} <= set(found)
    for step in found["trace"]:
        assert step["reason"] in ("vif", "loading")
        assert {"task", "construct", "value"} <= set(step)
    assert len(found["retained"]) + len(found["trace"]) == 10
    said = call("prune", folder / "scores.csv", "--vif", 3)
    assert "tasks retained" in said.output


@pytest.mark.thorough
def test_prune_gives_the_oracles_trace_from_the_command_line(tmp_path: Path) -> None:
    oracle = json.loads((ORACLES / "pls" / "goldbench_prune_pool85.json").read_text())
    lines = [f"{c} =~ {' + '.join(own)}" for c, own in oracle["constructs"].items()]
    lines += ["Human =~ arena", f"Human ~ {' + '.join(oracle['constructs'])}"]
    (tmp_path / "gold.pls").write_text("\n".join(lines))
    pool = ORACLES / "pls" / "pool85_synthetic.csv"
    found = document("prune", pool, "--model", tmp_path / "gold.pls")
    assert [step["task"] for step in found["trace"]] == oracle["removal_order"]


@pytest.mark.slow
def test_everything_that_prune_can_add_is_in_its_page(folder: Path) -> None:
    found = document(
        "prune", folder / "scores.csv", "--vif", 3, "--loading", 0.8, "--stability", 20,
        "--ablation", "--validate", 3, "--criterion", folder / "arena.csv",
        "--names", folder / "names.csv", "--where", "date=2026-01-01", "-o", folder / "page",
    )  # fmt: skip
    assert found["stability"]["draws"] == 20
    assert len(found["ablation"]) == 18
    assert found["validation"]["alignment"]["n"] == 40
    page = (folder / "page" / "report.html").read_text()
    for name in ("trace", "stability", "loadings", "htmt", "ranks"):
        assert (folder / "page" / "figures" / f"{name}.svg").exists(), name
    for name in ("retained", "trace", "stability", "ablation", "ranks", "held_out", "alignment"):
        assert (folder / "page" / "tables" / f"{name}.csv").exists(), name
    assert "Tasks in the order of their removal" in page


def test_compare_benchmarks_sets_diagnostics_beside_alignment(folder: Path) -> None:
    other = simulated(80, seed=9)
    other.columns = [c.replace("B.", "D.") for c in other.columns]
    other.to_csv(folder / "other.csv")
    found = document(
        "compare-benchmarks", folder / "scores.csv", folder / "other.csv", "--criterion",
        folder / "arena.csv", "--names", folder / "names.csv", "--where", "date=2026-01-01",
        "--draws", 20, "--chance", 25, "-o", folder / "page",
    )  # fmt: skip
    first, second = found["benchmarks"]
    assert (first["benchmark"], second["benchmark"]) == ("B", "D")
    assert first["human"] > 0.5
    assert first["human_n"] == 40
    assert first["human_low"] < first["human"] < first["human_high"]
    assert found["differences"][0]["n"] == 40
    assert (folder / "page" / "figures" / "radar.svg").exists()
    assert (folder / "page" / "tables" / "benchmarks.csv").exists()
    assert "The area has no meaning" in (folder / "page" / "report.html").read_text()


def test_totals_are_benchmarks_of_one_column(folder: Path) -> None:
    data = simulated(80)
    totals = pd.DataFrame({"A": data.iloc[:, :5].mean(axis=1), "Z": data.mean(axis=1)})
    totals.to_csv(folder / "totals.csv")
    found = document(
        "compare-benchmarks", folder / "totals.csv", "--benchmark", "A", "--benchmark", "Z",
        "--criterion", folder / "arena.csv", "--names", folder / "names.csv",
        "--where", "date=2025-01-01",
    )  # fmt: skip
    assert [b["D_div"] for b in found["benchmarks"]] == [None, None]
    assert [b["human_n"] for b in found["benchmarks"]] == [40, 40]


def test_import_scores_joins_and_lists(folder: Path) -> None:
    arena = folder / "arena.csv"
    (folder / "small.csv").write_text("model,extra\nm000,1\nM-001,2\n")
    found = document(
        "import-scores", folder / "scores.csv", folder / "small.csv", "-o", folder / "all.parquet"
    )
    assert len(found["models"]) == 81
    assert "M-001" in found["unmatched"][str(folder / "small.csv")]
    assert pd.read_parquet(folder / "all.parquet").loc["m000", "extra"] == 1
    common = document("import-scores", folder / "scores.csv", folder / "small.csv", "--common")
    assert common["models"] == ["m000"]
    said = call("import-scores", folder / "scores.csv", folder / "small.csv")
    assert "only in" in said.output
    with pytest.raises(GfactorError, match="2 rows"):
        raise call("import-scores", arena).exception  # type: ignore[misc]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["prune", "scores.csv", "--model", "none.pls"], "cannot be read"),
        (["prune", "scores.csv", "--criterion", "arena.csv"], "give --validate"),
        (["prune", "scores.csv", "--where", "date=1"], "--criterion"),
        (["prune", "scores.csv", "--without", "gpt*"], "unknown model"),
        (["prune", "scores.csv", "--vif", "1"], "above 1"),
        (["prune", "none.csv"], "no file"),
        (["compare-benchmarks", "scores.csv", "--benchmark", "Z"], "unknown benchmark 'Z'"),
        (["compare-benchmarks", "scores.csv", "scores.csv"], "join them"),
        (["compare-benchmarks", "scores.csv", "--above", "1000"], "no model is above"),
        (["import-scores", "scores.csv", "-o", "x.txt"], "NAME.csv"),
    ],
)
def test_mistakes_get_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    monkeypatch.chdir(folder)
    done = call(*words)
    assert isinstance(done.exception, GfactorError), done.output
    assert sentence in str(done.exception)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["prune", "scores.csv", "--criterion", "arena.csv", "--where", "date"], "COLUMN=VALUE"),
        (["compare-benchmarks", "scores.csv", "--model", "x.pls"], "NAME=FILE"),
    ],
)
def test_a_pair_is_refused_with_the_form_it_must_have(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    monkeypatch.chdir(folder)
    done = call(*words)
    assert done.exit_code == 2
    assert f"it is written {sentence}" in done.output


@pytest.mark.thorough
def test_diagnostics_are_printed_first_by_severity(folder: Path) -> None:
    (folder / "three.csv").write_text("model,rating\nm000,1\nm001,2\nm002,3\n")
    done = call(
        "prune", folder / "scores.csv", "--validate", 3, "--criterion", folder / "three.csv"
    )
    first, *rest = done.output.splitlines()
    assert first.startswith("serious: The criterion 'three' shares 3 of 80 models")
    assert not any(line.startswith("error:") for line in rest)


@pytest.mark.slow
def test_the_same_command_writes_the_same_bytes(folder: Path) -> None:
    for name in ("one", "two"):
        call(
            "prune", folder / "scores.csv", "--loading", 0.85, "--stability", 10, "-o",
            folder / name,
        )  # fmt: skip
    files = sorted(p.relative_to(folder / "one") for p in (folder / "one").rglob("*.*"))
    assert len(files) > 10
    for file in files:
        assert (folder / "one" / file).read_bytes() == (folder / "two" / file).read_bytes(), file


def test_a_cell_of_text_is_named_with_its_place(folder: Path) -> None:
    table = pd.read_csv(folder / "scores.csv").astype(object)
    table.loc[3, "B.C1.t2"] = "oops"
    table.to_csv(folder / "text.csv", index=False)
    done = call("prune", folder / "text.csv", "--model", folder / "m.pls")
    assert "row 'm003', column 'B.C1.t2': 'oops' is not a number" in str(done.exception)


@pytest.mark.thorough
def test_a_model_can_be_given_in_the_command(folder: Path) -> None:
    text = MODEL.replace("\n", ";").strip(";")
    found = document("prune", folder / "scores.csv", "--model", text)
    assert found == document("prune", folder / "scores.csv", "--model", folder / "m.pls")
    parts = document(
        "compare-benchmarks", folder / "scores.csv", "--model", f"Mine={text}", "--draws", 2
    )
    assert parts["benchmarks"][0]["benchmark"] == "Mine"
    assert parts["benchmarks"][0]["tasks"] == 10
