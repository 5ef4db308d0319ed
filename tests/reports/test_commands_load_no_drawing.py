"""Commands load what draws only when something is drawn: help and scores come at once. What plans,
calibrates and asks adaptively is loaded by reports with a plan or a calibration alone. A journal is
read and scored without what asks over HTTP, what compares colors and what solves equations."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.banks import make_items

from gfactor.administration import Journal, run
from gfactor.examinees import make_examinee
from gfactor.items import ItemBank, write_bank

CODE = """
import importlib, pkgutil, sys
import gfactor.administration.storing.journal
print(*sorted({"aiohttp"} & set(sys.modules)))
import gfactor.api.scores.results
from gfactor.reports import FIGURES, TABLES
list(TABLES.items())
rare = {"scipy.sparse", "scipy.stats", "gfactor.psychometrics.planning"}
rare.add("gfactor.administration.adaptive")
print(*sorted(rare & set(sys.modules)))
for folder in ("verbs", "analyses"):
    package = importlib.import_module(f"gfactor.cli.{folder}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
print(*sorted({"matplotlib", "jinja2"} & set(sys.modules)))
FIGURES["accuracy_by_size"]
print(*sorted({"matplotlib", "jinja2"} & set(sys.modules)))
"""

SCORE = """
import sys
from gfactor.cli import main
sys.argv = ["gfactor", "score", "j.db"]
try:
    main()
finally:
    rare = {"aiohttp", "coloraide", "scipy.linalg", "scipy.sparse"}
    print("loaded:", *sorted(rare & set(sys.modules)), file=sys.stderr)
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


def test_a_journal_is_scored_without_http_colors_and_solvers_of_equations(
    tmp_path: Path,
) -> None:
    bank = ItemBank.open(write_bank(make_items("a"), tmp_path / "b.parquet"))
    with Journal.open(tmp_path / "j.db") as journal:
        run(bank, make_examinee("baseline:constant", bank=bank), journal)
    done = subprocess.run(
        [sys.executable, "-c", SCORE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "baseline:constant" in done.stdout
    assert done.stderr.splitlines()[-1] == "loaded:"
