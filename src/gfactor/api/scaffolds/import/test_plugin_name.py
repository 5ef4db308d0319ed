"""The import format plugin_name: answers are read once, and lines that hold none are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gfactor as gf
import pytest
from gfactor.administration.imports import IMPORTS
from gfactor.errors import ParameterError

from plugin_name import NAME, read

LINE = {
    "id": "1", "question": "Which is an animal?", "options": {"A": "a cat", "B": "a chair"},
    "key": "A", "answer": "ANSWER: A",
}  # fmt: skip


def log(folder: Path, *changes: dict[str, Any]) -> Path:
    """Write a log of a model with a line for each of the changes."""
    path = folder / "small.jsonl"
    path.write_text("".join(json.dumps({**LINE, **one}) + "\n" for one in changes), "utf-8")
    return path


def test_answers_are_imported_once(tmp_path: Path) -> None:
    assert IMPORTS[NAME] is read
    log(tmp_path, {}, {"id": "2", "question": "Which can sit?", "answer": "ANSWER: B"})
    journal = tmp_path / "c.db"
    first = gf.import_logs(NAME, tmp_path, journal=journal)
    assert [one.added for one in first.files] == [2]
    assert first.files[0].examinees == (f"{NAME}:small",)
    assert [one.known for one in gf.import_logs(NAME, tmp_path, journal=journal).files] == [2]
    assert gf.score(journal).responses["correct"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"answer": None}, "its answer is missing, or is no text"),
        ({"key": "C"}, "its key 'C' is not among its options"),
    ],
)
def test_a_line_without_an_answer_is_named(
    change: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    done = gf.import_logs(NAME, log(tmp_path, {}, change), journal=tmp_path / "c.db")
    assert [one.added for one in done.files] == [1]
    (flaw,) = done.flaws
    assert flaw.startswith("small.jsonl, row 2: ")
    assert sentence in flaw


def test_another_file_is_refused(tmp_path: Path) -> None:
    other = log(tmp_path, {}).rename(tmp_path / "small.txt")
    with pytest.raises(ParameterError, match="is not called MODEL.jsonl"):
        gf.import_logs(NAME, other, journal=tmp_path / "c.db")
