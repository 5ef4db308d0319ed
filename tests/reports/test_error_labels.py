"""Types of errors and required abilities, from the labels that people gave."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.paper_runs import (
    frame,
)

from gfactor.errors import ParameterError
from gfactor.psychometrics import wilson
from gfactor.reports import Results, make_tables, read_error_labels
from gfactor.reports.answers.error_labels import UNDECIDED


def labels_file(path: Path, rows: list[tuple[str, ...]]) -> Path:
    head = "item,examinee,condition,annotator,category,abilities,note,created"
    path.write_text("\n".join([head, *(",".join((*row, "", "2026")) for row in rows)]) + "\n")
    return path


LABELED = [
    ("en-0000", "openai:b", "default", "ann", "visual", ""),
    ("en-0000", "openai:b", "default", "bob", "visual", ""),
    ("en-0001", "openai:b", "default", "ann", "reasoning", ""),
    ("en-0001", "openai:b", "default", "bob", "visual", ""),
    ("en-0002", "openai:b", "default", "ann", "reasoning", ""),
]


@pytest.mark.slow
def test_types_of_errors_have_intervals_and_agreement(mm_iq: Results, tmp_path: Path) -> None:
    path = labels_file(tmp_path / "labels.csv", LABELED)
    labels = read_error_labels(path, mm_iq.answers)
    made = make_tables(replace(mm_iq, error_labels=labels))
    rows = frame(made, "error_types").set_index(["source", "category"])
    assert {k for s, k in rows.index if s == "here"} == {"visual", "reasoning", UNDECIDED}
    row = rows.loc[("here", "visual")]
    assert (row["n"], row["responses"]) == (3, 1)
    assert (row["share_low"], row["share_high"]) == pytest.approx(tuple(map(float, wilson(1, 3))))
    assert rows.loc[("published", "reasoning"), "share"] == pytest.approx(0.323)
    told = frame(made, "error_agreement").iloc[0]
    assert (told["n"], told["observed"], told["annotators"]) == (2, 0.5, 2)
    assert np.isfinite(told["alpha"])


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (("en-9999", "openai:b", "default", "ann", "visual", ""), "row 1: the journal holds no"),
        (
            ("en-0000", "openai:b", "default", "", "visual", ""),
            "the column 'annotator' is empty",
        ),
        (
            ("en-0000", "openai:b", "default", "ann", "", ""),
            "the column 'category' is empty",
        ),
    ],
)
def test_labels_that_fit_no_response_are_told(
    mm_iq: Results, tmp_path: Path, row: tuple[str, ...], told: str
) -> None:
    with pytest.raises(ParameterError, match=told):
        read_error_labels(labels_file(tmp_path / "l.csv", [row]), mm_iq.answers)


@pytest.mark.slow
def test_required_abilities_are_those_that_most_annotators_name(
    multi: Results, tmp_path: Path
) -> None:
    rows = [
        ("czsx_1_0", "openai:b", "default", "ann", "image", "knowledge; calculation"),
        ("czsx_1_0", "openai:b", "default", "bob", "image", "knowledge"),
        ("jk_2_0", "openai:b", "default", "ann", "knowledge", "knowledge"),
    ]
    labels = read_error_labels(labels_file(tmp_path / "l.csv", rows), multi.answers)
    made = make_tables(replace(multi, error_labels=labels))
    found = frame(made, "required_abilities").set_index("ability")
    assert json.loads(found["items"].to_json()) == {"calculation": 0, "knowledge": 2}
    shares = frame(made, "error_types").set_index(["source", "category"])["share"]
    assert shares[("published", "knowledge")] == pytest.approx(0.358)
