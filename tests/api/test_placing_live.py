"""`gf.place_examinee` and `gfactor profile --bank`: a model is asked some questions and placed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.chat_server import chat_server, texts
from support.cli import Ran, run_cli
from support.simulated_anchors import calibrated, draw_models

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.anchors.files import write_anchors
from gfactor.scoring import score
from gfactor.scoring.judgment import judge_reply

KEY = "B"


def write_tsv(folder: Path, name: str, indices: list[str]) -> Path:
    """A table of VLMEvalKit whose question names its item, with the key B."""
    rows = pd.DataFrame({
        "index": indices,
        "question": [f"Item {name} number {index}: which option is it?" for index in indices],
        "A": "first", "B": "second", "C": "third", "D": "fourth", "answer": KEY,
    })  # fmt: skip
    path = folder / f"{name}.tsv"
    rows.to_csv(path, sep="\t", index=False)
    return path


def bank_of(folder: Path, name: str, indices: list[str]) -> Path:
    source = write_tsv(folder, name, indices)
    path = folder / f"{name}.parquet"
    gf.build("vlmevalkit", source=str(source), path=path)
    return path


def answers_as(row: pd.Series) -> Callable[..., str]:
    """A server's replies: the key where the row is right, another option where it is wrong."""

    right = row.to_dict()

    def reply(body: dict) -> str:
        words = " ".join(texts(body)).partition("Item ")[2].split()
        return KEY if right[f"{words[0].casefold()}:{words[2].rstrip(':')}"] == 1 else "C"

    return reply


@pytest.fixture(scope="module")
def scale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    _, anchors = calibrated()
    return write_anchors(anchors, tmp_path_factory.mktemp("scale") / "simulated")


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bank_of(tmp_path_factory.mktemp("bank"), "hard", [str(k) for k in range(200)])


@pytest.mark.thorough
def test_the_interval_holds_the_full_score_of_the_row_that_a_server_answers_as(
    scale: Path, bank: Path, tmp_path: Path
) -> None:
    row = draw_models(3, 5).answers.iloc[0]
    with chat_server(answers_as(row)) as server:
        placed = gf.place_examinee(
            "openai:new", bank, calibration=scale, items=40, journal=tmp_path / "p.db",
            base_url=server.url,
        )  # fmt: skip
        assert server.served == 40
        again = gf.place_examinee(
            "openai:new", bank, calibration=scale, items=40, journal=tmp_path / "p.db",
            base_url=server.url,
        )  # fmt: skip
        assert server.served == 40
    one = placed.predictions.iloc[0]
    assert one["asked"] == 40
    assert one["ci_lower"] <= row.filter(like="hard:").mean() <= one["ci_upper"]
    given = placed.questions.set_index("item")["answer"]
    assert given.to_dict() == {k: int(row[f"hard:{k}"]) for k in given.index}
    assert again.predictions.equals(placed.predictions)
    from_journal = gf.place(tmp_path / "p.db", calibration=scale)
    assert from_journal.predictions["accuracy"].iloc[0] == pytest.approx(one["accuracy"], abs=0.01)


@pytest.mark.thorough
def test_every_reply_is_read_and_scored_once(
    scale: Path, bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(question: Any, *further: Any) -> Any:
        read.append(question.id)
        return judge_reply(question, *further)

    monkeypatch.setattr(score, "judge_reply", counted)
    for name in ("openai:new", "openai:other"):
        with chat_server(answers_as(draw_models(3, 5).answers.iloc[0])) as server:
            gf.place_examinee(
                name, bank, calibration=scale, items=40, journal=tmp_path / "p.db",
                base_url=server.url,
            )  # fmt: skip
    assert len(read) == 80


def test_replies_without_an_answer_are_said_and_so_is_what_was_saved(
    scale: Path, bank: Path, tmp_path: Path
) -> None:
    asked: list[str] = []

    def reply(body: dict) -> str:
        asked.append("")
        return "I am sorry, I am unable to tell." if len(asked) % 4 == 0 else KEY

    with chat_server(reply) as server:
        placed = gf.place_examinee(
            "openai:new", bank, calibration=scale, items=40, journal=tmp_path / "p.db",
            base_url=server.url,
        )  # fmt: skip
    (note,) = [one for one in placed.diagnostics if one.code == "unread_replies"]
    assert "No answer was found in 10 of 40 replies" in note.sentence
    assert note.severity == "warning"
    (again,) = [
        one
        for one in gf.place(tmp_path / "p.db", calibration=scale).diagnostics
        if one.code == "unread_replies"
    ]
    assert again.values == note.values
    assert placed.facts["questions of the full benchmarks"] == 200
    assert placed.facts["share saved"] == pytest.approx(0.8)


def test_a_model_that_is_right_everywhere_has_lost_no_item(scale: Path) -> None:
    rows = draw_models(3, 5).answers.iloc[[0]] * 0 + 1
    placed = gf.place(rows, calibration=scale)
    notes = {one.code: one for one in placed.diagnostics}
    assert "easy_items_lost" not in notes
    assert "right, above all calibrated models" in notes["beyond_range"].sentence
    assert "ask more questions" not in notes["beyond_range"].remedy
    few = gf.place(rows, calibration=scale, items={"hard": 3}, select="random")
    (note,) = [one for one in few.diagnostics if one.code == "few_items"]
    assert "3 items of hard; the prediction rests on the calibrated models nearly alone" in str(
        note
    )


def test_a_bank_that_was_not_calibrated_is_refused(scale: Path, tmp_path: Path) -> None:
    short = bank_of(tmp_path, "hard", [str(k) for k in range(199)])
    with pytest.raises(ParameterError, match="has 199 items of hard, and lacks index 199"):
        gf.place_examinee("observer:ideal", short, calibration=scale)
    other = bank_of(tmp_path, "other", [str(k) for k in range(30)])
    with pytest.raises(ParameterError, match="holds items of other; the calibration simulated is"):
        gf.place_examinee("observer:ideal", other, calibration=scale)


def test_profile_with_a_bank_writes_the_page_and_refuses_options_of_made_items(
    scale: Path, bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def run(*words: object) -> Ran:
        return run_cli(monkeypatch, capsys, *map(str, words))

    row = draw_models(3, 5).answers.iloc[1]
    beside = ("--bank", bank, "--calibration", scale, "-o", tmp_path / "out")
    with chat_server(answers_as(row)) as server:
        ran = run("profile", "openai:new", *beside, "--max-items", 20, "--json",
                  "--base-url", server.url)  # fmt: skip
    document = json.loads(ran.out)
    assert document["predictions"][0]["asked"] == 20
    assert document["standing"][0]["of"] == 90
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "among 90 real models" in page
    refused = run("profile", "openai:new", *beside, "--se", "0.2")
    assert "--se is for items that are made" in refused.err


@pytest.mark.thorough
def test_the_shipped_scale_places_a_server_that_answers_as_a_real_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = gf.datasets.load("vlm_items").answers.filter(like="mmmu_dev_val:")
    bank = bank_of(tmp_path, "MMMU_DEV_VAL", [c.partition(":")[2] for c in answers.columns])
    row = answers.loc["InternVL2-8B"]
    with chat_server(answers_as(row)) as server:
        ran = run_cli(
            monkeypatch, capsys, "profile", "openai:new", "--bank", str(bank), "--calibration",
            "real-vlm-2025", "-o", str(tmp_path / "out"), "--max-items", "60", "--json",
            "--base-url", server.url,
        )  # fmt: skip
        assert server.served == 60
    (one,) = json.loads(ran.out)["predictions"]
    assert one["benchmark"] == "mmmu_dev_val"
    assert one["ci_lower"] <= row.mean() <= one["ci_upper"]
    # The interval says something: the lowest and the highest real model are outside of it.
    scores = answers.mean(axis=1)
    assert scores.min() < one["ci_lower"]
    assert one["ci_upper"] < scores.max()
