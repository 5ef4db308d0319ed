"""No module of psychometrics and replications shares its name with a function of it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import gfactor

ROOT = Path(gfactor.__file__).parent
NAMES = {
    ".".join(("gfactor", *p.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): p
    for p in sorted(ROOT.rglob("*.py"))
}
ROOMS = ("gfactor.psychometrics.", "gfactor.replications.")
LATER = "gfactor.psychometrics.irt."
"""A room that is being rebuilt."""


@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith(ROOMS) and LATER not in n])
def test_a_module_shares_its_name_with_no_function(name: str) -> None:
    body = ast.parse(NAMES[name].read_text()).body
    defined = {one.name for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    assert name.rsplit(".", 1)[1] not in defined
