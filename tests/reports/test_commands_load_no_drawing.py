"""Commands load what draws only when something is drawn: help and scores come at once. What plans,
calibrates and asks adaptively is loaded by reports with a plan or a calibration alone. A journal is
read and scored without what asks over HTTP, what compares colors and what solves equations."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.banks import make_items

from gfactor.administration import Journal, run
from gfactor.examinees import make_examinee
from gfactor.items import ItemBank, write_bank

CODE = """
import contextlib, importlib, io, pkgutil, sys
import scipy.special
by_special = {"scipy.linalg"} & set(sys.modules)  # SciPy 1.18 loads it with scipy.special.
import gfactor.administration.storing.journal
print(*sorted({"aiohttp"} & set(sys.modules)))
from gfactor.cli import main
sys.argv = ["gfactor", "score", "j.db"]
with contextlib.redirect_stdout(io.StringIO()) as scores, contextlib.suppress(SystemExit):
    main()
unused = {"aiohttp", "coloraide", "scipy.linalg", "scipy.sparse"} - by_special
print("baseline:constant" in scores.getvalue(), *sorted(unused & set(sys.modules)))
import gfactor.api.scores.reporting
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


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return what one process has loaded after the journal's module, the scores of a journal,
    tables, all commands, and a figure."""
    folder = tmp_path_factory.mktemp("loaded")
    bank = ItemBank.open(write_bank(make_items("a"), folder / "b.parquet"))
    with Journal.open(folder / "j.db") as journal:
        run(bank, make_examinee("baseline:constant", bank=bank), journal)
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.thorough
def test_a_journal_is_read_without_what_asks_over_http(loaded: list[str]) -> None:
    assert loaded[0] == ""


def test_scores_and_tables_of_a_report_load_no_planning_and_no_adaptive_tests(
    loaded: list[str],
) -> None:
    assert loaded[2] == ""


def test_no_command_loads_matplotlib_or_jinja2_before_it_draws(loaded: list[str]) -> None:
    assert loaded[3:] == ["", "matplotlib"]


def test_a_journal_is_scored_without_http_colors_and_solvers_of_equations(
    loaded: list[str],
) -> None:
    assert loaded[1] == "True"
