"""The command line as a whole: help, mistakes, machine-readable output, documentation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from support.cli import run_cli

from gfactor.cli import cli

CONTEXT = click.Context(cli, info_name="gfactor")
VERBS = cli.list_commands(CONTEXT)


def gfactor(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from gfactor.cli import main; main()", *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example_and_takes_json(verb: str) -> None:
    command = cli.get_command(CONTEXT, verb)
    assert command is not None
    inner = click.Context(command, info_name=verb, parent=CONTEXT)
    commands = [command]
    if isinstance(command, click.Group):
        found = (command.get_command(inner, name) for name in command.list_commands(inner))
        commands = [c for c in found if c is not None]
    for one in commands:
        text = one.get_help(click.Context(one, info_name=one.name, parent=inner))
        assert "Example" in text, f"{verb}: no example"
        assert "--json" in text, f"{verb}: no --json"


@pytest.mark.thorough
def test_an_unknown_verb_is_one_sentence_with_a_suggestion_and_exit_code_2() -> None:
    done = gfactor("bild")
    assert done.returncode == 2
    assert done.stderr == "gfactor: unknown command 'bild'; did you mean 'build'?\n"
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["build", "percept-w", "-o", "x.parquet"], "did you mean 'percept-v'?"),
        (["build", "percept-v", "--domains", "change_color", "-o", "x.parquet"], "'change_colour'"),
        (["build", "percept-v", "--sizes", "0", "-o", "x.parquet"], "sizes"),
        (["build", "percept-v", "--seed", "-1", "-o", "x.parquet"], "seed"),
        (["build", "percept-v", "-o", "no/such/folder/x.parquet"], "cannot write"),
        (["build", "percept-v"], "--output"),
        (["audit", "nothing.parquet"], "there is no such file"),
        (
            ["run", "nothing.parquet", "--examinee", "observer:ideal", "--journal", "c.db"],
            "no such",
        ),
        (["score", "nothing.db"], "does not exist"),
        (["report", "nothing.db", "-o", "r"], "does not exist"),
        (["demo", "--seed", "-3"], "seed"),
    ],
)
def test_a_mistake_is_one_sentence_without_a_traceback(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_cli(monkeypatch, capsys, *words)
    assert done.code == 2
    assert done.err.startswith("gfactor: ")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not list(tmp_path.rglob("*.parquet")), "nothing half-made is left"


@pytest.mark.slow
def test_bars_are_off_when_standard_error_is_no_terminal(tmp_path: Path) -> None:
    done = gfactor(
        "build", "percept-v", "--domains", "counting_circles", "--sizes", "1-3",
        "-o", str(tmp_path / "b.parquet"),
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == ""
