"""`gfactor` commands and scripts in processes of their own that have everything imported already.

A first process imports what commands need and forks for each of them. The commands of the
documentation do little, so that starting Python anew for each would be most of the time.
"""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from gfactor.cli import main

PROGRAM = """
import gc, json, os, sys
import matplotlib, pandas, scipy.optimize, scipy.stats
import gfactor.cli, gfactor.administration, gfactor.benchmarks, gfactor.examinees
import gfactor.examinees.http, gfactor.psychometrics, gfactor.reports, gfactor.scoring
from gfactor.cli.folder import Folder
for name in gfactor.cli.cli.list_commands(None):
    command = gfactor.cli.cli.get_command(None, name)
    if isinstance(command, Folder):
        for inner in command.list_commands(None):
            command.get_command(None, inner)
gc.freeze()  # No child looks for garbage in what was imported, above all not when it ends.
for line in sys.stdin:
    order = json.loads(line)
    child = os.fork()
    if child == 0:
        os.chdir(order["folder"])
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for stream in (1, 2):
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            os.dup2(os.open(order[str(stream)], flags), stream)
        if order["1"] == order["2"]:
            sys.stdout.reconfigure(line_buffering=True)
        if "script" in order:
            exec(compile(order["script"], "page", "exec"), {"__name__": "__main__"})
            sys.exit()
        sys.argv = ["gfactor", *order["words"]]
        gfactor.cli.main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@dataclass(frozen=True)
class Done:
    """The exit code and what was printed."""

    code: int
    out: str
    err: str


class Warm:
    """The process that forks; `close` ends it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def gfactor(
        self, words: list[str], folder: Path, logs: Path, *, one_stream: bool = False
    ) -> Done:
        """Run `gfactor WORDS` in a folder; what it prints goes through files in `logs`.

        With `one_stream`, messages stand among the results in `out`, as on a terminal.
        """
        return self._run({"words": words}, folder, logs, one_stream)

    def script(self, text: str, folder: Path, logs: Path) -> Done:
        """Run a text of Python as a program of its own."""
        return self._run({"script": text}, folder, logs)

    def _run(
        self, order: dict[str, object], folder: Path, logs: Path, one_stream: bool = False
    ) -> Done:
        out, err = logs / "out", logs / ("out" if one_stream else "err")
        for file in (out, err):
            file.write_bytes(b"")
        order |= {"folder": str(folder), "1": str(out), "2": str(err)}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        return Done(code, out.read_text("utf-8"), "" if one_stream else err.read_text("utf-8"))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


class Here(Warm):
    """Runs commands and scripts in this process, which takes less time than starting another one
    if they are few."""

    def __init__(self) -> None:
        pass

    def gfactor(
        self, words: list[str], folder: Path, logs: Path, *, one_stream: bool = False
    ) -> Done:
        """Run `gfactor WORDS` in a folder."""
        # click names the program after `python -m PACKAGE`, which would be pytest here.
        with (
            mock.patch.object(sys, "argv", ["gfactor", *words]),
            mock.patch.object(sys.modules["__main__"], "__package__", None),
        ):
            return self._call(main, folder, one_stream)

    def script(self, text: str, folder: Path, logs: Path) -> Done:
        """Run a text of Python with names of its own."""
        code = compile(text, "page", "exec")
        return self._call(lambda: exec(code, {"__name__": "__main__"}), folder, False)

    def _call(self, called: Callable[[], object], folder: Path, one_stream: bool) -> Done:
        out, code = io.StringIO(), 0
        err = out if one_stream else io.StringIO()
        with (
            contextlib.chdir(folder), contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):  # fmt: skip
            try:
                called()
            except SystemExit as ended:
                code = int(ended.code or 0)
        return Done(code, out.getvalue(), "" if one_stream else err.getvalue())

    def close(self) -> None:
        """Do nothing: there is no other process."""
