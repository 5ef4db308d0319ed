"""Logs of VLMEvalKit and lmms-eval become Every Eval Ever in two commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support.benchmarks import shared
from support.cli import run_cli
from support.logs import lines
from support.vlmevalkit import predictions
from support.vlmevalkit import row as prediction


def small(folder: Path, harness: str) -> Path:
    """A small file of ours in the harness's format: one answer right, one wrong."""
    if harness == "vlmevalkit":
        return predictions(folder, [prediction(1, "B"), prediction(2, "A")])
    answers = [
        {
            "doc_id": number, "target": "B", "filtered_resps": [said], "doc_hash": f"hash-{number}",
            "input": f"Which animal is number {number}?\nA. cat\nB. dog",
        }
        for number, said in enumerate("BA")
    ]  # fmt: skip
    return lines(folder / "org__model" / "20261121_033429_samples_animals.jsonl", answers)


def exported(
    folder: Path, path: Path, harness: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:  # fmt: skip
    """Aggregates and lines, every one valid by the authors' schemas."""
    journal, out = str(folder / "c.db"), folder / "eee"
    for words in (
        ("import", harness, str(path), "--journal", journal),
        ("export", journal, "--to", "eee", "--organization", "An institute", "-o", str(out)),
    ):
        done = run_cli(monkeypatch, capsys, *words)
        assert done.code == 0, done.err
    aggregates = [json.loads(file.read_text()) for file in sorted(out.rglob("*.json"))]
    samples = [
        json.loads(line)
        for file in sorted(out.rglob("*.jsonl"))
        for line in file.read_text().splitlines()
    ]
    for name, documents in (("eval", aggregates), ("instance_level_eval", samples)):
        file = shared(f"data/real_logs/schemas/every_eval_ever.{name}.schema.json")
        check = jsonschema.Draft202012Validator(json.loads(file.read_text()))
        for document in documents:
            check.validate(document)
    return aggregates, samples


@pytest.mark.parametrize("harness", ["vlmevalkit", "lmms-eval"])
def test_a_file_of_a_harness_becomes_every_eval_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    harness: str,
) -> None:  # fmt: skip
    path = small(tmp_path / "logs", harness)
    ((aggregate,), samples) = exported(tmp_path, path, harness, monkeypatch, capsys)
    assert aggregate["evaluation_results"][0]["score_details"]["score"] == 0.5
    assert sorted(one["evaluation"]["is_correct"] for one in samples) == [False, True]
    assert aggregate["detailed_evaluation_results"]["total_rows"] == 2


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("harness", "file"),
    [
        ("lmms-eval", "lmms_eval/20261122_180657_samples_my_mc.jsonl"),
        ("vlmevalkit", "vlmevalkit/outputs/json/GPT4o/T20261122-105314/GPT4o_MMStar.json"),
    ],
)
def test_a_file_that_the_harness_wrote_itself_goes_the_same_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    harness: str, file: str,
) -> None:  # fmt: skip
    path = shared(f"data/real_logs/{file}")
    aggregates, samples = exported(tmp_path, path, harness, monkeypatch, capsys)
    assert len(samples) > 3
    rows = [one["detailed_evaluation_results"]["total_rows"] for one in aggregates]
    assert sum(rows) == len(samples)
