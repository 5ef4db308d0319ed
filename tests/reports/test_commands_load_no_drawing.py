"""Commands load what draws only when something is drawn: help and scores come at once. What plans,
calibrates and asks adaptively is loaded by reports with a plan or a calibration alone."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import importlib, pkgutil, sys
import gfactor.reports
for folder in ("verbs", "analyses"):
    package = importlib.import_module(f"gfactor.cli.{folder}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
print(*sorted({"matplotlib", "jinja2"} & set(sys.modules)))
gfactor.reports.FIGURES["accuracy_by_size"]
print(*sorted({"matplotlib", "jinja2"} & set(sys.modules)))
"""


def test_no_command_loads_matplotlib_or_jinja2_before_it_draws() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["", "matplotlib"]


RESULTS = """
import sys
import gfactor.api.scores.results
from gfactor.reports import TABLES
list(TABLES.items())
rare = {"scipy.stats", "gfactor.psychometrics.planning", "gfactor.administration.adaptive"}
print(*sorted(rare & set(sys.modules)))
"""


def test_scores_and_tables_of_a_report_load_no_planning_and_no_adaptive_tests() -> None:
    code = [sys.executable, "-c", RESULTS]
    done = subprocess.run(code, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [""]
