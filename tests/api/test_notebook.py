"""What a notebook does with `import gfactor as gf`, and that the command line does the same."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.banks import make_items
from support.cli import Ran, run_cli
from tqdm.auto import tqdm as notebook_bar

import gfactor as gf
from gfactor.api.inputs import progress_bars
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.examinees.observer import observer
from gfactor.items import ItemBank, write_bank
from gfactor.psychometrics.sem import factor_scores

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    return gf.open_bank(write_bank(make_items(), tmp_path / "bank.parquet"))


def scores(n: int = 300, k: int = 4) -> pd.DataFrame:
    random = np.random.default_rng(1)
    g = random.normal(size=n)
    return pd.DataFrame({f"x{i}": g + random.normal(size=n) for i in range(1, k + 1)})


@pytest.mark.slow
def test_the_notebook_runs_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    domains = ["change_colour", "circle_boxes"]  # Fewer than all, for the time of the test.
    bank = gf.build(
        "percept-v", seed=7, sizes=range(1, 11), path="pv.parquet", domains=domains, instances=2
    )
    assert len(bank) == 40
    journal = gf.run(
        bank, ["observer:ideal", "observer:limited?seed=3"], journal="c.db", condition="cot=on"
    )
    assert [result.asked for result in journal.results] == [40, 40]
    assert "observer:ideal: 40 asked" in repr(journal)

    table = gf.score(journal).table.set_index("examinee")
    assert table["n"].tolist() == [40, 40]
    assert set(table["condition"]) == {"cot=on"}
    ideal = table.loc["observer:ideal"]
    assert ideal["accuracy"] == 1
    assert 0.9 < ideal["ci_lower"] < ideal["ci_upper"] <= 1

    matrix = gf.matrix(journal, by="domain")
    assert list(matrix.scores.columns) == domains
    assert (matrix.n == 20).all(axis=None)

    written = gf.report(journal, "report/")
    assert "observer:ideal" in written.path.read_text("utf-8")
    assert all((tmp_path / "report" / "tables" / f"{name}.csv").exists() for name in written.tables)

    compared = gf.compare(journal, by="domain")
    pair = compared.differences.iloc[0]
    assert pair["ci_lower"] <= pair["estimate"] <= pair["ci_upper"]
    assert set(compared.parts) == set(domains)
    journal.close()


@pytest.mark.thorough
def test_the_model_of_the_notebook(tmp_path: Path) -> None:
    data = scores()
    fit = gf.sem("g =~ x1 + x2 + x3 + x4", data, estimator="MLR")
    assert {"est", "se", "ci.lower", "ci.upper"} <= set(fit.estimates)
    assert fit.measures["cfi.robust"] == fit.fit_measures.to_dict()["cfi.robust"]
    assert [found.code for found in fit.diagnostics] == ["fit_hardly_tested"]
    assert fit.diagnostics[0].sentence in fit.summary()
    assert json.loads(json.dumps(fit.to_dict(), allow_nan=False))["converged"]
    new = data.head(7) + 0.1
    expected = factor_scores(fit, new, method="bartlett").scores
    pd.testing.assert_frame_equal(fit.scores(new, method="bartlett").scores, expected)
    assert len(fit.scores().scores) == 300
    page = fit.report(tmp_path / "cfa").path
    assert "Latent variable model" in page.read_text("utf-8")


@pytest.mark.thorough
def test_an_ordinal_model_has_the_same_methods(tmp_path: Path) -> None:
    given = scores(400)
    data = (given > 0).astype(float) + (given > 1)
    fit = gf.sem("g =~ x1 + x2 + x3 + x4", data, ordered=list(data))
    assert fit.scores(data.head(3)).scores.shape == (3, 1)
    assert fit.report(tmp_path / "ordinal").path.exists()


def test_a_path_model_writes_its_page(tmp_path: Path) -> None:
    data = scores(100, 6)
    fit = gf.pls("A =~ x1 + x2 + x3; B =~ x4 + x5 + x6; B ~ A", data)
    assert "PLS path model" in fit.report(tmp_path / "pls").path.read_text("utf-8")


@pytest.mark.thorough
def test_python_and_the_command_line_say_the_same(run: Run, bank: ItemBank, tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    people = ["baseline:constant", "observer:ideal"]
    for condition in ("default", "cot=on"):
        gf.run(bank, people, journal=path, condition=condition).close()

    def told(*words: object) -> dict[str, object]:
        return json.loads(run(*words, "--json").out)

    assert gf.score(path).to_dict() == told("score", path)
    one = {"condition": "cot=on", "examinees": people[:1]}
    chosen = ("--condition", "cot=on", "--examinee", people[0])
    assert gf.score(path, **one).to_dict() == told("score", path, *chosen)
    assert gf.compare(path, by="size").to_dict() == told("compare", path, "--by", "size")
    made = told("matrix", path, "--count", "--by", "size", *chosen)
    found = gf.matrix(path, by="size", count=True, **one).to_dict()
    assert found == {name: made[name] for name in found}


@pytest.mark.slow
def test_the_audit_says_the_same(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "pv.parquet"
    bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path=path)
    found = gf.audit(bank)
    assert found.to_dict() == json.loads(run("audit", path, "--json").out)
    assert found.passed == (run("audit", path).code == 0)
    assert "no limit is broken" in found.summary()


@pytest.mark.thorough
def test_only_the_items_with_a_label(bank: ItemBank, tmp_path: Path) -> None:
    journal = gf.run(bank, "observer:ideal", journal=tmp_path / "c.db")
    size = gf.matrix(journal, by="size").n
    some = str(size.columns[0])
    assert gf.matrix(journal, where={"size": some}).n.to_numpy().sum() == size.iloc[0, 0]
    with pytest.raises(UnknownNameError, match="value of size"):
        gf.matrix(journal, where={"size": 99})


@pytest.mark.thorough
def test_groups_add_up(bank: ItemBank, tmp_path: Path) -> None:
    found = gf.score(gf.run(bank, ["observer:ideal"], journal=tmp_path / "c.db"))
    assert sum(found.groups("size")["n"]) == sum(found.table["n"]) == len(bank)
    with pytest.raises(UnknownNameError, match="label"):
        found.groups("sice")


def test_a_run_in_a_running_event_loop(bank: ItemBank, tmp_path: Path) -> None:
    """Every cell of a notebook runs in one."""

    async def cell() -> int:
        return gf.run(bank, ["baseline:constant"], journal=tmp_path / "c.db").results[0].asked

    assert asyncio.run(cell()) == len(bank)


def test_a_mistake_leaves_no_journal_behind(bank: ItemBank, tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    mistakes: tuple[dict[str, Any], ...] = (
        {"examinees": ["observer:idael"]},
        {"examinees": []},
        {"examinees": ["observer:ideal"], "condition": "images=gone"},
        {"examinees": ["observer:ideal"], "rpm": 5},
        {"examinees": ["observer:ideal"], "rmp": 5},
        {"examinees": ["observer:ideal"], "knowledge": tmp_path / "none.csv"},
    )
    for mistake in mistakes:
        with pytest.raises(GfactorError):
            gf.run(bank, journal=path, **mistake)
        assert not path.exists(), mistake


def test_options_are_named_as_python_names_them(bank: ItemBank, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"^rpm is for models over HTTP"):
        gf.run(bank, ["observer:ideal"], journal=tmp_path / "c.db", rpm=5)
    with pytest.raises(ParameterError, match=r"^max_cost needs prices to know"):
        gf.run(bank, ["openai:x"], journal=tmp_path / "c.db", max_cost=5)
    journal = gf.run(bank, ["observer:ideal"], journal=tmp_path / "c.db")
    with pytest.raises(ParameterError, match=r"^rpm is for a judge; name one with judge"):
        gf.score(journal, rpm=5)
    with pytest.raises(UnknownNameError, match="policy"):
        gf.score(journal, policy="nne")
    with pytest.raises(UnknownNameError, match="option of percept-v"):
        gf.build("percept-v", size=[1], path=tmp_path / "b.parquet")


def test_failed_attempts_are_warned_of(
    bank: ItemBank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("worker lost")

    monkeypatch.setattr(observer, "look", broken)
    with pytest.warns(RuntimeWarning, match="12 attempts failed, the last with: OSError"):
        journal = gf.run(bank, ["observer:ideal"], journal=tmp_path / "c.db")
    assert "12 attempts failed" in journal.summary()


def test_bars_are_widgets_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    with progress_bars.counter(3, "work") as bar:
        assert bar.disable
    ipython = ModuleType("IPython")
    shell = SimpleNamespace(config={"IPKernelApp": {}})
    monkeypatch.setattr(ipython, "get_ipython", lambda: shell, raising=False)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    with progress_bars.counter(3, "work") as bar:
        assert not bar.disable
    monkeypatch.setattr(progress_bars, "_has_widgets", lambda: True)
    with progress_bars.counter(3, "work") as bar:
        assert isinstance(bar, notebook_bar)
        assert not bar.disable
