"""A group of commands shows what it has, and a mistyped command is answered with the right one."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from support.cli import run_cli

from gfactor.cli import cli
from gfactor.cli.folder import HEADINGS, Folder
from gfactor.cli.suggestions import suggest, words_of

assert isinstance(cli, Folder)
PATHS = cli.paths("gfactor")


@pytest.mark.parametrize("words", [[], ["analyze"], ["study"], ["bank"], ["build"]], ids=" ".join)
def test_a_group_without_a_command_prints_its_help(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = run_cli(monkeypatch, capsys, *words)
    full = run_cli(monkeypatch, capsys, *words, "--help")
    assert (bare.code, bare.err) == (0, "")
    assert bare.out == full.out
    assert bare.out.startswith(f"Usage: {' '.join(['gfactor', *words])} [OPTIONS] ")


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (["cfa"], "gfactor analyze cfa"),
        (["irt"], "gfactor analyze irt"),
        (["alpha"], "gfactor analyze reliability"),
        (["reliability"], "gfactor analyze reliability"),
        (["anova"], "gfactor compare"),
        (["view"], "gfactor report"),
        (["KMO"], "gfactor analyze adequacy"),
        (["measurementInvariance"], "gfactor analyze invariance"),
        (["cofa"], "gfactor analyze cfa"),
        (["cronbac"], "gfactor analyze reliability"),
        (["scroe"], "score"),
        (["analyze", "score"], "gfactor score"),
        (["analyze", "omega"], "gfactor analyze reliability"),
        (["study", "exprot"], "export"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(
    words: list[str],
    call: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = run_cli(monkeypatch, capsys, *words)
    assert done.code == 2
    assert done.err.endswith(f"did you mean {call!r}?\n")


def test_commands_of_one_name_are_all_named() -> None:
    assert suggest("serve", [], PATHS, "") == (
        "did you mean 'gfactor annotate serve' or 'gfactor study serve'?"
    )


def test_a_word_that_is_near_nothing_is_answered_with_the_list() -> None:
    hint = suggest("xyzzy", ["build"], PATHS, "gfactor --help")
    assert hint == "'gfactor --help' lists the commands"


def test_every_call_that_is_suggested_for_a_word_exists() -> None:
    words_of_calls = words_of("commands")
    calls = {call for call in words_of_calls if "--" not in call}
    assert calls <= set(PATHS)
    words = [word for words in words_of_calls.values() for word in words.split()]
    assert len(words) == len(set(words))
    # A command that has the name itself is suggested, not another one.
    assert not [word for word in words if f"gfactor {word}" in PATHS]


def test_every_verb_stands_under_one_of_six_headings() -> None:
    assert isinstance(cli, Folder)
    entries = cli.entries()
    assert {entry.heading for entry in entries} == set(HEADINGS)
    text = cli.get_help(click.Context(cli, info_name="gfactor"))
    places = [text.index(f"\n{heading}:\n") for heading in HEADINGS]
    assert places == sorted(places)
    for entry in entries:
        assert text.count(f"\n  {entry.name} ") == 1


@pytest.mark.thorough
def test_the_program_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gfactor", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("gfactor, version ")
