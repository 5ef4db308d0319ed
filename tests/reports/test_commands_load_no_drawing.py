"""Commands load what draws only when something is drawn: help and scores come at once. What plans,
calibrates and asks adaptively is loaded by reports with a plan or a calibration alone. A journal is
read without what asks over HTTP."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import importlib, pkgutil, sys
import gfactor.administration.storing.journal
print(*sorted({"aiohttp"} & set(sys.modules)))
import gfactor.api.scores.results
from gfactor.reports import FIGURES, TABLES
list(TABLES.items())
rare = {"scipy.stats", "gfactor.psychometrics.planning", "gfactor.administration.adaptive"}
print(*sorted(rare & set(sys.modules)))
for folder in ("verbs", "analyses"):
    package = importlib.import_module(f"gfactor.cli.{folder}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
print(*sorted({"matplotlib", "jinja2"} & set(sys.modules)))
FIGURES["accuracy_by_size"]
print(*sorted({"matplotlib", "jinja2"} & set(sys.modules)))
"""


@pytest.fixture(scope="module")
def loaded() -> list[str]:
    """Return what one process has loaded after the journal's module, scores and tables, all
    commands, and a figure."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_journal_is_read_without_what_asks_over_http(loaded: list[str]) -> None:
    assert loaded[0] == ""


def test_scores_and_tables_of_a_report_load_no_planning_and_no_adaptive_tests(
    loaded: list[str],
) -> None:
    assert loaded[1] == ""


def test_no_command_loads_matplotlib_or_jinja2_before_it_draws(loaded: list[str]) -> None:
    assert loaded[2:] == ["", "matplotlib"]
