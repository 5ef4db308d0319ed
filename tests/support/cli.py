"""Calling the command line as a user does, without starting a process."""

from __future__ import annotations

import sys
from typing import NamedTuple

import pytest

from gfactor.cli import main


class Ran(NamedTuple):
    """The exit code and what was printed."""

    code: int
    out: str
    err: str


def run_cli(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> Ran:
    """Run `gfactor WORDS`."""
    monkeypatch.setattr("sys.argv", ["gfactor", *words])
    # click names the program after `python -m PACKAGE`, which would be pytest here.
    monkeypatch.setattr(sys.modules["__main__"], "__package__", None)
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return Ran(int(ended.value.code or 0), out, err)
