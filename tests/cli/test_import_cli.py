"""`gfactor import` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import run_cli
from support.logs import eval_log, sample
from support.vlmevalkit import predictions, row

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


def test_a_folder_of_many_files_is_summarized(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    """Real outputs of VLMEvalKit printed 80,000 characters, most of them the same reasons."""
    folder = tmp_path / "outputs"
    for number in range(12):
        into = folder / f"run{number}"
        into.mkdir(parents=True)
        predictions(into, [row(k, "B") for k in range(2)])
        (into / "GPT_4o" / "GPT_4o_Small_acc.csv").write_text("split,Overall\nnone,0.5\n", "utf-8")
        (into / "GPT_4o" / "GPT_4o_Small_other.csv").write_text("", "utf-8")
    call = ["import", "vlmevalkit", str(folder), "--journal", str(tmp_path / "c.db")]
    ran = run_cli(monkeypatch, capsys, *call)
    lines = ran.out.splitlines()
    assert len(lines) < 30, ran.out
    assert f"in {folder}:" in lines
    assert sum(line.startswith("  run") for line in lines) == 8
    assert "  4 more files taken, with 0 answers; --json lists all" in lines
    assert sum("left out: 12 files, the first run0/" in line for line in lines) == 2
    assert any(line.startswith("12 of 36 files taken: 2 answers") for line in lines)
    found = json.loads(run_cli(monkeypatch, capsys, *call, "--json").out)
    assert len(found["files"]) == 36
