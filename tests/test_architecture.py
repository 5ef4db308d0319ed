"""The house's rules: imports point backwards only, rooms are small, everything is documented."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import gfactor

ROOT = Path(gfactor.__file__).parent
ORDER = (
    "errors", "lazy", "results", "psychometrics", "escaping", "registry", "imaging", "items",
    "benchmarks", "examinees", "administration", "scoring", "replications", "reports",
    "studies", "api", "cli",
)  # fmt: skip
MODULES = sorted(ROOT.rglob("*.py"))
NAMES = {
    ".".join(("gfactor", *p.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): p
    for p in MODULES
}


def imported(path: Path) -> set[str]:
    """The gfactor modules a file imports, dotted, without the leading package."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {n.removeprefix("gfactor.") for n in names if n.startswith("gfactor.")}


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
    found = {frozenset(o for o in reached[n] if n in reached[o]) for n in graph if n in reached[n]}
    return sorted(map(set, found), key=min)


def room(dotted: str) -> str:
    return dotted.split(".", maxsplit=1)[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_backwards_along_the_datas_way(path: Path) -> None:
    own = room(path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."))
    if own == "__init__":
        return
    for name in imported(path):
        assert ORDER.index(room(name)) <= ORDER.index(own), f"{own} imports {name}"


def test_examinees_never_import_benchmarks() -> None:
    for path in (ROOT / "examinees").rglob("*.py"):
        assert not any(room(name) == "benchmarks" for name in imported(path)), path


def test_psychometrics_is_a_library_of_its_own() -> None:
    for path in (ROOT / "psychometrics").rglob("*.py"):
        assert {room(n) for n in imported(path)} <= {
            "psychometrics",
            "errors",
            "lazy",
            "results",
        }, path


def test_no_module_imports_itself_through_others() -> None:
    """Also not by imports inside functions; those for types alone do not count."""
    graph = {name: dependencies(path, name) for name, path in NAMES.items()}
    assert not circles(graph)


def test_a_circle_through_a_function_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]
    tree = ast.parse("if TYPE_CHECKING:\n import x\ndef f():\n    from gfactor.y import z")
    assert [node.module for node in running_imports(tree)] == ["gfactor.y"]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_is_short_and_says_what_it_is(path: Path) -> None:
    text = path.read_text()
    assert ast.get_docstring(ast.parse(text)), f"{path} has no docstring"
    assert text.count("\n") <= 400, f"{path} has outgrown its room"


def test_nine_in_ten_files_are_under_300_lines() -> None:
    lengths = sorted(p.read_text().count("\n") for p in MODULES)
    assert lengths[int(0.9 * len(lengths))] <= 300


def test_every_public_name_of_a_package_exists() -> None:
    for init in ROOT.glob("*/__init__.py"):
        module = __import__(f"gfactor.{init.parent.name}", fromlist=["__all__"])
        for name in getattr(module, "__all__", ()):
            assert hasattr(module, name), f"{module.__name__} promises {name}"
