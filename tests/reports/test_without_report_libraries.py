"""Without the extra `report` all but pages and figures works, and those say what to install."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import importlib, pkgutil, sys, tempfile
sys.modules |= {"matplotlib": None, "jinja2": None}
import gfactor.reports
for folder in ("verbs", "analyses"):
    package = importlib.import_module(f"gfactor.cli.{folder}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
from gfactor.errors import MissingExtraError
for call in (
    lambda: gfactor.reports.write_analysis(gfactor.reports.AnalysisReport("Page", ()), folder),
    lambda: importlib.import_module("gfactor.reports.path_drawing"),
    lambda: gfactor.reports.FIGURES["accuracy_by_size"],
):
    with tempfile.TemporaryDirectory() as folder:
        try:
            call()
        except MissingExtraError as error:
            print(error)
"""


def test_commands_load_and_what_draws_names_the_extra() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == 3, done.stdout
    assert all("pip install 'gfactor[report]'" in line for line in said), said
