"""No module of psychometrics and replications shares its name with a function of it."""

from __future__ import annotations

import ast
from pathlib import Path

import gfactor

ROOT = Path(gfactor.__file__).parent
NAMES = {
    ".".join(("gfactor", *p.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): p
    for p in sorted(ROOT.rglob("*.py"))
}
ROOMS = ("gfactor.psychometrics.", "gfactor.replications.")


def test_a_module_shares_its_name_with_no_function() -> None:
    shared = [
        name
        for name, path in NAMES.items()
        if name.startswith(ROOMS)
        for one in ast.parse(path.read_text()).body
        if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == name.rsplit(".", 1)[1]
    ]
    assert not shared
