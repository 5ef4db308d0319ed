"""Options that several commands have are the same everywhere, and refuse what cannot be meant."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from support.cli import run_cli

import gfactor.cli
from gfactor.cli import cli
from gfactor.cli.options import JOBS
from gfactor.cli.values import PATH

SOURCES = sorted(Path(gfactor.cli.__file__).parent.rglob("*.py"))


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, (*path, name))
        else:
            yield " ".join((*path, name)), found


COMMANDS = dict(commands(cli))
HAVE = {
    flag: sorted(name for name, command in COMMANDS.items()
                 if any(flag in parameter.opts for parameter in command.params))
    for flag in ("-o", "--jobs", "--seed", "--port", "--bootstrap", "--journal", "--decisions")
}  # fmt: skip


def parameter(name: str, flag: str) -> click.Parameter:
    return next(p for p in COMMANDS[name].params if flag in p.opts)


def test_what_is_checked_here_is_there() -> None:
    assert {"audit", "select", "transform", "run", "demo", "build multi"} <= set(HAVE["--jobs"])
    assert len(HAVE["-o"]) > 20
    assert HAVE["--port"] == ["annotate serve", "campaign view", "leaderboard", "study serve"]


@pytest.mark.parametrize("name", HAVE["--jobs"])
def test_jobs_are_as_many_as_a_machine_may_have(name: str) -> None:
    assert parameter(name, "--jobs").type is JOBS


@pytest.mark.thorough
@pytest.mark.parametrize("name", HAVE["-o"])
def test_an_output_is_a_path_with_a_name(name: str) -> None:
    assert parameter(name, "-o").type is PATH


OWN_SEEDS = {
    "demo",
    "build percept-v",
    "build chc",
    "build mm-iq-parallel",
    "build m3gia-parallel",
}
"""These say themselves which seeds they take."""


@pytest.mark.parametrize("name", sorted(set(HAVE["--seed"]) - OWN_SEEDS))
def test_a_seed_is_one_that_every_generator_takes(name: str) -> None:
    kind = parameter(name, "--seed").type
    assert isinstance(kind, click.IntRange)
    assert (kind.min, kind.max) == (0, 2**32 - 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("audit", "b.parquet", "--jobs", "1" + "0" * 20), "is not in the range 1<=x<=1024"),
        (("select", "b", "-o", "c", "--method", "all", "--jobs", "1" + "0" * 20), "1<=x<=1024"),
        (("transform", "b", "-o", "c", "--undo", "--jobs", "1" + "0" * 20), "1<=x<=1024"),
        (("study", "serve", "st", "--port", "65536"), "is not in the range 0<=x<=65535"),
        (("report", "c.db", "-o", ""), "it is empty; give the name of a file or folder"),
        (("analyze", "pls", "x.csv", "--model", "A =~ a", "-o", ""), "it is empty"),
        (("audit", ""), "it is empty"),
        (("score", ""), "it is empty"),
        (("import-scores", ""), "it is empty"),
        (("run", "b.parquet", "--examinee", "a:b", "--journal", ""), "it is empty"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_cli(monkeypatch, capsys, *words)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
def test_no_two_files_declare_the_same_option() -> None:
    """What two commands share stands in one place; `click.option` twice alike is a copy."""
    declared = Counter(
        ast.unparse(call)
        for path in SOURCES
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "click.option"
    )
    assert not [text for text, times in declared.items() if times > 1]
