"""The report puts people beside models item by item, and names what nobody solves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.answers import answered
from support.banks import make_items

import gfactor as gf
from gfactor.administration import Journal
from gfactor.administration.storing.marked_people import note_invalid
from gfactor.psychometrics import wilson
from gfactor.reports import Results, make_tables
from gfactor.reports.writing import about

ITEMS = make_items("ab", sizes=2, instances=4)
UNSOLVED = ITEMS[5].id


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("c")
    rng, attempts = np.random.default_rng(3), []
    for k in range(12):
        for j, item in enumerate(ITEMS):
            if (j + k) % 4 == 0:
                continue  # Everybody was asked three in four.
            right = item.id != UNSOLVED and rng.random() < 0.7
            said = item.target if right else 99
            attempts.append((f"person:p{k:02}", item.id, 0, f"COUNT:{said}"))
    attempts += [("openai:m", item.id, 0, f"COUNT:{item.target}") for item in ITEMS]
    attempts += [("baseline:constant", item.id, 0, "COUNT:0") for item in ITEMS]
    with answered(folder, ITEMS, attempts):
        pass
    return folder / "c.db"


@pytest.fixture(scope="module")
def results(journal: Path) -> Results:
    with Journal.open(journal) as kept:
        return Results.from_journal(kept)


@pytest.mark.thorough
def test_each_item_has_the_share_of_people_with_an_interval_over_persons(results: Results) -> None:
    table = make_tables(results)["people_by_item"]
    rows = table.frame.set_index("item")
    assert len(rows) == len(ITEMS)
    answers = results.answers.loc[(results.answers["role"] == "person").to_numpy()]
    for name, part in answers.groupby("item_id"):
        row = rows.loc[name]
        assert row["n"] == len(part) == 9
        assert row["ceiling"] == pytest.approx(part["correct"].mean())
        low, high = wilson(part["correct"].sum(), len(part))
        assert [row["ceiling_low"], row["ceiling_high"]] == pytest.approx([float(low), float(high)])
    assert rows["m"].eq(1).to_numpy().all()
    assert rows["ceiling"].is_monotonic_increasing
    assert rows.index[0] == UNSOLVED
    assert "constant" not in rows


@pytest.mark.thorough
def test_items_that_nobody_solves_are_named(results: Results) -> None:
    tables = make_tables(results)
    assert any(f"Nobody solved 1 of 16 items: {UNSOLVED}." in n
               for n in tables["people_by_item"].notes)  # fmt: skip
    assert any("94 % of the items were solved by at least one" in n
               for n in tables["people_and_examinees"].notes)  # fmt: skip


def test_means_stand_beside_each_other_with_crossed_intervals(results: Results) -> None:
    tables = make_tables(results)
    rows = tables["people_and_examinees"].frame.set_index("label")
    ceiling = tables["people_by_item"].frame["ceiling"].mean()
    assert rows.loc["people (all items)", "people"] == pytest.approx(ceiling)
    model = rows.loc["m"]
    assert model["difference"] == pytest.approx(1 - ceiling)
    assert model["difference_low"] < model["difference"] < model["difference_high"]
    assert rows["persons"].unique().tolist() == [12]


@pytest.mark.slow
def test_without_people_there_are_no_such_tables_and_with_one_no_means(results: Results) -> None:
    role, examinee = (results.answers[n] for n in ("role", "examinee"))
    none = replace(results, answers=results.answers.loc[(role != "person").to_numpy()])
    assert not [name for name in make_tables(none) if "people" in name]
    kept = (role != "person") | (examinee == "person:p03")
    one = make_tables(replace(results, answers=results.answers.loc[kept.to_numpy()]))
    assert "people_by_item" in one
    assert "people_and_examinees" not in one


@pytest.mark.slow
def test_the_page_has_them_and_the_files_too(journal: Path, tmp_path: Path) -> None:
    page = gf.report(journal, tmp_path).path.read_text()
    assert "People beside models" in page
    assert f"Nobody solved 1 of 16 items: {UNSOLVED}" in page
    assert len(pd.read_csv(tmp_path / "tables" / "people_by_item.csv")) == 16


def test_people_count_beside_an_examinee_only_if_they_answered_its_items(tmp_path: Path) -> None:
    """Two people answered the four items of the model, and a third the other four."""
    half, rest = ITEMS[:4], ITEMS[4:]
    attempts = [
        (f"person:{who}", item.id, 0, f"COUNT:{item.target}")
        for who, part in (("a", half), ("b", half), ("c", rest))
        for item in part
    ]
    attempts += [("openai:m", item.id, 0, f"COUNT:{item.target}") for item in half]
    with answered(tmp_path, ITEMS, attempts):
        pass
    with Journal.open(tmp_path / "c.db") as kept:
        rows = make_tables(Results.from_journal(kept))["people_and_examinees"].frame
    persons: Any = rows.set_index("label")["persons"]
    assert persons["people (all items)"] == 3
    assert persons["m"] == 2


def test_the_page_names_a_few_files_of_many_imports_and_counts_the_others(results: Results) -> None:
    campaigns = [{"bank": f"hm/model{k % 9}.jsonl", "digest": str(k % 9)} for k in range(18)]
    campaigns.append({"bank": "study/people.parquet", "digest": "0"})
    facts = dict(about.facts(replace(results, meta={"campaigns": campaigns})))
    assert facts["Bank"] == "people.parquet, model0.jsonl, model1.jsonl and 7 more"
    assert facts["Digest of the scenes"] == "0, 1, 2 and 6 more"


def test_people_marked_invalid_are_told_by_scores_report_and_leaderboard(tmp_path: Path) -> None:
    attempts = [
        (who, item.id, 0, f"COUNT:{item.target}")
        for who in ("person:a", "person:b", "openai:m")
        for item in ITEMS
    ]
    with answered(tmp_path, ITEMS, attempts):
        pass
    path = tmp_path / "c.db"
    with Journal.open(path) as kept:
        note_invalid(kept, ["person:a", "person:b"])
        note_invalid(kept, ["person:b"])
    told = "1 of 2 people are marked invalid by the rules of the study"
    (warning,) = [one for one in gf.score(path).diagnostics if one.code == "invalid_people"]
    assert warning.sentence == f"{told}, and their answers count."
    with Journal.open(path) as kept:
        assert dict(about.facts(Results.from_journal(kept)))["Invalid people"].startswith(told)
    gf.leaderboard(path, tmp_path / "site")
    assert told in (tmp_path / "site" / "index.html").read_text("utf-8")
