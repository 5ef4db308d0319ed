"""Tables of MM-IQ and MULTI, and what all have in common: published rows apart, n, intervals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.paper_runs import (
    Made,
    answer,
    frame,
    results_of,
    right,
)

from gfactor.benchmarks.published import published
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import ItemBank
from gfactor.reports import TABLES, Results, make_tables, read_model_facts


@pytest.mark.parametrize("name", ["m3gia", "multi", "mm_iq"])
def test_every_table_of_the_benchmark_is_made_and_none_of_the_others(
    name: str, request: pytest.FixtureRequest, made: Made
) -> None:
    results: Results = request.getfixturevalue(name)
    names, own = made[name], results.benchmarks[0]
    expected = {table for table, maker in TABLES.items() if maker.benchmarks and maker.suits(own)}
    labeled = {t for t in TABLES if t.startswith("error_") or t == "required_abilities"}
    assert {t for t in names if TABLES[t].benchmarks} == expected - labeled


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["m3gia", "multi", "mm_iq"])
def test_every_number_here_has_its_n_and_an_interval_around_it(name: str, made: Made) -> None:
    for table in made[name].values():
        rows: Any = table.frame
        if "source" in rows:
            rows = rows[rows["source"] == "here"]
        for column in (c for c in rows if f"{c}_low" in rows):
            known = rows[rows[column].notna() & rows[f"{column}_low"].notna()].astype(
                {column: float, f"{column}_low": float, f"{column}_high": float}
            )
            assert (known[f"{column}_low"] <= known[column] + 1e-9).all(), (table.title, column)
            assert (known[column] <= known[f"{column}_high"] + 1e-9).all(), (table.title, column)
            count = f"{column}_n" if table.stacked else "n"
            assert known[count].notna().all(), (table.title, column)


def test_published_rows_are_as_printed_and_change_nothing_of_ours(made: Made) -> None:
    rows = frame(made["multi"], "multi_types")
    theirs: Any = published("multi-6").frame
    printed = rows[rows["source"] == "published"].set_index("label")
    assert list(printed.index) == list(theirs["model"])
    for name in ("SA", "MA", "MA_acc", "FB", "OP"):
        assert np.allclose(printed[name].astype(float) * 100, theirs[name])
        assert printed[f"{name}_n"].isna().all()
        assert printed[f"{name}_low"].isna().all()
    ours = rows[rows["source"] == "here"].set_index("label")
    assert (ours.loc["a [background=on]", ["SA", "MA", "FB", "OP"]] == 1).all()
    assert (ours.loc["b [background=on]", ["SA", "MA"]] == 0).all()


def test_mm_iqs_replies_are_measured_and_told_apart(made: Made) -> None:
    tables = made["mm_iq"]
    lengths = frame(tables, "mm_iq_lengths").set_index(["label", "replies"])
    assert lengths.loc[("a [default]", "all"), "words"] == 18
    assert lengths.loc[("b [default]", "wrong"), "words"] == 1
    told = frame(tables, "mm_iq_explanations").set_index(["label", "replies"])
    assert told.loc[("a [default]", "with explanation"), "share"] == 1
    assert told.loc[("b [default]", "without explanation"), "accuracy"] == 0
    row = frame(tables, "mm_iq_thinking").iloc[0]
    assert (row["label"], row["gain"], row["chance"]) == ("b", 1.0, 0.25)
    table = frame(tables, "mm_iq_paradigms").set_index(["source", "label"])
    assert table.loc[("expected", "chance"), "LO"] == 0.25
    assert table.loc[("published", "Human Performance"), "Mean"] == pytest.approx(0.5127)


def test_multis_scores_are_points_of_possible_points(
    banks: dict[str, ItemBank], tmp_path: Path
) -> None:
    # Half of each right combination: 1 of AC and of ACD, no wrong one chosen.
    answer(tmp_path / "c.db", banks["multi"], "openai:a", lambda item: right(item)[:1] or "x")
    row = frame(make_tables(results_of(tmp_path / "c.db")), "multi_types").iloc[0]
    assert row["MA"] == pytest.approx((1 + 1) / (2 + 3))
    assert row["MA_acc"] == 0
    assert row["MA_n"] == 2


def test_inputs_and_prompts_compare_what_differs_in_one_thing_alone(made: Made) -> None:
    tables = made["multi"]
    rows = frame(tables, "multi_inputs")
    ours = rows[rows["source"] == "here"]
    assert set(ours["condition"]) == {"background=on"}
    assert set(ours["input"]) == {"text", "no image", "caption", "image"}
    assert (ours[ours["label"] == "a"]["gain"].dropna() == 0).all()
    printed = rows[(rows["source"] == "published") & (rows["label"] == "GPT-4o (0806)")]
    cell = printed[(printed["image_type"] == "SI") & (printed["input"] == "image")]
    assert cell["gain"].iloc[0] == pytest.approx(0.356)
    prompts = frame(tables, "multi_prompts")
    ours = prompts[prompts["source"] == "here"]
    assert list(ours[(ours["label"] == "a") & (ours["items"] == "Elite")]["prompt"]) == [
        "base", "eng", "no_bg", "cot",
    ]  # fmt: skip
    refused = frame(tables, "multi_refusals").set_index(["label", "images"])["refused"]
    assert refused[("b [background=on,images=removed]", "SI")] == 1
    assert refused[("a [background=on,images=removed]", "SI")] == 0


@pytest.mark.slow
def test_extends_gain_stands_beside_the_window_of_a_models_file(
    multi: Results, tmp_path: Path, made: Made
) -> None:
    assert frame(made["multi"], "multi_extend")["context_window"].isna().all()
    path = tmp_path / "models.csv"
    path.write_text("examinee,context_window\nopenai:a,32768\n")
    known = replace(multi, models=read_model_facts(path, ["openai:a", "openai:b"]))
    rows = frame(make_tables(known), "multi_extend").set_index("label")["context_window"]
    assert set(rows["a"]) == {32768}
    assert rows["b"].isna().all()
    path.write_text("examinee,context_window\nopenai:a,much\n")
    with pytest.raises(ParameterError, match="row 1: context_window must be a whole number"):
        read_model_facts(path, ["openai:a"])
    with pytest.raises(UnknownNameError, match="did you mean"):
        read_model_facts(path, ["openai:aa"])


@pytest.mark.parametrize("name", ["m3gia", "multi", "mm_iq"])
def test_a_journal_of_failed_attempts_has_a_summary_and_no_crash(
    name: str, request: pytest.FixtureRequest
) -> None:
    results: Results = request.getfixturevalue(name)
    columns = ["correct", "correct_lenient", "points"]
    answers = results.answers.assign(missing=True, **dict.fromkeys(columns, np.nan))
    made = set(make_tables(replace(results, answers=answers)))
    assert made == {"summary", "reading", "examinees"}


@pytest.mark.slow
def test_a_journal_of_two_benchmarks_keeps_them_apart(
    m3gia: Results, mm_iq: Results, made: Made
) -> None:
    both = pd.concat([m3gia.answers, mm_iq.answers], ignore_index=True)
    tables = make_tables(replace(m3gia, answers=both))
    for name, alone in (("m3gia_languages", "m3gia"), ("mm_iq_paradigms", "mm_iq")):
        ours: Any = frame(made[alone], name)
        pd.testing.assert_frame_equal(frame(tables, name), ours)
