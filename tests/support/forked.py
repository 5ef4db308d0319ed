"""`gfactor` commands as processes of their own that start at once.

A first process imports gfactor and forks for every command: importing it anew each time would
take longer than the commands. The processes can be killed like any other.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

PROGRAM = """
import gc, json, os, signal, sys
import gfactor.cli, gfactor.cli.verbs.run, gfactor.cli.verbs.profile
import gfactor.reports.pages.of_results
import gfactor.administration, gfactor.examinees.http, gfactor.api.campaign
import gfactor.cli.campaigns.run, gfactor.api.campaign.running, gfactor.api.asking.adaptive_bank
import gfactor.api.scores.answer_warnings, gfactor.api.asking.run_reports
import gfactor.examinees.observer
from gfactor.administration.sharing import claims
gc.freeze()  # No child looks for garbage in what was imported, above all not when it ends.
for line in sys.stdin:
    order = json.loads(line)
    if "wait" in order:
        code = os.waitstatus_to_exitcode(os.waitpid(order["wait"], 0)[1])
        print(code, flush=True)
        continue
    if "stop" in order:
        os.kill(order["stop"], signal.SIGSTOP)
        os.waitpid(order["stop"], os.WUNTRACED)
        print(order["stop"], flush=True)
        continue
    child = os.fork()
    if child == 0:
        sys.argv = ["gfactor", *order["run"]]
        log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        if order["lease_s"]:
            claims.LEASE_SECONDS = order["lease_s"]
        if order["place"]:
            claims._boot_id = lambda: order["place"]
        exec(compile(order["before"], "before", "exec"), {})
        gfactor.cli.main()
    print(child, flush=True)
"""


@dataclass
class Starter:
    """The process that forks."""

    process: subprocess.Popen[str]

    def start(
        self, log: object, *words: object, lease_s: float | None = None, place: str = "",
        before: str = "",
    ) -> int:  # fmt: skip
        """Start `gfactor WORDS` with its output going to a file; the process's number.

        `lease_s` is how long it keeps claims without a sign of life, `place` the machine on which
        it believes to be, `before` a program that it runs first.
        """
        order = {"run": [str(word) for word in words], "log": str(log), "before": before}
        return self._say({**order, "lease_s": lease_s, "place": place})

    def wait(self, number: int) -> int:
        """Wait for a process; its exit code, negative where a signal ended it."""
        return self._say({"wait": number})

    def stop(self, number: int) -> None:
        """Stop a running process; when this returns, none of its threads runs any more."""
        self._say({"stop": number})

    def _say(self, order: object) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@contextlib.contextmanager
def starter() -> Iterator[Starter]:
    """A starter, until the block ends."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Starter(process)
        assert process.stdin is not None
        process.stdin.close()
