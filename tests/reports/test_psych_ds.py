"""A Psych-DS data set keeps the rules of the standard (schema 1.5.1)."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.answers import answered
from support.exam import question

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.examinees import Reply

ATTEMPTS = [
    ("openai:org/m", "q1", 0, Reply('B, "as\nI said"', latency_s=1.25)),
    ("openai:org/m", "q2", 0, Reply("", "timeout", detail="none in 60 s")),
    ("person:abc", "q1", 0, "A"),
]


def problems(folder: Path) -> list[str]:
    """What the standard's validator calls errors, by the rules that it publishes."""
    said = []
    try:
        document = json.loads((folder / "dataset_description.json").read_text("utf-8"))
    except OSError:
        return ["MISSING_DATASET_DESCRIPTION"]
    if document.get("@context") != "https://schema.org/" or document.get("@type") != "Dataset":
        said.append("INCORRECT_DATASET_TYPE")
    said += [
        f"JSON_KEY_REQUIRED {key}"
        for key in ("name", "description", "variableMeasured")
        if not document.get(key)
    ]
    defined = [
        one if isinstance(one, str) else one["name"] for one in document.get("variableMeasured", ())
    ]
    seen: set[str] = set()
    for file in sorted((folder / "data").rglob("*")):
        if not re.fullmatch(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv", file.name):
            said.append(f"FILENAME_KEYWORD_FORMATTING_ERROR {file.name}")
        with file.open(encoding="utf-8", newline="") as stream:
            header, *rows = csv.reader(stream)
        if not header or len(set(header)) < len(header):
            said.append("CSV_HEADER_MISSING")
        said += ["CSV_HEADER_LENGTH_MISMATCH" for row in rows if len(row) != len(header)]
        said += [f"CSV_COLUMN_MISSING_FROM_METADATA {name}" for name in set(header) - set(defined)]
        seen |= set(header)
    said += [f"VARIABLE_MISSING_FROM_CSV_COLUMNS {name}" for name in set(defined) - seen]
    return said if seen else [*said, "MISSING_DATAFILE"]


def exported(tmp_path: Path, **options: Any) -> Path:
    with answered(tmp_path, [question("q1"), question("q2")], ATTEMPTS) as journal:
        done = gf.export(journal, "psych-ds", tmp_path / "out", **options)
    assert all((tmp_path / "out" / path).exists() for path in done.files)
    return tmp_path / "out"


def test_the_files_keep_the_rules_and_the_rules_find_what_is_wrong(tmp_path: Path) -> None:
    folder = exported(tmp_path, people=True, organization="An institute")
    assert problems(folder) == []
    (file,) = (folder / "data").iterdir()
    table = pd.read_csv(file)
    table.rename(columns={"points": "score"}).to_csv(file, index=False)
    assert set(problems(folder)) == {
        "CSV_COLUMN_MISSING_FROM_METADATA score", "VARIABLE_MISSING_FROM_CSV_COLUMNS points",
    }  # fmt: skip
    file.rename(file.with_name("answers_data.csv"))
    assert "FILENAME_KEYWORD_FORMATTING_ERROR answers_data.csv" in problems(folder)


@pytest.mark.thorough
def test_every_answer_and_failed_attempt_is_a_row(tmp_path: Path) -> None:
    folder = exported(tmp_path, people=True)
    (file,) = (folder / "data").iterdir()
    rows = pd.read_csv(file).set_index(["participant", "item"])
    assert len(rows) == 3
    model = rows.loc[("openai:org/m", "q1")]
    assert (model["role"], model["correct"], model["response_time"]) == ("model", 1.0, 1.25)
    assert rows.loc[("person:abc", "q1"), ["role", "correct"]].tolist() == ["person", 0.0]
    failed = rows.loc[("openai:org/m", "q2")]
    assert (failed["outcome"], failed["missing"]) == ("timeout", True)
    assert pd.isna(failed["correct"])


@pytest.mark.thorough
def test_people_are_written_on_request_only(tmp_path: Path) -> None:
    (file,) = (exported(tmp_path) / "data").iterdir()
    assert set(pd.read_csv(file)["role"]) == {"model"}


def test_a_benchmark_without_letters_has_no_file_name(tmp_path: Path) -> None:
    with (
        answered(tmp_path, [question("q1", benchmark="!?")], [("a:b", "q1", 0, "B")]) as journal,
        pytest.raises(ParameterError, match="has none"),
    ):
        gf.export(journal, "psych-ds", tmp_path / "out")
