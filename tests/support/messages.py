"""Messages from the processes of `pytest -n` to the one that counts: only those that it shows.

pytest-xdist sends six messages about each test. Most tests take less time than that: the start, the
end, and a quick set-up or clearing that passed change nothing of what is printed.
"""

from __future__ import annotations

from typing import Any

import pytest

SHOWN_S = 0.05
"""Seconds from which a set-up or clearing may stand in the table of the slowest tests."""
UNSENT = "unsent"


def send_fewer(config: pytest.Config) -> None:
    """Let a process of `pytest -n` send only what is shown; all, for a long output or a file."""
    if config.get_verbosity() > 0 or config.getoption("xmlpath", None):
        return
    for plugin in config.pluginmanager.get_plugins():
        if hasattr(plugin, "sendevent"):
            config.pluginmanager.register(Unsent())
            _filter(plugin)


def _filter(sender: Any) -> None:
    send = sender.sendevent

    def send_shown(name: str, **content: Any) -> None:
        if name in ("logstart", "logfinish") or UNSENT in content.get("data", ()):
            return
        send(name, **content)

    sender.sendevent = send_shown


class Unsent:
    """Marks the reports that are not sent, so that they are not turned into text either."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_to_serializable(self, report: Any) -> dict[str, Any] | None:
        """Return a mark for a quick set-up or clearing that passed, nothing for other reports."""
        part = isinstance(report, pytest.TestReport) and report.when != "call"
        return {UNSENT: True} if part and report.passed and report.duration < SHOWN_S else None
