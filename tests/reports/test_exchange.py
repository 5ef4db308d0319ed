"""Results in the formats of the field, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd
import pytest
import yaml
from support.answers import answered
from support.benchmarks import shared
from support.exam import BLANKS, image, question
from support.logs import lines
from support.vlmevalkit import predictions
from support.vlmevalkit import row as prediction

import gfactor as gf
from gfactor.administration import Journal
from gfactor.administration.imports import import_file
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import Reply
from gfactor.items import Choice, Item
from gfactor.reports.exchange import ExportFacts, model_of

MODEL = "openai:Qwen/Qwen3-VL?temperature=0"
PERSON = "person:abc"
EEE: dict[str, Any] = {"organization": "An institute"}


def items() -> list[Item]:
    pictured = tuple(Choice(label, image(k)) for k, label in enumerate("AB"))
    return [
        question("q1"),
        question("q2", labels={"domain": "plants", "subject": "biology", "knowledge": ("k1",)}),
        question("q3", choices=pictured),
        question("q4", **BLANKS, points=1.0),
        question("q5"),
    ]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    usage = {"prompt_tokens": 20, "completion_tokens": 3, "reasoning_tokens": 2}
    spoken = Reply("B", usage=usage, latency_s=0.5, cost=0.01, reasoning="A dog has four legs.")
    attempts = [
        (MODEL, "q1", 0, spoken),
        (MODEL, "q1", 1, "A"),
        (MODEL, "q2", 0, "It is not said."),
        (MODEL, "q3", 0, "B"),
        (MODEL, "q4", 0, "north\nwest"),
        (MODEL, "q5", 0, Reply("", "timeout", "", detail="no answer in 60 s")),
        ("observer:ideal", "q1", 0, "B"),
        (PERSON, "q1", 0, "B"),
    ]
    with answered(tmp_path, items(), attempts) as kept:
        yield kept


def documents(folder: Path) -> dict[str, dict[str, Any]]:
    """The aggregate files by model id."""
    read = [json.loads(path.read_text()) for path in sorted(folder.rglob("*.json"))]
    return {one["model_info"]["id"]: one for one in read}


def samples(folder: Path, document: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = folder / document["detailed_evaluation_results"]["file_path"]
    return [json.loads(line) for line in path.read_text().splitlines()]


def exported(journal: Journal, folder: Path, **facts: Any) -> tuple[Any, list[dict[str, Any]]]:
    """The aggregate of the model and its lines."""
    gf.export(journal, "eee", folder, **{**EEE, **facts})
    document = documents(folder)["Qwen/Qwen3-VL_temperature-0"]
    return document, samples(folder, document)


@pytest.mark.thorough
def test_every_file_is_valid_by_the_authors_schemas(journal: Journal, tmp_path: Path) -> None:
    schemas = [
        json.loads(shared(f"data/real_logs/schemas/every_eval_ever.{name}.schema.json").read_text())
        for name in ("eval", "instance_level_eval")
    ]
    aggregate, instance = (jsonschema.Draft202012Validator(schema) for schema in schemas)
    for people in (False, True):
        gf.export(journal, "eee", tmp_path / "eee", people=people, **EEE)
    told = documents(tmp_path / "eee")
    assert len(told) == 3
    for document in told.values():
        aggregate.validate(document)
        for line in samples(tmp_path / "eee", document):
            instance.validate(line)


@pytest.mark.thorough
def test_the_aggregate_says_n_interval_chance_and_what_is_missing(
    journal: Journal, tmp_path: Path
) -> None:
    document, _ = exported(journal, tmp_path / "eee")
    whole = document["evaluation_results"][0]
    (score,) = gf.score(journal, examinees=[MODEL]).results
    assert whole["evaluation_name"] == "exam"
    assert whole["score_details"]["score"] == score["accuracy"] == 1.5 / 4
    assert whole["score_details"]["uncertainty"]["num_samples"] == score["n"] == 4
    interval = whole["score_details"]["uncertainty"]["confidence_interval"]
    assert [interval["lower"], interval["upper"]] == score["interval"]
    assert whole["score_details"]["details"]["missing_attempts"] == "1"
    assert whole["score_details"]["details"]["condition"] == "default"
    parts = {r["evaluation_name"]: r["score_details"]["score"]
             for r in document["evaluation_results"]
             if r["metric_config"]["metric_id"] == "accuracy"}  # fmt: skip
    assert parts == {"exam": 1.5 / 4, "exam/animals": 0.5, "exam/plants": 0.0}
    points = [r for r in document["evaluation_results"]
              if r["metric_config"]["metric_id"] == "points_ratio"]  # fmt: skip
    assert [r["score_details"]["score"] for r in points] == [score["ratio"]]


def test_a_line_keeps_what_the_schema_has_no_field_for(journal: Journal, tmp_path: Path) -> None:
    document, rows = exported(journal, tmp_path / "eee", banks=[tmp_path / "bank.parquet"])
    by_item = {(r["sample_id"], r["metadata"]["occasion"]): r for r in rows}
    first = by_item["q1", "0"]
    assert first["token_usage"] == {
        "input_tokens": 20, "output_tokens": 3, "total_tokens": 23, "reasoning_tokens": 2
    }  # fmt: skip
    assert first["performance"]["latency_ms"] == 500
    assert first["output"] == {"raw": ["B"], "reasoning_trace": ["A dog has four legs."]}
    assert first["input"]["choices"] == ["cat", "dog", "cow", "hen"]
    assert first["input"]["reference"] == ["B"]
    assert first["answer_attribution"][0]["extracted_value"] == "B"
    picture = json.loads(first["metadata"]["images"])
    assert picture == [{"sha256": image(1).sha256, "media_type": "image/png"}]
    assert first["metadata"]["label.knowledge"] == '["k1", "k2"]'
    # Half of the blanks are right: the score is partial, and nothing is right as a whole.
    half = by_item["q4", "0"]["evaluation"]
    assert half == {"score": 0.5, "is_correct": False}
    assert by_item["q2", "0"]["answer_attribution"] == []
    # An attempt that failed says nothing: its line has the error, and no result counts it.
    failed = by_item["q5", "0"]
    assert failed["error"] == "timeout: no answer in 60 s"
    assert failed["metadata"]["missing"] == "true"
    assert {r["evaluation_result_id"] for r in rows} == {
        document["evaluation_results"][0]["evaluation_result_id"]
    }


@pytest.mark.thorough
def test_a_journal_comes_back_from_its_export(journal: Journal, tmp_path: Path) -> None:
    gf.export(journal, "eee", tmp_path / "eee", people=True, **EEE)
    done = gf.import_logs("eee", tmp_path / "eee", journal=tmp_path / "back.db")
    assert not done.flaws
    with Journal.open(tmp_path / "back.db") as back:
        order = ["examinee", "item_hash", "occasion"]
        for one, other in (
            (journal.responses(), back.responses()),
            (journal.failures(), back.failures()),
        ):
            pd.testing.assert_frame_equal(
                one.sort_values(order, ignore_index=True),
                other.sort_values(order, ignore_index=True),
            )
        kept = [i for i in items() if i.id != "q3"]
        told = {i["id"]: i for i in back.items().to_dict("records")}
        for row in journal.items().to_dict("records"):
            if row["id"] in {i.id for i in kept}:
                assert told[row["id"]] == row
        assert gf.score(back).results == gf.score(journal).results
    again = gf.import_logs("eee", tmp_path / "eee", journal=tmp_path / "back.db")
    assert again.files[0].added == 0


@pytest.mark.thorough
def test_the_same_journal_gives_the_same_bytes(journal: Journal, tmp_path: Path) -> None:
    contents = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        hub: dict[str, Any] = {"dataset": "org/exam"}
        for to, facts in (("eee", EEE), ("hf", hub), ("measurement-db", {})):
            gf.export(journal, to, folder, **facts)
        contents.append(
            {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
        )
    assert contents[0] == contents[1]
    assert len(contents[0]) == 4 + 2 + 4


def test_people_are_written_only_on_request(journal: Journal, tmp_path: Path) -> None:
    done = gf.export(journal, "eee", tmp_path / "eee", **EEE)
    assert set(documents(tmp_path / "eee")) == {"Qwen/Qwen3-VL_temperature-0",
                                                "gfactor/observer-ideal"}  # fmt: skip
    assert done.left_out == ("the answers of 1 person(s): they are written only on request",)
    with pytest.raises(ParameterError, match="answers of people alone; export them with --people"):
        gf.export(journal, "eee", tmp_path / "eee", examinees=[PERSON], **EEE)


def test_results_for_the_hub_name_data_set_value_and_n(journal: Journal, tmp_path: Path) -> None:
    gf.export(journal, "hf", tmp_path / "hf", dataset="org/exam", organization="An institute")
    path = tmp_path / "hf" / "Qwen" / "Qwen3-VL_temperature-0" / ".eval_results" / "exam.yaml"
    entries = yaml.safe_load(path.read_text())
    assert entries[0]["dataset"] == {"id": "org/exam", "task_id": "exam:accuracy"}
    assert entries[0]["value"] == 37.5
    assert entries[0]["source"] == {"name": "An institute"}
    assert "n = 4" in entries[0]["notes"]
    with pytest.raises(ParameterError, match="--dataset ORGANIZATION/NAME"):
        gf.export(journal, "hf", tmp_path / "hf")


def test_long_tables_have_the_keys_of_their_registries(journal: Journal, tmp_path: Path) -> None:
    done = gf.export(journal, "measurement-db", tmp_path, people=True)
    rows = read_table(tmp_path / "exam" / "responses.parquet")
    subjects, benchmarks, known = (
        read_table(tmp_path / "_registry" / f"{name}.parquet")
        for name in ("subjects", "benchmarks", "items")
    )
    assert not rows.duplicated(["subject_id", "item_id", "trial", "test_condition"]).any()
    assert set(rows["subject_id"]) == set(subjects["subject_id"])
    assert set(rows["item_id"]) <= set(known["item_id"])
    assert set(rows["benchmark_id"]) == set(benchmarks["benchmark_id"]) == {"exam"}
    assert {labels[0] for labels in subjects["raw_labels_seen"]} == {"observer:ideal", MODEL}
    # Five answers of the model, one of the observer; the failed attempt and the person are not in.
    assert len(rows) == done.answers == 6
    assert sorted(rows["response"]) == [0, 0, 0.5, 1, 1, 1]
    assert set(benchmarks["response_type"]) == {"fraction"}
    # Two items with the same words and other pictures are two items.
    assert known["item_id"].nunique() == 5
    assert rows["trial"].max() == 2


def test_predictions_of_other_harnesses_go_the_same_way(tmp_path: Path) -> None:
    path = predictions(tmp_path, [prediction(1, "B"), prediction(2, "A")])
    with Journal.open(tmp_path / "v.db") as journal:
        import_file("vlmevalkit", path, journal)
        gf.export(journal, "eee", tmp_path / "eee", developers={"GPT_4o": "OpenAI"}, **EEE)
    document = documents(tmp_path / "eee")["OpenAI/GPT_4o"]
    assert document["evaluation_results"][0]["score_details"]["score"] == 0.5
    assert len(samples(tmp_path / "eee", document)) == 2


def read_table(path: Path) -> Any:
    """A written table, typed Any: pandas' stubs are too narrow for what is asked of it."""
    return pd.read_parquet(path)


def foreign(number: str, said: str, **changed: Any) -> dict[str, Any]:
    """A line of another program."""
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "e",
        "model_id": "org/model",
        "evaluation_name": "sums",
        "sample_id": number,
        "interaction_type": "single_turn",
        "input": {"raw": "1 + 1 = ?", "reference": ["B"], "choices": ["1", "2"]},
        "output": {"raw": [said]},
        "answer_attribution": [],
        "evaluation": {"score": 1.0, "is_correct": True},
        **changed,
    }


def test_lines_of_other_programs_are_read_anew(tmp_path: Path) -> None:
    talk = [
        {"turn_idx": 0, "role": "user", "content": "1 + 1 = ?"},
        {"turn_idx": 1, "role": "assistant", "content": "The answer is B"},
    ]
    path = lines(
        tmp_path / "u_samples.jsonl",
        [
            foreign("1", "A"),
            foreign("1", "B"),
            foreign("2", "", error="request timed out", output=None),
            foreign("3", "", interaction_type="multi_turn", output=None, messages=talk),
            foreign("4", "A", input={"raw": "?", "reference": []}),
        ],
    )
    (tmp_path / "u.json").write_text(json.dumps({"retrieved_timestamp": "1700000000"}))
    done = gf.import_logs("eee", path, journal=tmp_path / "c.db")
    assert done.files[0].examinees == ("every-eval-ever:org/model",)
    assert (done.files[0].added, done.files[0].failed) == (3, 1)
    assert len(done.flaws) == 1
    assert "row 5" in done.flaws[0]
    with Journal.open(tmp_path / "c.db") as journal:
        rows = journal.responses()
        assert set(rows["created"]) == {"2023-11-14T22:13:20.000+00:00"}
        assert set(rows["condition"]) == {"pack=every-eval-ever"}
        assert list(rows.sort_values(["item_hash", "occasion"])["occasion"].unique()) == [0, 1]
        (result,) = gf.score(journal).results
    # What the lines say of right and wrong is not taken over.
    assert (result["n"], result["accuracy"]) == (2, 0.75)


def test_mistakes_are_told_in_a_sentence(journal: Journal, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="--organization NAME"):
        gf.export(journal, "eee", tmp_path / "eee")
    with pytest.raises(UnknownNameError, match="measurement-db"):
        gf.export(journal, "measurementdb", tmp_path / "eee")
    with pytest.raises(ParameterError, match="none of first_party"):
        gf.export(journal, "eee", tmp_path / "e", relationship="third", **EEE)  # pyright: ignore
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="name a folder that you can make and write to"):
        gf.export(journal, "eee", tmp_path / "file", **EEE)
    with pytest.raises(ParameterError, match=r"holds no file called UUID_samples\.jsonl"):
        gf.import_logs("eee", tmp_path / "file", journal=tmp_path / "x.db")


def test_the_developer_is_told_or_stands_in_the_name_or_is_unknown() -> None:
    facts = ExportFacts(developers={"gpt-5": "OpenAI"})
    assert model_of("openai:gpt-5?seed=3", facts)[2] == "OpenAI/gpt-5"
    assert model_of("vllm:Qwen/Qwen3-VL", facts)[2] == "Qwen/Qwen3-VL"
    assert model_of("openai:other model", facts)[2] == "unknown/other-model"
    assert model_of("observer:limited?acuity=0.5", facts)[0] == "gfactor"


def test_who_wants_a_table_of_the_journal_is_told_what_writes_it(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="gfactor score JOURNAL -o answers"):
        gf.export(tmp_path / "none.db", "csv", tmp_path / "out")
