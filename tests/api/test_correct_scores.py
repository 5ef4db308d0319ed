"""`gf.correct_scores` and `gfactor score --correct`: judged scores corrected by people."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli

import gfactor as gf
from gfactor.errors import ParameterError

MODELS = {"terse": 0.95, "plain": 0.85, "wordy": 0.7}
"""Sensitivity of the judge by model."""


def answers(seed: int = 1, items: int = 400) -> tuple[pd.DataFrame, pd.Series]:
    """The judge's marks, and what is right."""
    rng = np.random.default_rng(seed)
    rows = []
    for model, sensitivity in MODELS.items():
        right = rng.random(items) < 0.6
        hit = np.where(right, rng.random(items) < sensitivity, rng.random(items) < 0.9)
        judge = np.where(hit, right, ~right)
        rows.append(pd.DataFrame({
            "examinee": model, "item": [f"i{k}" for k in range(items)], "judge": judge * 1.0,
            "length": rng.integers(10, 400, items), "right": right * 1.0,
        }))  # fmt: skip
    table = pd.concat(rows, ignore_index=True)
    return table.drop(columns="right"), pd.Series(table["right"])


def marks(table: pd.DataFrame, right: pd.Series, each: int = 120) -> pd.DataFrame:
    groups = table.assign(mark=right).groupby("examinee")[["examinee", "item", "mark"]]
    people: Any = groups.sample(each, random_state=2)
    return people


def test_judges_that_err_by_model_are_corrected_for_each_model() -> None:
    table, right = answers()
    found = gf.correct_scores(table, people=marks(table, right))
    truth: Any = right.groupby(table["examinee"]).mean()
    assert truth.between(found.scores["ci_lower"], found.scores["ci_upper"]).all()
    wordy = found.scores.loc["wordy"].to_dict()
    assert wordy["judge"] < wordy["ci_lower"]
    assert str(found.errors["sensitivity"].idxmin()) == "wordy"
    assert "bias_differs" in [one.code for one in found.diagnostics]
    assert "1,200 answers" in found.title


def test_without_peoples_marks_it_says_that_the_judges_errors_are_in_no_interval() -> None:
    table, _ = answers()
    found = gf.correct_scores(table)
    assert np.all(found.scores["corrected"].isna())
    assert "a judge's errors are not in any interval" in found.summary()
    assert found.diagnostics[0].code == "not_corrected"


def test_marks_of_several_people_are_averaged_and_words_are_marks() -> None:
    table, right = answers()
    one = marks(table, right)
    words = one.assign(category=np.where(one["mark"] == 1, "right", "wrong")).drop(columns="mark")
    twice = pd.concat([words.assign(annotator="a"), words.assign(annotator="b")])
    pd.testing.assert_frame_equal(
        gf.correct_scores(table, people=twice).scores, gf.correct_scores(table, people=one).scores
    )


def test_bias_by_length_is_that_of_thirds_of_the_marked_answers() -> None:
    table, right = answers()
    long = table["length"] > 270
    table["judge"] = np.where(long, 1.0, table["judge"])
    found = gf.correct_scores(table, people=marks(table, right)).by_length
    assert found["marked"].tolist() == [120, 120, 120]
    assert found["bias_lower"].iloc[2] > 0
    assert found["bias_upper"].iloc[0] < found["bias_lower"].iloc[2]
    assert (found["shortest"].iloc[1:].to_numpy() >= found["longest"].iloc[:-1].to_numpy()).all()


def test_marks_of_wrong_answers_alone_are_no_random_sample() -> None:
    table, right = answers()
    wrong = table.loc[table["judge"] == 0].groupby("examinee").sample(100, random_state=1)
    people = wrong.assign(mark=right.loc[wrong.index])[["examinee", "item", "mark"]]
    found = gf.correct_scores(table, people=people)
    assert found.diagnostics[0].code == "marks_not_random"
    assert found.diagnostics[0].severity == "error"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m.assign(examinee="nobody"), "answers that are not there"),
        (lambda m: m.assign(mark="perhaps"), "'perhaps' is not a mark"),
        (lambda m: m.assign(mark=3), "'3' is not a mark"),
        (lambda m: m.drop(columns="item"), "has no column 'item'"),
        (lambda m: m.assign(examinee=""), "--unblind"),
    ],
)
def test_marks_that_cannot_be_used_are_refused(
    change: Callable[[pd.DataFrame], pd.DataFrame], words: str
) -> None:
    table, right = answers()
    with pytest.raises(ParameterError, match=words):
        gf.correct_scores(table, people=change(marks(table, right)))


def test_an_answer_that_stands_twice_is_named() -> None:
    table, _ = answers()
    with pytest.raises(ParameterError, match="is in the table twice"):
        gf.correct_scores(pd.concat([table, table.iloc[:1]]))


def test_a_journal_is_corrected_by_the_labels_of_the_annotation_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = gf.build(
        "percept-v", domains=["change_colour"], sizes=[1, 5], path=tmp_path / "b.parquet"
    )
    journal = tmp_path / "c.db"
    gf.run(bank, ["baseline:constant", "observer:limited"], journal=journal)
    gf.annotate.new(bank, tmp_path / "w", scheme="marks")
    taken = gf.annotate.responses(tmp_path / "w", journal, of="all", per_examinee=50)
    assert taken.added == 2 * len(gf.open_bank(tmp_path / "b.parquet"))
    scored = gf.score(journal).responses
    labels = pd.DataFrame({
        "response": range(len(scored)), "item": scored["item_id"], "examinee": scored["examinee"],
        "annotator": "ann", "category": np.where(scored["correct"] == 1, "right", "wrong"),
    })  # fmt: skip
    labels.to_csv(tmp_path / "labels.csv", index=False)
    words = ("score", str(journal), "--correct", str(tmp_path / "labels.csv"))
    done = run_cli(monkeypatch, capsys, *words, "--json")
    rows = {row["examinee"]: row for row in json.loads(done.out)["scores"]}
    accuracy: Any = scored.groupby("examinee")["correct"].mean()
    assert set(rows) == set(accuracy.index)
    for name, share in accuracy.items():
        assert rows[str(name)]["people"] == pytest.approx(share)
    assert "corrected by people's marks" in run_cli(monkeypatch, capsys, *words).out
    assert "does not go with" in run_cli(monkeypatch, capsys, *words, "-o", "x.csv").err


def test_few_marks_give_no_interval_and_none_at_all_are_an_error() -> None:
    table, right = answers()
    found = gf.correct_scores(table, people=marks(table, right, 5))
    assert np.isnan(found.scores["ci_lower"].to_numpy(float)).all()
    assert "fewer than 20 answers of 3 models: no corrected score and no interval" in str(
        found.diagnostics[0]
    )
    assert found.title.startswith("Scores by a judge's marks, without intervals.")
    with pytest.raises(ParameterError, match="table of people's marks holds no mark"):
        gf.correct_scores(table, people=marks(table, right).assign(mark=np.nan))


def test_marks_of_one_class_are_a_note() -> None:
    table, right = answers()
    given = marks(table, right)
    codes = [one.code for one in gf.correct_scores(table, people=given).diagnostics]
    assert "one_mark" not in codes
    given.loc[given["examinee"] == "plain", "mark"] = 1.0
    (entry,) = [
        d for d in gf.correct_scores(table, people=given).diagnostics if d.code == "one_mark"
    ]
    assert entry.sentence.startswith("People gave all answers of 1 model one mark")
    assert entry.where == ("plain",)


def test_a_judge_that_marks_one_way_where_people_marked_is_compared_without_warnings() -> None:
    table, right = answers()
    chosen = table.loc[(table["examinee"] == "plain") & (table["judge"] == 1.0)].index[:40]
    given = table.loc[chosen, ["examinee", "item"]].assign(mark=right.loc[chosen])
    found = gf.correct_scores(table.loc[table["examinee"] == "plain"], people=given)
    assert "marks_not_random" in [one.code for one in found.diagnostics]
    assert "of 1 model: they were not drawn at random" in found.summary()
