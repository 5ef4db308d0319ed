"""An option that a command does not have is answered by the one that was probably meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.cli import Ran, run_cli

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (("run", "b.parquet", "--model", "m"), "'--model'; did you mean '--examinee'?"),
        (("run", "b.parquet", "--baseurl", "u"), "'--baseurl'; did you mean '--base-url'?"),
        (("run", "b.parquet", "--temperature", "0"), "did you mean '--condition'?"),
        (("score", "c.db", "--lenient"), "always stands beside, in the column 'lenient'"),
        (("profile", "--model", "m"), "the model is an argument: gfactor profile openai:MODEL"),
        (("score", "c.db", "--xyzzy"), "score --help' lists the options"),
    ],
)
def test_an_unknown_option_names_the_one_that_is_meant(
    run: Run, words: tuple[str, ...], end: str
) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert ran.err.rstrip().endswith(end)


def test_a_list_of_nothing_names_what_can_be_listed(run: Run) -> None:
    ran = run("list")
    assert ran.code == 2
    assert "list needs one of the words benchmarks, calibrations, " in ran.err
    assert ran.err.rstrip().endswith(" or published")
