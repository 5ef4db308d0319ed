"""Studies from the command line: made, tried by bots and observers, exported."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from support.studies import PASSWORD, exam_bank

from gfactor.administration import Journal
from gfactor.cli import cli
from gfactor.scoring import matrix, scored


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
        "page": "instructions", "reached": 5, "left": 0, "seconds": None,
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
