"""Every command has a function in Python that does the same, and its help names it."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
import pytest
from support.banks import make_items
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.cli import cli
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.items import ItemBank, write_bank

Run = Callable[..., Ran]
TWIN = re.compile(r"gfactor\.([\w.]+\w)\(")


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command and group below the command line."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


COMMANDS = sorted(commands(cli))


def command_of(path: tuple[str, ...]) -> click.Command:
    found: click.Command = cli
    for name in path:
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), name)
        assert inner is not None
        found = inner
    return found


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    return gf.open_bank(write_bank(make_items(), tmp_path / "bank.parquet"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tasks(n: int = 60) -> pd.DataFrame:
    """Models x tasks of a benchmark with two constructs, one task nearly a copy."""
    random = np.random.default_rng(3)
    first, second = random.normal(size=(2, n))
    data = pd.DataFrame({f"B.One.t{k}": first + random.normal(size=n) for k in range(3)})
    data["B.One.copy"] = data["B.One.t0"] + 0.05 * random.normal(size=n)
    for k in range(3):
        data[f"B.Two.t{k}"] = first + second + random.normal(size=n)
    return data.set_axis([f"m{k}" for k in range(n)], axis=0).rename_axis("model")


def test_there_are_the_commands_that_the_house_has() -> None:
    assert len(COMMANDS) > 50
    assert {("run",), ("study", "serve"), ("annotate", "export"), ("analyze", "gia"),
            ("build", "percept-v")} <= set(COMMANDS)  # fmt: skip


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_the_help_of_a_command_names_its_twin_and_there_is_one(path: tuple[str, ...]) -> None:
    told = " ".join((command_of(path).help or "").split()).partition("Python: ")[2]
    names = TWIN.findall(told)
    assert names, f"gfactor {' '.join(path)} names no twin"
    for name in names:
        first, *rest = name.split(".")
        assert first in dir(gf)
        found: Any = getattr(gf, first)
        for part in rest:
            assert part in found.__all__
            found = getattr(found, part)
        assert callable(found)
        assert inspect.getdoc(found)


def test_commands_with_commands_are_packages_with_the_same_functions() -> None:
    packages = {"study": gf.study, "annotate": gf.annotate, "campaign": gf.campaign}
    for group, package in packages.items():
        verbs = {path[1].replace("-", "_") for path in COMMANDS if path[0] == group and path[1:]}
        assert verbs <= set(package.__all__)


def test_pruning_says_the_same(run: Run, here: Path) -> None:
    data = tasks()
    data.to_csv("scores.csv")
    found = gf.prune(None, data, loading=0.5, n_bootstrap=20, folds=3, seed=2)
    words = ("--loading", 0.5, "--stability", 20, "--validate", 3, "--seed", 2)
    assert json.loads(run("prune", "scores.csv", *words, "--json").out) == json.loads(
        json.dumps(found.to_dict())
    )
    assert "B.One.copy" in found.summary()
    assert (
        gf.prune(None, "scores.csv", loading=0.5).to_dict()
        == gf.prune(None, data, loading=0.5).to_dict()
    )
    with pytest.raises(ParameterError, match="give folds"):
        gf.prune(None, data, criterion=pd.DataFrame({"model": ["m1"], "rating": [1.0]}))
    with pytest.raises(ParameterError, match=r"^names and where are for a criterion"):
        gf.prune(None, data, names={"m1": "M1"}, folds=3)


def test_comparing_benchmarks_says_the_same(run: Run, here: Path) -> None:
    data = tasks()
    data.to_csv("scores.csv")
    ratings = pd.DataFrame({"model": data.index, "rating": np.arange(len(data), dtype=float)})
    ratings.to_csv("human.csv", index=False)
    found = gf.compare_benchmarks(
        data, criterion=ratings, chance=0.25, without=["m1?"], n_bootstrap=20, seed=4
    )
    words = ("--criterion", "human.csv", "--chance", 0.25, "--without", "m1?", "--draws", 20)
    told = json.loads(run("compare-benchmarks", "scores.csv", *words, "--seed", 4, "--json").out)
    assert told == json.loads(json.dumps(found.to_dict()))
    assert found.table["models"].tolist() == [50]


def test_imported_scores_are_joined_by_the_same_rules(run: Run, here: Path) -> None:
    pd.DataFrame({"model": ["a", "b"], "X.t": [0.1, 0.2]}).to_csv("one.csv", index=False)
    pd.DataFrame({"model": ["b", "C"], "X.u": [0.3, 0.4]}).to_csv("two.csv", index=False)
    found = gf.import_scores(["one.csv", "two.csv"], names={"C": "a"}, path="both.csv")
    assert found.scores.loc["a", "X.u"] == 0.4
    assert pd.read_csv("both.csv")["model"].tolist() == ["a", "b"]
    pd.DataFrame({"model": ["C"], "as": ["a"]}).to_csv("names.csv", index=False)
    told = run("import-scores", "one.csv", "two.csv", "--names", "names.csv", "--json")
    assert json.loads(told.out) == json.loads(json.dumps(found.to_dict()))
    with pytest.raises(ParameterError, match=r"^by is for files of the format journal"):
        gf.import_scores("one.csv", by="size")


def test_banks_are_selected_and_transformed_alike(run: Run, bank: ItemBank, here: Path) -> None:
    done = gf.select(bank, "stratified", by=["size"], n=4, seed=3, path="python.parquet")
    words = ("--method", "stratified", "--by", "size", "--n", 4, "--seed", 3)
    told = run("select", bank.path, "-o", "shell.parquet", *words)
    assert (told.code, told.out) == (0, f"{done.summary()}\n".replace("python", "shell"))
    assert gf.open_bank("python.parquet").ids == gf.open_bank("shell.parquet").ids
    with pytest.raises(ParameterError, match="the method 'all' has no option --n"):
        gf.select(bank, "all", n=3, path="none.parquet")
    with pytest.raises(ParameterError, match="from 0 to 1"):
        gf.transform(bank, "split", share=2, path="none.parquet")
    assert not Path("none.parquet").exists()


def test_what_is_listed_is_what_there_is(run: Run) -> None:
    for kind in ("benchmarks", "domains", "examinees", "published"):
        told = json.loads(run("list", kind, "--json").out)
        assert gf.available(kind).to_dict("records") == told
        assert told
    name = gf.available("published")["name"].iloc[0]
    assert len(gf.published(name).frame)
    assert run("published", "m3gia-2").out == f"{gf.published('m3gia-2').summary()}\n"
    with pytest.raises(UnknownNameError, match="kind"):
        gf.available("domain")


def test_readings_are_the_same(run: Run, here: Path) -> None:
    case = {"id": "1", "kind": "SA", "options": {"A": "x", "B": "y"}}
    lines = [case | {"response": "B", "expected": "B"}, case | {"response": "no", "expected": "A"}]
    Path("cases.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = gf.extract("cases.jsonl")
    assert json.loads(run("extract", "cases.jsonl", "--json").out) == found.to_dict()
    assert found.shares[["n", "right", "missed"]].iloc[-1].tolist() == [2, 0.5, 0.5]
    assert found.table["answer"].tolist() == ["B", None]


@pytest.mark.thorough
def test_a_study_is_made_and_exported_in_python(bank: ItemBank, here: Path) -> None:
    made = gf.study.new(bank, "study", title="A study", ids="signed", password="owner's secret")
    assert made.password == "owner's secret"
    table = gf.study.links("study", ["p1", "p2"], public_url="https://lab.example", path="l.csv")
    assert table["link"].str.startswith("https://lab.example/?link=").all()
    assert Path("l.csv").stat().st_mode & 0o077 == 0
    with pytest.raises(ParameterError, match="row 3: 'p1' is in row 2, too"):
        gf.study.links("study", ["p1", "p1"])
    with pytest.raises(ParameterError, match="no participant 'x'"):
        gf.study.result_links("study", ["x"])
    with pytest.raises(UnknownNameError, match="'langauge'; did you mean 'language'"):
        gf.study.new(bank, "other", title="A", langauge="zh")  # pyright: ignore[reportCallIssue]
    assert dict(gf.study.status("study").facts)["Finished"].startswith("0")
    assert gf.study.export("study", "people").people == 0
    ended = gf.study.close("study")
    assert dict(gf.study.status("study").facts)["Closed"].startswith(ended[:10])


def test_annotations_are_organized_in_python(bank: ItemBank, here: Path) -> None:
    gf.annotate.new(bank, "workspace")
    passwords = gf.annotate.invite("workspace", ["ada", "ben"])
    assert len(set(passwords.values())) == 2
    assert gf.annotate.assign("workspace", ["ada", "ben"], per_item=1) == len(bank)
    journal = gf.run(bank, ["baseline:constant"], journal="c.db")
    taken = gf.annotate.responses("workspace", journal, per_examinee=2, seed=1)
    assert taken.added == 2
    _, waiting = gf.annotate.labels("workspace")
    assert waiting >= 0
    with pytest.raises(GfactorError):
        gf.annotate.responses("workspace", journal, quota="10")
    with pytest.raises(ParameterError, match="one file"):
        gf.annotate.label_studio("workspace")
