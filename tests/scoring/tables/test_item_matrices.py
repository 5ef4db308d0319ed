"""Answers of models to single items become scores of tasks, wherever scores are taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from support.benchmarks import shared
from support.tiers import few

from gfactor.cli import cli
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.scoring.tables import by_task, read_scores, read_tasks

TASKS = ("B.C1.add", "B.C1.sort", "B.C2.map", "B.C2.turn")
MODEL = "C1 =~ B.C1.add + B.C1.sort; C2 =~ B.C2.map + B.C2.turn; C2 ~ C1"


def call(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(w) for w in words])


def answered(models: int = 30, items: int = 25, guess: float = 0.25) -> pd.DataFrame:
    """0 and 1 of models by one ability; columns add_1 and so on."""
    rng = np.random.default_rng(2)
    ability = rng.normal(size=models)
    columns = {}
    for task in TASKS:
        own = 0.8 * ability + 0.4 * rng.normal(size=models)
        for k in range(items):
            p = guess + (1 - guess) / (1 + np.exp(-2 * own + rng.normal()))
            columns[f"{task.split('.')[-1]}_{k}"] = (rng.random(models) < p).astype(int)
    return pd.DataFrame(columns, index=pd.Index([f"m{i:02d}" for i in range(models)], name="model"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = answered()
    data.assign(license="open", extra_1=1).to_csv(tmp_path / "answers.csv")
    lines = [(f"{t.split('.')[-1]}_{k}", t, 4) for t in TASKS for k in range(25)]
    pd.DataFrame([*lines, ("gone_1", "B.C1.add", 4)], columns=["item", "task", "options"]).to_csv(
        tmp_path / "items.csv", index=False
    )
    return tmp_path


@pytest.mark.thorough
def test_task_scores_are_means_of_the_items_that_a_model_answered(folder: Path) -> None:
    data: Any = answered()
    data.iloc[0, 0] = np.nan
    data.to_csv(folder / "gaps.csv")
    found = by_task(read_scores(folder / "gaps.csv"), read_tasks(str(folder / "items.csv")))
    assert list(found.scores.columns) == list(TASKS)
    own = data.filter(like="add_")
    assert np.allclose(found.scores["B.C1.add"], own.mean(axis=1))
    assert found.items is not None
    assert found.items.chance_of_tasks == dict.fromkeys(TASKS, 0.25)


def test_import_scores_takes_a_map_and_says_what_is_left_aside(folder: Path) -> None:
    done = call(
        "import-scores", folder / "answers.csv", "--tasks", folder / "items.csv", "-o",
        folder / "scores.csv", "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["columns"] == list(TASKS)
    said = " ".join(found["flaws"])
    assert "1 column (extra_1) without a task left aside" in said
    assert "1 text column (license) left aside" in said
    assert "1 item (gone_1) not in" in said
    table: Any = pd.read_csv(folder / "scores.csv", index_col=0)
    assert np.allclose(table["B.C2.map"], answered().filter(like="map_").mean(axis=1))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("pattern", "tasks"),
    [
        ("([a-z]+)_[0-9]+", {"add", "sort", "map", "turn", "extra"}),
        ("add|sort", {"add", "sort"}),
        ("[a-z]+_(?P<task>[0-9])$", set("0123456789")),
    ],
)
def test_a_pattern_says_the_task_by_its_group_or_its_match(
    folder: Path, pattern: str, tasks: set[str]
) -> None:
    done = call("import-scores", folder / "answers.csv", "--tasks", pattern, "--json")
    assert set(json.loads(done.stdout)["columns"]) == tasks


@pytest.mark.thorough
@pytest.mark.parametrize("verb", ["prune", "compare-benchmarks", "audit"])
def test_every_verb_that_takes_scores_takes_items(folder: Path, verb: str) -> None:
    more = {"prune": ["--model", MODEL], "compare-benchmarks": ["--draws", 20], "audit": []}[verb]
    done = call(verb, folder / "answers.csv", "--tasks", folder / "items.csv", "--json", *more)
    assert done.exit_code == 0, done.output
    assert "1 text column (license) left aside" in done.stderr
    found = json.loads(done.stdout)
    if verb == "audit":
        assert found["samples"][0]["columns"] == 4
    else:
        assert "B.C1.add" in done.stdout


def test_tasks_without_a_benchmark_belong_to_the_file(folder: Path) -> None:
    done = call(
        "compare-benchmarks", folder / "answers.csv", "--tasks", "(add|sort|map)_", "--json",
        "--draws", 20,
    )  # fmt: skip
    assert json.loads(done.stdout)["benchmarks"][0]["benchmark"] == "answers"


@pytest.mark.thorough
def test_audit_leaves_columns_of_text_aside_and_names_them(folder: Path) -> None:
    done = call("audit", folder / "answers.csv", "--json")
    assert done.exit_code == 0, done.output
    assert "no numbers in license; left aside" in done.stderr
    assert json.loads(done.stdout)["samples"][0]["columns"] == 101


def test_items_without_tasks_are_named_as_such(folder: Path) -> None:
    answered().to_csv(folder / "bare.csv")
    done = call("compare-benchmarks", folder / "bare.csv")
    assert isinstance(done.exception, GfactorError)
    assert "0 and 1 only in its 100 columns, as answers to single items are; say which item" in str(
        done.exception
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,task\nadd_1,A\nadd_1,B\n", "line 3: item 'add_1' belongs to 'A' and to 'B'"),
        ("item,task,options\nadd_1,A,none\n", "line 2: options is 'none'"),
        ("item,task,chance\nadd_1,A,1.5\n", "line 2: chance is '1.5'"),
        ("item,topic\nadd_1,A\n", "'task'"),
    ],
)
def test_a_map_that_cannot_be_read_is_told_with_its_line(
    tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "map.csv").write_text(text)
    with pytest.raises((ParameterError, UnknownNameError)) as error:
        read_tasks(str(tmp_path / "map.csv"))
    assert told in str(error.value)


def test_patterns_and_answers_that_make_no_sense_are_refused(folder: Path) -> None:
    table = read_scores(folder / "answers.csv")
    with pytest.raises(ParameterError, match="nor a regular expression"):
        read_tasks("(open")
    with pytest.raises(ParameterError, match="none of its 101 number columns a task"):
        by_task(table, read_tasks("zzz"))
    table.scores.iloc[3, 2] = 7
    with pytest.raises(ParameterError, match="row 'm03', column 'add_2': 7 is not an answer"):
        by_task(table, read_tasks("add"))


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(["normal_mathvista", "normal_mmmu", "shuffled_seedbench"], 1))
def test_published_response_matrices_are_read(name: str) -> None:
    path = shared(f"data/raw/m3irt/{name}.csv")
    table = read_scores(path)
    assert set(np.unique(table.scores.to_numpy())) == {0.0, 1.0}
    tasks = read_tasks(
        r"validation_(.+)_\d+" if "mmmu" in name else r"(<no_[a-z]+>|[a-z_0-9]{1,3})"
    )
    found = by_task(table, tasks)
    assert found.items is not None
    assert len(found.scores) == len(table.scores)
    if "mmmu" in name:
        own = pd.read_csv(shared("data/tidy/m3irt_mmmu_val_24models_30subjects.csv"))
        assert found.scores.shape == (24, 30) == (len(own), 30)


@pytest.mark.parametrize(
    ("header", "cell", "chance"),
    [
        ("options", "4", 0.25),
        ("options", "1", 1.0),
        ("options", "", 0.0),
        ("options", "0.9", None),
        ("options", "many", None),
        ("chance", "0.2", 0.2),
        ("chance", "0", 0.0),
        ("chance", "1", 1.0),
        ("chance", "", 0.0),
        ("chance", "1.01", None),
        ("chance", "-0.01", None),
    ],
)
def test_what_a_guess_earns_stands_in_the_file_of_tasks(
    header: str, cell: str, chance: float | None, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"item,task,{header}\na,t,{cell}\nb,,9\n")
    if chance is None:
        with pytest.raises(ParameterError, match=f"line 2: {header} is '{cell}'; it is a number"):
            read_tasks(str(path))
        return
    found = read_tasks(str(path))
    assert found.tasks == {"a": "t"}
    assert found.chance == {"a": chance}
    assert found.of(["a", "b", "c"]) == {"a": "t"}


def test_tasks_without_a_column_for_guesses_have_none_and_an_item_has_one_task(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,task\na , t\na,t\n")
    found = read_tasks(str(path))
    assert (found.tasks, found.chance) == ({"a": "t"}, {})
    path.write_text("item,task\na,t\nb,t\na,u\n")
    with pytest.raises(ParameterError, match="line 4: item 'a' belongs to 't' and to 'u'"):
        read_tasks(str(path))
    with pytest.raises(ParameterError, match=r"neither a \.csv or \.tsv file nor a regular"):
        read_tasks("(a")


@pytest.mark.parametrize(
    ("pattern", "tasks"),
    [
        ("(?P<task>[a-z]+)_([0-9])", {"add_1": "add", "map_2": "map"}),
        ("([a-z]+)_[0-9]", {"add_1": "add", "map_2": "map"}),
        ("[a-z]+", {"add_1": "add", "map_2": "map"}),
        ("add()_1", {}),
        ("add", {"add_1": "add"}),
    ],
)
def test_a_pattern_names_tasks_by_its_group_or_what_it_matches(
    pattern: str, tasks: dict[str, str]
) -> None:
    assert read_tasks(pattern).of(["add_1", "map_2", "9"]) == tasks


def test_answers_outside_0_to_1_and_what_is_left_aside_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("model,a,b,c,d,e,note\nm1,1,0,1,0,1,x\nm2,0,1,1,,0,y\n")
    tasks = tmp_path / "t.csv"
    tasks.write_text("item,task,chance\na,t,0.5\nb,u,\nz,u,0.1\n")
    found = by_task(read_scores(path), read_tasks(str(tasks)))
    assert found.scores.to_numpy().tolist() == [[1, 0], [0, 1]]
    assert found.items is not None
    assert found.items.chance == {"a": 0.5, "b": 0.0}
    said = " | ".join(found.flaws)
    assert "3 columns (c, d, e) without a task left aside" in said
    assert "1 text column (note) left aside" in said
    assert "1 item (z) not in" in said
    path.write_text("model,a,b\nm1,1,0\nm2,0,1.5\n")
    with pytest.raises(ParameterError, match=r"row 'm2', column 'b': 1\.5 is not an answer"):
        by_task(read_scores(path), read_tasks(str(tasks)))
    with pytest.raises(ParameterError, match="gives none of its 2 number columns a task"):
        by_task(read_scores(path), read_tasks("zz"))


def written(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def test_what_a_guess_earns_is_read_or_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "item,task,chance\na,x,0.25\nb,x,\nc,,0.5\nd,y,1\n")
    found = read_tasks(str(path))
    assert found.tasks == {"a": "x", "b": "x", "d": "y"}
    assert found.chance == {"a": 0.25, "b": 0.0, "d": 1.0}
    path = written(tmp_path / "t.csv", "item,task,options\na,x,4\nb,x,1\n")
    assert read_tasks(str(path)).chance == {"a": 0.25, "b": 1.0}
    assert read_tasks(str(written(tmp_path / "t.csv", "item,task\na,x\n"))).chance == {}
    for column, value, allowed in (
        ("chance", "1.5", "from 0 to 1"), ("chance", "-0.1", "from 0 to 1"),
        ("chance", "much", "from 0 to 1"), ("options", "0.5", "from 1 on"),
        ("options", "few", "from 1 on"),
    ):  # fmt: skip
        written(tmp_path / "t.csv", f"item,task,{column}\na,x,{value}\n")
        with pytest.raises(ParameterError, match=f"line 2: {column} is '{value}'; it is a number "
                                                 f"{allowed}"):  # fmt: skip
            read_tasks(str(tmp_path / "t.csv"))
    with pytest.raises(ParameterError, match="line 3: item 'a' belongs to 'x' and to 'y'"):
        read_tasks(str(written(tmp_path / "t.csv", "item,task\na,x\na,y\n")))
