"""A record holds each figure of a result by name, and a comparison names the one that differs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.records import Wider, as_record, read_records, record, rounded, unlike

RESULT = {
    "estimates": pd.DataFrame({"name": ["a", "b"], "est": [0.5, 1e-12], "se": [0.1, 0.2]}),
    "scores": np.linspace(-2.0, 3.0, 500),
    "covariance": pd.DataFrame(np.eye(9) + 0.25, list("abcdefghi"), list("abcdefghi")),
    "long": pd.DataFrame({"name": [f"i{k}" for k in range(40)], "b": np.arange(40) / 8.0}),
    "text": "chi-square 12.35 on 3 degrees of freedom\nRMSEA 0.050",
    "n": 40,
}


def found(**changed: object) -> dict[str, object]:
    return {**RESULT, **changed}


RECORD = json.loads(json.dumps(rounded(as_record(RESULT))))


def differing(**changed: object) -> list[str]:
    return unlike("case", found(**changed), RECORD)


def test_a_result_agrees_with_its_own_record_up_to_rounding() -> None:
    assert differing() == []
    moved = RESULT["scores"] * (1 + 1e-9) + 1e-10  # type: ignore[operator]
    assert differing(scores=moved) == []


def test_a_number_in_a_table_is_named_by_its_row_and_column() -> None:
    table = RESULT["estimates"].assign(se=[0.1, 0.2001])  # type: ignore[union-attr]
    assert differing(estimates=table) == ["case: estimates/1 (b)/se: recorded 0.2, found 0.2001"]


def test_a_zero_up_to_rounding_agrees_with_a_zero() -> None:
    table = RESULT["estimates"].assign(est=[0.5, -3e-11])  # type: ignore[union-attr]
    assert differing(estimates=table) == []


@pytest.mark.parametrize("place", [0, 3, 137, 499])
def test_any_number_of_a_long_vector_that_changes_is_noticed(place: int) -> None:
    values = np.array(RESULT["scores"])
    values[place] += 0.01
    assert any("weighted mean" in line for line in differing(scores=values))


def test_an_exchange_of_two_numbers_is_noticed() -> None:
    values = np.array(RESULT["scores"])
    values[[100, 201]] = values[[201, 100]]
    assert any("weighted mean" in line for line in differing(scores=values))
    table = RESULT["long"].copy()  # type: ignore[union-attr]
    table.loc[[5, 7], "name"] = table.loc[[7, 5], "name"].to_numpy()
    assert any("name" in line for line in differing(long=table))


def test_an_element_of_a_covariance_matrix_that_changes_is_noticed() -> None:
    matrix = RESULT["covariance"].copy()  # type: ignore[union-attr]
    matrix.loc["c", "d"] += 1e-3
    assert any("weighted means of columns[3]" in line for line in differing(covariance=matrix))


def test_a_text_may_differ_in_a_rounding_but_not_in_a_word_or_a_whole_number() -> None:
    text = str(RESULT["text"])
    assert differing(text=text.replace("12.35", "12.34")) == []
    assert differing(text=text.replace("12.35", "12.37"))
    assert differing(text=text.replace("on 3", "on 4"))
    assert differing(text=text.replace("RMSEA", "SRMR"))
    assert differing(text=text.replace("12.35", "12.34").replace("0.050", "0.051"))


def test_counts_are_exact_and_missing_parts_are_named() -> None:
    assert differing(n=41) == ["case: n: recorded 40, found 41"]
    less = {name: part for name, part in RESULT.items() if name != "n"}
    assert unlike("case", less, RECORD) == ["case: n: recorded 40, found nothing"]
    assert differing(more=1.5) == ["case: more: not recorded, found 1.5"]


def test_a_wider_tolerance_holds_for_the_figures_it_names_alone() -> None:
    table = RESULT["estimates"].assign(est=[0.50001, 0.0], se=[0.10001, 0.2])  # type: ignore[union-attr]
    wider = (Wider(r"^case/estimates/.*/est: ", 1e-3, "a reason"),)
    assert len(differing(estimates=table)) == 2
    assert ["/se" in line for line in unlike("case", found(estimates=table), RECORD, wider)] == [
        True
    ]


def test_recording_again_changes_only_the_lines_of_figures_that_changed(tmp_path: Path) -> None:
    path = tmp_path / "recorded" / "room.json"
    record(path, {"one": lambda: RESULT, "two": lambda: RESULT}, [])
    before = path.read_text().splitlines()
    assert unlike("one", RESULT, read_records(path)["one"]) == []
    table = RESULT["estimates"].assign(se=[0.1 + 1e-10, 0.3])  # type: ignore[union-attr]
    record(path, {"one": lambda: RESULT, "two": lambda: found(estimates=table, n=41)}, ["two"])
    after = path.read_text().splitlines()
    changed = [line.strip() for old, line in zip(before, after, strict=True) if old != line]
    assert changed == ['"1": ["b", 0.0, 0.3]', '"n": 41']


def test_recording_again_takes_every_figure_of_a_row_that_the_test_would_refuse(
    tmp_path: Path,
) -> None:
    def of(b: float) -> dict[str, pd.DataFrame]:
        return {"cells": pd.DataFrame({"b": [b, 0.5], "n": [305, 307]})}

    path = tmp_path / "room.json"
    record(path, {"case": lambda: of(-1.180245)}, ())
    assert unlike("case", of(-1.180449), read_records(path)["case"])
    record(path, {"case": lambda: of(-1.180449)}, ())
    assert not unlike("case", of(-1.180449), read_records(path)["case"])
