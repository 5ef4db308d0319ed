"""Modules share their names with no function or class of theirs, but where a file is a plug-in."""

from __future__ import annotations

import ast
from pathlib import Path

import gfactor

ROOT = Path(gfactor.__file__).parent
NAMES = {
    ".".join(("gfactor", *p.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): p
    for p in sorted(ROOT.rglob("*.py"))
}
PLUG_INS = (
    "gfactor.benchmarks.postprocess.transformations",
    "gfactor.examinees.schemes",
    "gfactor.reports.figures",
    "gfactor.reports.tables",
)
"""Folders whose files are named as the one thing that each registers; nobody imports these files
by name, so nothing is hidden."""
EXCEPT = ("gfactor.cli", "gfactor.cli.scaffolds.estimator.plugin_name")
"""The program's group of commands, and the template of an estimator of one's own."""


def shared() -> list[str]:
    return [
        name
        for name, path in NAMES.items()
        for one in ast.parse(path.read_text("utf-8")).body
        if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == name.rsplit(".", 1)[1]
    ]


def test_a_module_shares_its_name_with_no_function() -> None:
    assert not [
        name for name in shared() if name.rsplit(".", 1)[0] not in PLUG_INS and name not in EXCEPT
    ]


def test_every_exception_is_one() -> None:
    assert {name.rsplit(".", 1)[0] for name in shared()} >= set(PLUG_INS)
    assert set(shared()) >= set(EXCEPT)
