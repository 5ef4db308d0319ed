"""Studies from the command line: made, tried by bots and observers, exported."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from support.studies import PASSWORD, exam_bank, make_study

import gfactor as gf
from gfactor.administration import Journal
from gfactor.cli import cli
from gfactor.scoring import matrix, scored
from gfactor.studies.questionnaires import StudyFolder


@pytest.mark.thorough
def test_the_command_line_makes_tries_and_exports_a_study(tmp_path: Path) -> None:
    bank = exam_bank(tmp_path, count=6)
    runner = CliRunner(env={"GFACTOR_OWNER_PASSWORD": PASSWORD})

    def gfactor(*words: object) -> str:
        done = runner.invoke(cli, list(map(str, words)))
        assert done.exit_code == 0, done.output
        return done.output

    folder = tmp_path / "made"
    gfactor("study", "new", bank.path, "-o", folder, "--title", "A trial", "--checks", 1)
    tried = json.loads(gfactor("study", "simulate", folder, "--persons", 5, "--json"))
    assert (tried["finished"], tried["answers"]) == (5, 35)
    status = json.loads(gfactor("study", "status", folder, "--json"))
    assert status["facts"]["Finished"] == "5"
    assert status["dropout"][0] == {
        "page": "instructions", "reached": 5, "left": 0, "sent_away": 0, "seconds": None,
    }  # fmt: skip
    exported = json.loads(gfactor("study", "export", folder, "-o", tmp_path / "out", "--json"))
    assert exported["answers"] == 30


def test_observers_take_a_study_and_score_as_they_do_as_examinees(tmp_path: Path) -> None:
    runner = CliRunner(env={"GFACTOR_OWNER_PASSWORD": PASSWORD})
    bank, folder, out = tmp_path / "b.parquet", tmp_path / "s", tmp_path / "out"
    spec = "observer:limited?acuity=0.3&capacity=3&seed=4"
    for words in (
        ["build", "percept-v", "--domains", "counting_circles,sort_lines", "--sizes", "3-6",
         "--instances", "1", "--seed", "7", "-o", bank],
        ["study", "new", bank, "-o", folder, "--title", "T", "--checks", 0],
        ["study", "simulate", folder, "--persons", 0, "--observer", spec],
        ["study", "export", folder, "-o", out],
        ["run", bank, "--examinee", spec, "--journal", out / "journal.db"],
    ):  # fmt: skip
        done = runner.invoke(cli, list(map(str, words)))
        assert done.exit_code == 0, done.output
    with Journal.open(out / "journal.db", create=False) as journal:
        scores = matrix(scored(journal), "domain", lenient=True).scores
    assert len(scores) == 2
    assert scores.iloc[0].tolist() == scores.iloc[1].tolist()


def test_links_are_made_for_the_participants_of_a_table(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3, checks=0, ids="signed")
    ids = ["007", "NA", "ß & 中", '=1+1,"x"']
    people = tmp_path / "people.csv"
    pd.DataFrame({"who": ids, "group": "a"}).to_csv(people, index=False)
    out, url = tmp_path / "links.csv", "https://lab.example/study/"
    words = ["study", "links", str(folder.path), str(people), "--public-url", url]

    def gfactor(*more: str) -> Result:
        return CliRunner().invoke(cli, [*words, *more])

    missing = ["study", "links", str(folder.path), "none.csv", "--public-url", url]
    assert str(CliRunner().invoke(cli, missing).exception) == "'none.csv': there is no such file"
    assert "has no column 'id' (it has who, group)" in str(gfactor().exception)
    made = gfactor("--column", "who", "-o", str(out))
    assert made.exit_code == 0, made.output
    assert out.stat().st_mode & 0o077 == 0
    links = pd.read_csv(out, dtype=str, keep_default_na=False)["link"]
    assert all(link.startswith("https://lab.example/study/?link=") for link in links)
    known = [folder.secrets.value_of("participant", link.partition("=")[2]) for link in links]
    assert known == ids
    before = list(links)
    folder.set_password("another password")
    reopened = StudyFolder.open(folder.path)
    assert [reopened.link(name, url) for name in ids] == before  # a new password changes no link
    people.write_text("who\na\na\n")
    assert "row 3: 'a' is in row 2, too" in str(gfactor("--column", "who").exception)
    results = CliRunner().invoke(cli, ["study", "links", str(folder.path), "--results", "pnobody"])
    assert "no participant 'pnobody'" in str(results.exception)


def test_a_study_is_closed_once_and_for_all(tmp_path: Path) -> None:
    folder = make_study(tmp_path, count=3)
    words = ["study", "close", str(folder.path), "--json"]
    closed = [json.loads(CliRunner().invoke(cli, words).output)["closed"] for _ in range(2)]
    assert closed[0] == closed[1]
    status = CliRunner().invoke(cli, ["study", "status", str(folder.path), "--json"])
    assert json.loads(status.output)["facts"]["Closed"] != "no"


@pytest.mark.thorough
def test_bots_take_the_languages_of_a_study_in_turn(tmp_path: Path) -> None:
    exam_bank(tmp_path, count=3)
    (tmp_path / "three.toml").write_text(
        'id = "three"\ntitle = "Three"\nbank = "bank.parquet"\nlanguages = ["en", "zh", "ar"]\n'
        '[[pages]]\nkind = "block"\nname = "all"\n',
        "utf-8",
    )
    gf.study.new(tmp_path / "three.toml", tmp_path / "study")
    assert gf.study.simulate(tmp_path / "study", persons=5, seed=1).to_dict()["finished"] == 5
    gf.study.export(tmp_path / "study", tmp_path / "out")
    (path,) = (tmp_path / "out" / "psych_ds" / "data").glob("*_participants_data.csv")
    assert pd.read_csv(path)["language"].value_counts().to_dict() == {"en": 2, "zh": 2, "ar": 1}
