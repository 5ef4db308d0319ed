"""A table of persons is read alike by all functions, and as the commands read the file of one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import gfactor as gf
from gfactor.cli import cli
from gfactor.errors import ParameterError

NAMES = [f"i{k}" for k in range(6)]


def answers() -> pd.DataFrame:
    """Right and wrong answers of 60 persons to six items, and columns that are no items."""
    random = np.random.default_rng(5)
    ability = random.normal(size=(60, 1))
    right = random.random((60, 6)) < 1 / (1 + np.exp(np.linspace(-1, 1, 6) - 2 * ability))
    table = pd.DataFrame(right.astype(int), columns=NAMES)
    table.insert(0, "person", [f"VP{k}" for k in range(60)])
    return table.assign(school=["north", "south"] * 30)


FUNCTIONS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "adequacy": gf.adequacy,
    "reliability": gf.reliability,
    "consistency": gf.consistency,
    "efa": lambda table: gf.efa(table, 1),
    "irt": lambda table: gf.irt("rasch", table, force=True),
    "conditional_irt": lambda table: gf.conditional_irt("rasch", table),
    "dif": lambda table: gf.dif(None, table, group="school", method="mantel-haenszel"),
    "cfa": lambda table: gf.cfa("g =~ i0 + i1 + i2", table),
    "sem": lambda table: gf.sem("g =~ i0 + i1 + i2", table),
    "pls": lambda table: gf.pls("A =~ i0 + i1 + i2; B =~ i3 + i4 + i5; B ~ A", table),
    "gtheory": lambda table: gf.gtheory(table, facets=["item"]),
    "score": lambda table: gf.score(table).to_dict(),
}
READS_ALL = [
    "adequacy", "reliability", "consistency", "efa", "irt", "conditional_irt", "gtheory", "score",
]  # fmt: skip


def text(result: Any) -> str:
    return str(result if isinstance(result, dict) else result.to_dict())


@pytest.mark.thorough
@pytest.mark.parametrize("name", READS_ALL)
def test_columns_of_text_are_left_aside_with_a_note(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = answers()
    with_texts = text(FUNCTIONS[name](table))
    assert "left out, as they are not items: 'school' holds text" in capsys.readouterr().err
    assert with_texts == text(FUNCTIONS[name](table.set_index("person").drop(columns="school")))
    assert "note:" not in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_a_person_who_is_there_twice_is_refused(name: str) -> None:
    twice = pd.concat([answers(), answers().iloc[[4]]], ignore_index=True)
    with pytest.raises(ParameterError, match="'VP4' twice"):
        FUNCTIONS[name](twice)
    with pytest.raises(ParameterError, match="'VP4' twice"):
        FUNCTIONS[name](twice.set_index("person"))


def test_numbers_of_rows_are_no_names() -> None:
    parts: Any = pd.concat([answers().iloc[:30], answers().iloc[:30]])[NAMES]
    assert gf.reliability(parts).n == 60


def test_the_rows_of_an_item_response_model_are_called_by_the_first_column() -> None:
    assert list(gf.irt("rasch", answers(), force=True).scores("eap").index[:2]) == ["VP0", "VP1"]


@pytest.mark.thorough
def test_a_table_of_answers_has_the_variance_components_of_its_long_form(tmp_path: Path) -> None:
    wide = answers().drop(columns="school")
    long = wide.melt("person", var_name="item", value_name="score")
    study = gf.gtheory(wide, facets=["item"])
    other = gf.gtheory(long, object="person", facets=["item"])
    estimates = study.components["variance"].to_numpy()
    assert estimates == pytest.approx(other.components["variance"].to_numpy())
    wide.to_csv(tmp_path / "wide.csv", index=False)
    words = ["analyze", "generalizability", str(tmp_path / "wide.csv"), "--facets", "item"]
    ran = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert study.summary() in ran.output


@pytest.mark.thorough
def test_norms_of_a_table_have_the_groups_in_its_other_columns(tmp_path: Path) -> None:
    table = answers().assign(age=range(20, 80))
    table.to_csv(tmp_path / "people.csv", index=False)
    of_table = gf.norms(table, by=["school"], sample="60 drawn persons", min_n=10)
    of_file = gf.norms(tmp_path / "people.csv", by=["school"], sample="60 drawn persons", min_n=10)
    pd.testing.assert_frame_equal(of_table.table, of_file.table)
    assert set(of_table.table["n"]) == {60, 30}


def _with_commas(column: str, rows: slice) -> pd.DataFrame:
    """Six columns of numbers, some of which are written with a decimal comma."""
    x = np.random.default_rng(1).normal(size=(60, 6)) + np.linspace(-1, 1, 60)[:, None]
    table = pd.DataFrame(x.round(3), columns=[f"y{k}" for k in range(1, 7)]).astype(object)
    table.loc[rows, column] = [str(cell).replace(".", ",") for cell in table.loc[rows, column]]
    return table


@pytest.mark.parametrize("analysis", [gf.consistency, lambda table: gf.efa(table, 2)])
@pytest.mark.parametrize("column", ["y1", "y2"])
@pytest.mark.parametrize(("rows", "row"), [(slice(None), 1), (slice(4, 4), 5), (slice(2, 40), 3)])
def test_a_column_of_numbers_with_a_decimal_comma_is_refused_and_not_left_aside(
    analysis: Callable[[pd.DataFrame], Any], column: str, rows: slice, row: int
) -> None:
    table = _with_commas(column, rows)
    cell = re.escape(repr(table.loc[row - 1, column]))
    with pytest.raises(ParameterError, match=f"row {row}, column '{column}': {cell} is not a num"):
        analysis(table)


@pytest.mark.thorough
@pytest.mark.parametrize("column", ["y1", "y2"])
@pytest.mark.parametrize("command", ["reliability", "efa", "adequacy"])
def test_a_command_refuses_it_in_a_file_as_well(tmp_path: Path, command: str, column: str) -> None:
    table = _with_commas(column, slice(None))
    table.to_csv(tmp_path / "scores.csv", index=False)
    result = CliRunner().invoke(cli, ["analyze", command, str(tmp_path / "scores.csv")])
    assert result.exit_code
    assert f"row 1, column '{column}': {table.loc[0, column]!r} is not" in str(result.exception)


def test_a_text_among_numbers_is_refused_with_its_row_in_python_too() -> None:
    table = _with_commas("y2", slice(60, 61))
    table.loc[3, "y2"] = "sick"
    with pytest.raises(ParameterError, match="row 4, column 'y2': 'sick' is not a number; leave"):
        gf.consistency(table)
