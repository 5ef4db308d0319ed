"""Processes of tests tell what failed, what was slow and what was called; nothing else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from support.messages import Unsent, send_fewer


def report(when: Any, outcome: Any = "passed", duration: float = 0.0) -> pytest.TestReport:
    return pytest.TestReport(
        "test_a.py::test", ("test_a.py", 1, "test"), {}, outcome, None, when, duration=duration
    )


@pytest.mark.parametrize(
    ("told", "sent"),
    [
        (report("call"), True),
        (report("setup"), False),
        (report("teardown"), False),
        (report("setup", "failed"), True),
        (report("setup", "skipped"), True),
        (report("teardown", "failed"), True),
        (report("setup", duration=0.05), True),
    ],
    ids=lambda value: str(getattr(value, "outcome", "")),
)
def test_reports_that_are_shown_are_sent(told: pytest.TestReport, sent: bool) -> None:
    assert (Unsent().pytest_report_to_serializable(told) is None) == sent


def sender(**options: Any) -> tuple[Any, list[str]]:
    """A process of tests with these options, and the list of what it sends."""
    sent: list[str] = []
    process = SimpleNamespace(sendevent=lambda name, **_: sent.append(name))
    plugins: list[Any] = []
    manager = SimpleNamespace(get_plugins=lambda: [process], register=plugins.append)
    config: Any = SimpleNamespace(getoption=lambda name, *_: options.get(name),
                                  get_verbosity=lambda: options["verbose"],
                                  pluginmanager=manager)  # fmt: skip
    send_fewer(config)
    return process, sent


def test_only_what_is_shown_is_sent() -> None:
    process, sent = sender(verbose=-1)
    for name in ("logstart", "testreport", "logfinish", "runtest_protocol_complete"):
        process.sendevent(name, nodeid="test")
    process.sendevent("testreport", data={"unsent": True})
    process.sendevent("testreport", data={"outcome": "passed"})
    assert sent == ["testreport", "runtest_protocol_complete", "testreport"]


@pytest.mark.parametrize("options", [{"verbose": 1}, {"verbose": -1, "xmlpath": "out.xml"}])
def test_a_long_output_or_a_file_gets_everything(options: dict[str, Any]) -> None:
    process, sent = sender(**options)
    process.sendevent("logstart", nodeid="test")
    assert sent == ["logstart"]
