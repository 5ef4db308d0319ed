"""Servers of studies and workspaces in processes of their own that start at once.

A first process imports what the servers need and forks for each of them: importing it anew takes
longer than most tests talk to their server. The processes can be killed like any other.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, Self

CHEAP = 16
"""Cost of a password's hash: the real one, 2**14, takes each study 40 ms."""

LATE = (
    "jinja2", "latex2mathml.converter", "markdown_it", "mdit_py_plugins.dollarmath", "nh3",
    "starlette.applications", "starlette.middleware.base", "starlette.staticfiles", "uvicorn",
    "itsdangerous.url_safe", "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto",
)  # fmt: skip
"""What a server imports only when it starts: it takes longer than most of these servers work."""

_FORKER = f"""
import gc, json, os, sys
import gfactor.studies.annotation, gfactor.studies.questionnaires, gfactor.studies.web
import gfactor.studies.questionnaires.pages.app, gfactor.studies.questionnaires.pages.context
import {", ".join(LATE)}
from gfactor.studies.web import secrets
from gfactor.studies.web.pages import Pages
secrets._COST["n"] = {CHEAP}
for package in ("questionnaires", "annotation"):
    pages = Pages(f"gfactor.studies.{{package}}")
    pages.compile(pages._environment.list_templates())
gc.freeze()  # No child looks for garbage in what was imported, above all not when it ends.
for line in sys.stdin:
    order = json.loads(line)
    if "wait" in order:
        print(os.waitstatus_to_exitcode(os.waitpid(order["wait"], 0)[1]), flush=True)
        continue
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(order["out"], os.O_WRONLY), 1)
        sys.argv = ["-c", *order["words"]]
        exec(compile(order["program"], "server", "exec"), {{"__name__": "__main__"}})
        sys.exit()
    print(child, flush=True)
"""


class Server:
    """A forked process with the part of `subprocess.Popen` that starters of servers use."""

    def __init__(self, forker: WarmServers, number: int, out: IO[str]) -> None:
        self.pid, self.stdout, self._forker = number, out, forker
        self.returncode: int | None = None

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        """Send a signal to the process, unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process has ended and return its exit code."""
        if self.returncode is None:
            self.returncode = self._forker.ask({"wait": self.pid})
        return self.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stdout.close()
        self.wait()


class WarmServers:
    """The process that forks; `start` takes what `subprocess.Popen` would be given."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def start(self, command: Sequence[str], **settings: Any) -> Any:
        """Start `[python, "-c", program, *words]` as a fork, any other command as it is."""
        if list(command[:2]) != [sys.executable, "-c"] or set(settings) - {"stdout", "text"}:
            return subprocess.Popen(command, **settings)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            os.mkfifo(out)
            order = {"program": command[2], "words": list(command[3:]), "out": str(out)}
            number = self.ask(order)
            return Server(self, number, out.open(encoding="utf-8"))

    def ask(self, order: object) -> int:
        """Give an order to the forking process and return its answer."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _FORKER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the forking process."""
        if self._process is not None:
            self._process.communicate()


@contextlib.contextmanager
def warm_subprocess() -> Iterator[SimpleNamespace]:
    """Yield a stand-in for the module `subprocess` whose `Popen` forks servers."""
    servers = WarmServers()
    yield SimpleNamespace(Popen=servers.start, PIPE=subprocess.PIPE)
    servers.close()
