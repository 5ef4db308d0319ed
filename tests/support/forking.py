"""Processes of tests that are forked after the tests were collected.

pytest-xdist starts processes that each import and collect all tests again, which takes as long as
a thousand of them. These processes have everything that was imported, and share its memory. A
process is given the tests of one file (or of files that share what they test) at a time.
"""

from __future__ import annotations

import atexit
import contextlib
import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

import pytest

from support.messages import is_shown

Group = list[int]
"""Positions of tests that run in one process, one after the other."""
NEXT = "next"
"""What a process says to be given more tests; all else are the numbers of the tests that begin, and
reports."""


@dataclass
class _Worker:
    number: int
    pid: int
    connection: Connection
    group: deque[int] = field(default_factory=deque)
    """Tests that were given and have not ended; the first one runs."""


class Forking:
    """Runs the tests of a session in processes.

    Parameters
    ----------
    processes : int
        Number of processes.
    scope : callable
        Returns the name of what a test shares with others, from its file: tests with the same name
        run in one process.
    """

    def __init__(self, processes: int, scope: Callable[[str], str]) -> None:
        self._processes, self._scope = processes, scope
        self._waiting: deque[Group] = deque()
        self._workers: list[_Worker] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests; None leaves it to pytest, if there is nothing to run."""
        if session.testsfailed or session.config.option.collectonly or not session.items:
            return None
        self._waiting = deque(groups([item.nodeid for item in session.items], self._scope))
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        for number in range(min(self._processes, len(self._waiting))):
            self._start(session, number)
        try:
            while self._workers:
                for ready in wait([worker.connection for worker in self._workers]):
                    worker = next(one for one in self._workers if one.connection is ready)
                    self._hear(session, worker)
                    if session.shouldfail:
                        raise session.Failed(session.shouldfail)
                    if session.shouldstop:
                        raise session.Interrupted(session.shouldstop)
        finally:
            for worker in self._workers:  # They end when they next say something.
                worker.connection.close()
                os.waitpid(worker.pid, 0)
        return True

    def _start(self, session: pytest.Session, number: int) -> None:
        here, there = Pipe()
        pid = os.fork()
        if not pid:
            here.close()
            for worker in self._workers:
                worker.connection.close()
            _work(session, number, there)
        there.close()
        self._workers.append(_Worker(number, pid, here))

    def _hear(self, session: pytest.Session, worker: _Worker) -> None:
        """Do what a message of a process asks for."""
        try:
            said = worker.connection.recv()
        except EOFError:
            self._ended(session, worker)
            return
        if said == NEXT:
            given = self._waiting.popleft() if self._waiting else None
            worker.group.extend(given or ())
            worker.connection.send(given)
        elif isinstance(said, int):
            while worker.group[0] != said:
                worker.group.popleft()
        else:
            hook = session.config.hook
            report = hook.pytest_report_from_serializable(config=session.config, data=said)
            hook.pytest_runtest_logreport(report=report)

    def _ended(self, session: pytest.Session, worker: _Worker) -> None:
        """A process ended: as it should after its last test, or in one, which then failed."""
        self._workers.remove(worker)
        worker.connection.close()
        _, status = os.waitpid(worker.pid, 0)
        if not status:
            return
        code = os.waitstatus_to_exitcode(status)
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        if worker.group:
            item = session.items[worker.group.popleft()]
            session.config.hook.pytest_runtest_logreport(report=pytest.TestReport(
                item.nodeid, item.location, {}, "failed", f"the process of this test {how}", "call"
            ))  # fmt: skip
        if worker.group:
            self._waiting.appendleft(list(worker.group))
        if self._waiting:
            self._start(session, worker.number)


def groups(names: list[str], scope: Callable[[str], str]) -> list[Group]:
    """Return the positions of tests that run in one process, the largest group first.

    Parameters
    ----------
    names : list of str
        Names of the tests (`FILE::TEST`), in their order.
    scope : callable
        Returns the name of a group from a file.
    """
    found: dict[str, Group] = {}
    for position, name in enumerate(names):
        found.setdefault(scope(name.partition("::")[0]), []).append(position)
    return sorted(found.values(), key=len, reverse=True)


class _Telling:
    """Sends reports to the process that shows them."""

    def __init__(self, config: pytest.Config, connection: Connection) -> None:
        self._config, self._connection = config, connection
        self._all = config.get_verbosity() > 0 or bool(config.getoption("xmlpath", None))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._all or is_shown(report):
            hook = self._config.hook
            self._connection.send(
                hook.pytest_report_to_serializable(config=self._config, report=report)
            )


def _work(session: pytest.Session, number: int, connection: Connection) -> None:
    """Run the tests that are given, then end this process."""
    code = 1
    try:
        _settle(session.config, number, connection)
        with contextlib.suppress(EOFError, ConnectionError):  # Nobody listens any more.
            _run(session, connection)
            code = 0
        session._setupstate.teardown_exact(None)
        atexit._run_exitfuncs()
    finally:
        os._exit(code)


def _settle(config: pytest.Config, number: int, connection: Connection) -> None:
    """Give a new process files and folders of its own."""
    manager: Any = config.pluginmanager
    manager.unregister(name="terminalreporter")
    capture = manager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture()
    factory = config._tmp_path_factory  # type: ignore[attr-defined]
    factory._basetemp = factory.getbasetemp() / f"p{number}-{os.getpid()}"
    factory._basetemp.mkdir(mode=0o700)
    manager.register(_Telling(config, connection))


def _run(session: pytest.Session, connection: Connection) -> None:
    def given() -> Group:
        connection.send(NEXT)
        return connection.recv() or []

    def run(position: int, after: int | None) -> None:
        connection.send(position)
        item, following = items[position], None if after is None else items[after]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    positions, items = given(), session.items
    while positions:
        for position, after in pairwise(positions):
            run(position, after)
        # What tests of different files share is kept until the last test.
        then = given()
        run(positions[-1], then[0] if then else None)
        positions = then
