"""No module loads itself through others, and none is hidden by a function of its name."""

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


def running_imports(tree: ast.AST) -> list[ast.ImportFrom]:
    """Imports from packages that happen when the code runs, at the top or inside functions."""
    nodes: list[ast.ImportFrom] = []
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.ImportFrom) and child.module and child.level == 0:
            nodes.append(child)
        nodes += running_imports(child)
    return nodes


def dependencies(path: Path, name: str) -> set[str]:
    """The modules of gfactor that a module loads."""
    loaded = set()
    for node in running_imports(ast.parse(path.read_text())):
        for alias in node.names:
            full = f"{node.module}.{alias.name}"
            loaded.add(full if full in NAMES else str(node.module))
    return (loaded & set(NAMES)) - {name}


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Groups of modules each of which loads all others of its group, directly or not."""
    reached = {name: set(others) for name, others in graph.items()}
    for middle in graph:
        for others in reached.values():
            if middle in others:
                others.update(reached[middle])
    groups = {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in graph
        if name in reached[name]
    }
    return sorted(map(set, groups), key=min)


def test_no_module_loads_itself_through_others() -> None:
    """Also not by imports inside functions; those for types alone do not count."""
    assert not circles({name: dependencies(path, name) for name, path in NAMES.items()})


def test_a_circle_through_a_function_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]
    tree = ast.parse("if TYPE_CHECKING:\n import x\ndef f():\n    from gfactor.y import z")
    assert [node.module for node in running_imports(tree)] == ["gfactor.y"]


@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith(ROOMS) and LATER not in n])
def test_a_module_shares_its_name_with_no_function(name: str) -> None:
    body = ast.parse(NAMES[name].read_text()).body
    defined = {one.name for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    assert name.rsplit(".", 1)[1] not in defined
