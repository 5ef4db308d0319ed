"""Scores are broken down by labels of a user's own table, and copies of items are named."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image
from support.cli import run_cli

import gfactor as gf
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.reports.writing import about

TOPICS = ["sea", "land", "air", "sea"]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answers to four questions of a user's table, the last a copy of the first, with a column of
    topics; three replies are right."""
    folder = tmp_path_factory.mktemp("own")
    for number in range(3):
        Image.new("RGB", (64, 64), (80 * number, 0, 0)).save(folder / f"{number}.png")
    table = pd.DataFrame({
        "index": ["p", "q", "r", "p2"], "image": ["0.png", "1.png", "2.png", "0.png"],
        "question": "Which color?", "A": "black", "B": "red", "answer": ["A", "B", "B", "A"],
        "topic": TOPICS,
    })  # fmt: skip
    table.to_csv(folder / "own.csv", index=False)
    bank = gf.build("vlmevalkit", source=folder / "own.csv", path=folder / "own.parquet")
    replies = table[["index"]].assign(prediction=["A", "B", "A", "A"])
    replies.to_csv(folder / "oak.csv", index=False)
    path = folder / "own.db"
    gf.import_logs("replies", [folder / "oak.csv"], journal=path, bank=bank)
    return path


@pytest.mark.thorough
def test_scores_are_broken_down_by_a_column_of_the_users_table(journal: Path) -> None:
    scores = gf.score(journal, by=["topic"])
    topics = scores.groups("topic").set_index("topic")
    assert topics["n"].to_dict() == {"air": 1, "land": 1, "sea": 2}
    assert topics["accuracy"].to_dict() == {"air": 0.0, "land": 1.0, "sea": 1.0}
    on_request = gf.score(journal).groups("topic").set_index("topic")
    pd.testing.assert_frame_equal(topics, on_request)


def test_the_command_prints_a_table_by_the_label(
    journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_cli(monkeypatch, capsys, "score", str(journal), "--by", "topic", "--json")
    assert list(json.loads(ran.out)["results"][0]["by"]["topic"]) == ["air", "land", "sea"]


def test_an_unknown_label_is_refused_with_the_labels_of_the_items(journal: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'topic'"):
        gf.score(journal, by="topics")
    with pytest.raises(UnknownNameError) as refused:
        gf.score(journal, by="outcome")  # a column of replies
    assert str(refused.value) == (
        "unknown label 'outcome'; known: answer_type, benchmark, domain, edition, image_type, "
        "topic."
    )


def test_copies_of_items_are_named_and_intervals_count_a_question_once(journal: Path) -> None:
    scores = gf.score(journal)
    note = next(one for one in scores.diagnostics if one.code == "copied_items")
    assert "1 item asks the same as an earlier item of own, such as own/p and own/p2" in str(note)
    assert scores.table["n"].tolist() == [4]
    # The mean of three questions, of which one counts twice, is less certain than that of four.
    low, high = scores.table.loc[0, ["ci_lower", "ci_upper"]]
    assert (low, high) != pytest.approx((0.301, 0.954), abs=1e-3)
    assert high - low > 0.954 - 0.301


@pytest.mark.thorough
def test_a_comparison_names_who_shares_no_item_with_others_under_any_condition(
    tmp_path: Path,
) -> None:
    """Files of two harnesses make two conditions, which are compared only if examinees are named,
    and their items may differ."""
    rows = [{"id": f"q{k}", "question": f"{k} + 1?", "options": ["1", str(k + 1)], "answer": "B"}
            for k in range(4)]  # fmt: skip
    for name, part in (("one", rows[:2]), ("two", rows[2:])):
        text = "".join(json.dumps(row) + "\n" for row in part)
        (tmp_path / name).mkdir()
        (tmp_path / name / "bench.jsonl").write_text(text)
    path = tmp_path / "c.db"
    for model, folder, ids in (("a", "one", "01"), ("b", "one", "01"), ("c", "two", "23")):
        file = tmp_path / f"{model}.jsonl"
        file.write_text("".join(f'{{"id": "q{k}", "prediction": "B"}}\n' for k in ids))
        gf.import_logs(
            "replies", file, journal=path, bank=tmp_path / folder / "bench.jsonl",
            condition="default" if folder == "one" else "pack=other",
        )  # fmt: skip
    conditions = r"2 conditions \(default: 2 .*; pack=other: 1 examinee"
    with pytest.raises(ParameterError, match=conditions):
        gf.compare(path)
    found = gf.compare(path, examinees=[f"replies:{name}" for name in "abc"])
    (alone,) = [one for one in found.diagnostics if one.code == "other_items"]
    assert alone.sentence.startswith(
        "replies:c | pack=other has no item of bench in common with any other"
    )


def test_the_items_of_a_report_are_those_that_n_counts(journal: Path, tmp_path: Path) -> None:
    report = gf.report(journal, tmp_path / "report")
    assert dict(about.facts(report.results))["Items"] == "4"
