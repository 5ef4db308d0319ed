"""Commands load what draws only when something is drawn: help and scores come at once."""

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
