"""Each name of a table names one row, and a table with a row per answer is none of persons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.frames import column
from gfactor.psychometrics.row_names import check_row_names

VERBS = [
    "analyze reliability", "analyze efa", "analyze adequacy", "analyze irt --model rasch",
    "analyze cfa --model f=~item_1+item_2+item_3", "score", "audit",
]  # fmt: skip


def people(count: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    ability = rng.normal(size=(count, 1))
    right = (ability + rng.normal(size=(count, 6)) > 0).astype(int)
    table = pd.DataFrame(right, columns=[f"item_{k}" for k in range(1, 7)])
    table.insert(0, "Person-ID", [f"VP{k:03}" for k in range(count)])
    return table


def long(table: pd.DataFrame) -> pd.DataFrame:
    table = table.assign(age=np.arange(len(table)) % 50 + 18)
    rows = table.melt(["Person-ID", "age"], var_name="item", value_name="right")
    return rows.assign(seconds=np.arange(len(rows)) / 7)


def message(verb: str, table: pd.DataFrame, folder: Path) -> str:
    file = folder / "table.csv"
    table.to_csv(file, index=False)
    group, *rest = verb.split(" --")
    words = [*group.split(), str(file), *(w for one in rest for w in f"--{one}".split(" ", 1))]
    return str(CliRunner().invoke(cli, words).exception or "")


@pytest.mark.thorough
@pytest.mark.parametrize("verb", VERBS)
def test_a_person_with_two_rows_is_refused_by_every_command(verb: str, tmp_path: Path) -> None:
    table = people()
    twice = pd.concat([table, table.iloc[[5, 9]]])
    found = message(verb, twice, tmp_path)
    assert "has the row 'VP005' twice, and so 1 more (column 'Person-ID')" in found


@pytest.mark.parametrize("verb", VERBS)
def test_a_table_with_a_row_per_answer_is_refused_with_the_way(verb: str, tmp_path: Path) -> None:
    table = people()
    found = message(verb, long(table), tmp_path)
    assert "a row for each 'Person-ID' and 'item' (a long table)" in found
    assert "data.pivot(index='Person-ID', columns='item', values=SCORE)" in found
    wide = long(table).pivot(index="Person-ID", columns="item", values="right")
    assert wide.to_numpy().tolist() == table.iloc[:, 1:].to_numpy().tolist()


def test_numbers_as_ids_are_names_if_the_column_says_so(tmp_path: Path) -> None:
    """Prolific's tables and Psych-DS have participant_id; a number of 0 to 9 is an item."""
    table = people().rename(columns={"Person-ID": "participant_id"})
    table["participant_id"] = np.arange(len(table)) % 39
    assert "has the row '0' twice" in message("analyze reliability", table, tmp_path)
    renamed = table.rename(columns={"participant_id": "grid"})
    assert "twice" not in message("analyze reliability", renamed, tmp_path)


@pytest.mark.thorough
def test_a_first_column_of_groups_names_no_rows(tmp_path: Path) -> None:
    table = people()
    table.insert(0, "school", np.where(np.arange(len(table)) < 20, "north", "south"))
    assert message("analyze reliability", table, tmp_path) == ""


def test_models_under_several_conditions_are_no_long_table() -> None:
    """Many columns of numbers vary within a model, so that a row is no single answer."""
    table = people(12).rename(columns={"Person-ID": "model"})
    table["model"] = [f"m{k % 4}" for k in range(12)]
    table.insert(1, "condition", [f"c{k // 4}" for k in range(12)])
    with pytest.raises(ParameterError, match="has the row 'm0' twice"):
        check_row_names(table, column(table, "model"), "t.csv", named=False)


@pytest.mark.thorough
def test_persons_as_clusters_have_several_rows(tmp_path: Path) -> None:
    table = people()
    days = pd.concat([table, table.assign(item_1=1 - table["item_1"])])
    verb = "analyze cfa --model f=~item_1+item_2+item_3 --cluster Person-ID"
    assert message(verb, days, tmp_path) == ""
