"""Rows and columns of a table: what each option takes, in every analysis, of every format."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import special

import gfactor as gf
from gfactor.api.analyses.journal_scores import scores_in_parts
from gfactor.api.inputs.table_selection import TableSelection
from gfactor.cli.analyses import (
    adequacy,
    cfa,
    efa,
    invariance,
    irt,
    latent_classes,
    pls,
    reliability,
)
from gfactor.errors import GfactorError
from gfactor.items.table_files import read_frame
from gfactor.psychometrics.factor.suitability import adequacy as adequacy_of
from gfactor.psychometrics.item_columns import columns_of_persons


def _table() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    g = rng.normal(size=(240, 1))
    frame = pd.DataFrame(g + rng.normal(size=(240, 6))).add_prefix("x").round(3)
    frame.insert(0, "country", np.where(np.arange(240) % 3 == 0, "DE", "FR"))
    frame.insert(1, "age", rng.integers(15, 30, 240))
    frame.insert(2, "code", [f"p{k}" for k in range(240)])
    return frame


ITEMS = [f"x{k}" for k in range(6)]


def _file(folder: Path, frame: pd.DataFrame, name: str = "table.csv") -> str:
    path = folder / name
    if path.suffix == ".dta":
        frame.to_stata(path, write_index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return str(path)


def _run(command: Any, *words: str) -> Any:
    result = CliRunner().invoke(command, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout) if "--json" in words else result.output


@pytest.mark.parametrize(
    ("options", "columns"),
    [
        ({"columns": "x1,x3"}, ["x1", "x3"]),
        ({"columns": "x*"}, ITEMS),
        ({"columns": "x4:x2"}, ["x2", "x3", "x4"]),
        ({"drop": "country,age,code,x0:x3"}, ["x4", "x5"]),
        ({"columns": "x*", "drop": "x5"}, ITEMS[:5]),
        ({"columns": "x*", "identifier": "code"}, ITEMS),
        ({"drop": "code", "where": ("country=DE", "age>=18")}, ITEMS),
    ],
)
def test_columns_are_names_patterns_and_ranges(options: Any, columns: list[str]) -> None:
    assert list(TableSelection(**options).of(_table(), "t").columns) == columns


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        ("country=DE", lambda t: t.country == "DE"),
        ("country != DE", lambda t: t.country != "DE"),
        ("age>=18", lambda t: t.age >= 18),
        ("age<18", lambda t: t.age < 18),
        ("age=20", lambda t: t.age == 20),
    ],
)
def test_conditions_take_the_rows_that_meet_them(condition: str, rows: Any) -> None:
    frame = _table()
    taken = TableSelection(where=(condition,)).of(frame, "t")
    assert list(taken.index) == list(frame.index[rows(frame)])
    assert 0 < len(taken) < len(frame)


def test_a_row_without_a_value_meets_no_condition() -> None:
    frame = pd.DataFrame({"age": [20.0, None, 30.0], "x": [1, 2, 3]})
    assert len(TableSelection(where=("age!=20",)).of(frame, "t")) == 1
    assert len(TableSelection(where=("age<99",)).of(frame, "t")) == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"columns": "y1"}, "'y1'"),
        ({"drop": "z*"}, "'z"),
        ({"identifier": "name"}, "'name'"),
        ({"where": ("land=DE",)}, "'land'"),
        ({"where": ("age",)}, "is not a condition"),
        ({"where": ("age>old",)}, "'old' is not a number"),
        ({"where": ("age>99",)}, "no row with age>99"),
        ({"drop": "*"}, "leaves no column"),
    ],
)
def test_what_a_table_does_not_have_is_refused_by_name(options: Any, sentence: str) -> None:
    with pytest.raises(GfactorError, match=sentence):
        TableSelection(**options).of(_table(), "t")


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "dta"])
def test_every_format_gives_the_same_numbers(tmp_path: Path, ending: str) -> None:
    path = _file(tmp_path, _table(), f"table.{ending}")
    scores = dict(scores_in_parts(path, columns="x*", identifier="code"))[None]
    assert list(scores.index[:2]) == ["p0", "p1"]
    np.testing.assert_allclose(scores.to_numpy(), _table()[ITEMS].to_numpy())


def test_spss_files_name_the_extra_that_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "survey.sav").write_bytes(b"$FL2")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(GfactorError, match=r"gfactor\[spss\]"):
        read_frame(tmp_path / "survey.sav")


def test_a_broken_stata_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "survey.dta").write_bytes(b"no")
    with pytest.raises(GfactorError, match="not a file of Stata"):
        read_frame(tmp_path / "survey.dta")


def test_adequacy_is_that_of_the_selected_part(tmp_path: Path) -> None:
    frame = _table()
    part = frame.loc[(frame.country == "FR") & (frame.age >= 18), ITEMS[:5]]
    document = _run(
        adequacy.command, _file(tmp_path, frame), "--columns", "x*", "--drop", "x5",
        "--where", "country=FR", "--where", "age>=18", "--id", "code", "--json",
    )  # fmt: skip
    assert document["n"] == len(part)
    assert document["kmo"] == pytest.approx(adequacy_of(part).kmo)


@pytest.mark.thorough
def test_groups_are_analyzed_one_by_one(tmp_path: Path) -> None:
    frame, path = _table(), _file(tmp_path, _table())
    words = (path, "--columns", "x*", "--group", "country", "--json")
    groups = _run(adequacy.command, *words)["groups"]
    assert list(groups) == ["DE", "FR"]
    for name, document in groups.items():
        part = frame.loc[frame.country == name, ITEMS]
        assert document["kmo"] == pytest.approx(adequacy_of(part).kmo)
    assert _run(efa.command, *words, "--factors", "1", "--starts", "1")["groups"]["DE"]["n"] == 80
    assert "country = FR" in _run(adequacy.command, *words[:-1])


@pytest.mark.thorough
def test_models_are_fitted_to_the_selected_rows(tmp_path: Path) -> None:
    path, adults = _file(tmp_path, _table()), (_table().age >= 18).sum()
    rows = ("--where", "age>=18", "--drop", "x5")
    model = "g =~ x0 + x1 + x2 + x3"
    assert _run(cfa.command, path, "--model", model, *rows, "--json")["n"] == [adults]
    document = _run(
        invariance.command, path, "--model", model, "--group", "country", *rows, "--json"
    )
    assert sum(group["n"] for group in document["groups"]) == adults
    paths = "A =~ x0 + x1\nB =~ x2 + x3\nB ~ A"
    assert _run(pls.command, path, "--model", paths, *rows, "--json")["n"] == adults


def test_scores_of_selected_rows_carry_the_identifier(tmp_path: Path) -> None:
    frame, scores = _table(), tmp_path / "scores.csv"
    _run(
        cfa.command, _file(tmp_path, frame), "--model", "g =~ x0 + x1 + x2 + x3", "--where",
        "country=DE", "--id", "code", "--scores", str(scores),
    )  # fmt: skip
    assert pd.read_csv(scores)["case"].tolist() == frame.code[frame.country == "DE"].tolist()


def test_item_response_models_take_part_of_a_table_and_name_covariates(tmp_path: Path) -> None:
    frame = _table()
    rng = np.random.default_rng(3)
    frame[ITEMS] = (rng.uniform(size=(240, 6)) < special.expit(frame[ITEMS])).astype(int)
    path = _file(tmp_path, frame)
    words = (path, "--model", "rasch", "--simulations", "0", "--json")
    document = _run(irt.command, *words, "--where", "age>=18", "--id", "code", "--columns", "x*")
    assert document["n_items"] == 6
    assert document["n_persons"] == (frame.age >= 18).sum()
    grouped = _run(irt.command, *words, "--group", "country", "--drop", "age,code")
    assert {group["group"] for group in grouped["latent"]["groups"]} == {"DE", "FR"}
    with_age = CliRunner().invoke(irt.command, [*words[:-1], "--drop", "country,code"])
    assert "'age' has the name of a variable of persons" in with_age.output


def test_a_covariate_among_scores_is_named_on_standard_error(tmp_path: Path) -> None:
    path = _file(tmp_path, _table())
    noted = CliRunner().invoke(adequacy.command, [path, "--drop", "country,code"])
    assert "'age' has the name of a variable of persons" in noted.stderr
    silent = CliRunner().invoke(adequacy.command, [path, "--columns", "x*"])
    assert "variable of persons" not in silent.output + silent.stderr


def _items_and_persons(tmp_path: Path) -> Path:
    """Answers to eight items of one ability, beside a number, a sex and an age of every person."""
    random = np.random.default_rng(5)
    ability = random.normal(size=(120, 1))
    right = random.uniform(size=(120, 8)) < 1 / (1 + np.exp(-1.5 * ability))
    frame = pd.DataFrame(right.astype(int)).add_prefix("i")
    frame.insert(0, "id", np.arange(101, 221))
    frame = frame.assign(sex=["f", "m"] * 60, age=random.integers(18, 60, 120))
    frame.to_csv(path := tmp_path / "people.csv", index=False)
    return path


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("analysis", "words"),
    [(irt, ["--model", "rasch", "--simulations", "0"]), (reliability, []),
     (efa, ["--factors", "1", "--starts", "1"])],
)  # fmt: skip
def test_every_analysis_of_items_leaves_the_same_columns_aside(
    tmp_path: Path, analysis: Any, words: list[str]
) -> None:
    path = _items_and_persons(tmp_path)
    done = CliRunner().invoke(analysis.command, [str(path), *words])
    assert done.exit_code == 0, done.output
    assert (
        "left out, as they are not items: 'sex' holds text, 'age' has the name of a variable of "
        "persons. --columns takes columns whatever they hold" in done.stderr
    )
    assert "8 items" in done.stdout or "8 indicators" in done.stdout


def test_columns_that_are_named_stay_and_the_first_column_names_the_rows(tmp_path: Path) -> None:
    path = _items_and_persons(tmp_path)
    scores = dict(scores_in_parts(path, columns="i0:i7,age"))[None]
    assert list(scores.columns) == [*(f"i{k}" for k in range(8)), "age"]
    assert list(scores.index[:2]) == [101, 102]


def test_a_number_of_its_own_in_every_row_is_no_item_and_a_measure_is_one() -> None:
    frame = pd.DataFrame({"i1": [0, 1] * 10, "i2": [1, 1, 0, 0] * 5, "code": range(300, 320)})
    assert columns_of_persons(frame) == {
        "code": "has a value of its own in every row, as an identifier has"
    }
    assert not columns_of_persons(frame.assign(code=frame["code"] + 0.5))
    assert not columns_of_persons(frame.drop(columns="i2").assign(other=frame["code"] - 7))


def test_covariates_of_latent_classes_are_columns_of_the_table_that_stay(tmp_path: Path) -> None:
    frame = _table()
    items = (frame[ITEMS] > 0).astype(int)
    path = _file(tmp_path, pd.concat([frame[["country", "age", "code"]], items], axis=1))
    options = ["--classes", "2", "--starts", "3", "--covariates", "age,country", "--json"]
    done = CliRunner().invoke(latent_classes.command, [path, "--columns", "x*", *options])
    assert done.exit_code == 0, done.output
    effects = json.loads(done.stdout)["effects"]
    direct = gf.latent_classes(
        pd.concat([items, frame[["age", "country"]]], axis=1), 2, covariates=["age", "country"],
        starts=3,
    )  # fmt: skip
    assert direct.effects is not None
    assert [one["covariate"] for one in effects] == ["(intercept)", "age", "country = FR"]
    np.testing.assert_allclose([one["estimate"] for one in effects], direct.effects["estimate"])
    unknown = CliRunner().invoke(
        latent_classes.command, [path, "--classes", "2", "--covariates", "height"]
    )
    assert isinstance(unknown.exception, GfactorError)
    assert "unknown column 'height'" in str(unknown.exception)
