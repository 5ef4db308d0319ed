"""`gfactor import` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import run_cli
from support.logs import eval_log, sample

from gfactor.administration import Journal

Patch = pytest.MonkeyPatch
Capture = pytest.CaptureFixture[str]


def test_a_log_is_imported_and_said_in_one_line(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    log = eval_log(tmp_path / "a.eval", [sample(1), sample(2)])
    ran = run_cli(monkeypatch, capsys, "import", "inspect", str(log), "--journal",
                  str(tmp_path / "c.db"))  # fmt: skip
    assert ran.code == 0
    assert "inspect:openai/gpt-4o, 2 items, 2 answers" in ran.out
    assert len(Journal.open(tmp_path / "c.db").responses()) == 2


def test_flaws_are_told_and_set_the_exit_code(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    log = eval_log(tmp_path / "a.eval", [sample(1), sample(2, target="")])
    ran = run_cli(monkeypatch, capsys, "import", "inspect", str(log), "--journal",
                  str(tmp_path / "c.db"), "--json")  # fmt: skip
    assert ran.code == 1
    (file,) = json.loads(ran.out)["files"]
    assert file["added"] == 1
    assert file["flaws"] == [
        "a.eval, samples/2_epoch_1.json: it has no key, so that its answer cannot be scored"
    ]


def test_an_unknown_format_leaves_no_journal_behind(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    ran = run_cli(monkeypatch, capsys, "import", "inspekt", "a.eval", "--journal",
                  str(tmp_path / "c.db"))  # fmt: skip
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "did you mean 'inspect'" in ran.err
    assert not (tmp_path / "c.db").exists()


def test_a_missing_file_is_one_sentence(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    ran = run_cli(monkeypatch, capsys, "import", "vlmevalkit", str(tmp_path / "no.tsv"),
                  "--journal", str(tmp_path / "c.db"))  # fmt: skip
    assert ran.code == 2
    assert ran.err.count("\n") == 1


def test_the_verb_is_listed_under_its_own_name(monkeypatch: Patch, capsys: Capture) -> None:
    ran = run_cli(monkeypatch, capsys, "--help")
    verbs = {line.split()[0] for line in ran.out.splitlines() if line.startswith("  ")}
    assert "import" in verbs
    assert not {"import_", "import-"} & verbs
