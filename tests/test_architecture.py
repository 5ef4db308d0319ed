"""The house's rules: imports point backwards only, files are short, everything is documented."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from support.parsed import parsed, statements

import gfactor

ROOT = Path(gfactor.__file__).parent
ORDER = (
    "listing", "errors", "checked_calls", "option_groups", "lazy", "frozen", "frames", "results",
    "numbers_in_text", "parameters", "computing",
    "psychometrics", "escaping", "registry",
    "imaging", "items", "benchmarks", "examinees", "administration", "scoring", "replications",
    "reports", "studies", "api", "cli",
)  # fmt: skip
MODULES = sorted(ROOT.rglob("*.py"))
NAMES = {
    ".".join(("gfactor", *p.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): p
    for p in MODULES
}
PLUG_INS = (
    "gfactor.benchmarks.postprocess.transformations",
    "gfactor.examinees.schemes",
    "gfactor.reports.figures",
    "gfactor.reports.tables",
)
"""Folders whose files are named as the one thing that each registers."""
EXCEPT = ("gfactor.cli", "gfactor.api.scaffolds.estimator.plugin_name")
"""The program's group of commands, and the template of an estimator of one's own."""


@cache
def imported(path: Path) -> set[str]:
    """The gfactor modules a file imports, dotted, without the leading package."""
    names: set[str] = set()
    for node in statements(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {n.removeprefix("gfactor.") for n in names if n.startswith("gfactor.")}


def room(dotted: str) -> str:
    return dotted.split(".", maxsplit=1)[0]


@pytest.mark.slow
def test_imports_point_backwards_along_the_datas_way() -> None:
    forwards = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in MODULES
        if (importer := path.relative_to(ROOT).with_suffix("").parts[0])
        not in ("__init__", "__main__")
        for name in imported(path)
        if ORDER.index(room(name)) > ORDER.index(importer)
    ]
    assert not forwards


@pytest.mark.thorough
def test_examinees_never_import_benchmarks() -> None:
    for path in (ROOT / "examinees").rglob("*.py"):
        assert not any(room(name) == "benchmarks" for name in imported(path)), path


@pytest.mark.thorough
def test_no_two_benchmarks_import_each_other() -> None:
    benchmarks = [one for one in (ROOT / "benchmarks").iterdir() if one.is_dir()]
    edges = {
        (one.name, name.split(".")[1])
        for one in benchmarks
        for path in one.rglob("*.py")
        for name in imported(path)
        if name.startswith("benchmarks.")
    }
    assert ("chc", "percept_v") in edges
    assert not {(a, b) for a, b in edges if a < b and (b, a) in edges}


@pytest.mark.slow
def test_psychometrics_is_a_library_of_its_own() -> None:
    ground = {
        "psychometrics", "listing", "errors", "lazy", "frames", "results", "numbers_in_text",
        "parameters", "computing",
    }  # fmt: skip
    for path in (ROOT / "psychometrics").rglob("*.py"):
        assert {room(n) for n in imported(path)} <= ground, path
        others = {
            name.split(".")[0]
            for node in parsed(path).body
            for name in (
                [node.module or ""] if isinstance(node, ast.ImportFrom)
                else [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            )
        }  # fmt: skip
        known = {"gfactor", "numpy", "scipy", "pandas", *sys.stdlib_module_names}
        assert others <= known, f"{path}: what needs an extra is imported where it is used"


NAMESAKES = {
    "Scene": "what the picture of a family or domain shows: their template asks for this name",
    "GroundedScene": "a domain's scene on a textured ground, in the file of its `Scene`",
}
"""Classes that exist in several modules on purpose, and why."""


_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)", re.MULTILINE)
_DOCUMENTED = re.compile(r'(?:#.*\n|\s)*r?"""\s*[^\s"]')


@pytest.mark.thorough
def test_a_class_has_its_name_for_itself() -> None:
    """A name that two classes have tells a reader nothing about which of them it is."""
    written = {path: _CLASS.findall(path.read_text("utf-8")) for path in MODULES}
    times = Counter(name for names in written.values() for name in names)
    classes = Counter(
        node.name
        for path, names in written.items()
        if any(times[name] > 1 for name in names)  # Other files need no parsing.
        for node in statements(path)
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, count in classes.items() if count > 1} == set(NAMESAKES)


@pytest.mark.slow
def test_an_interval_of_shares_and_an_adjustment_of_p_values_exist_once() -> None:
    names = ("wilson", "holm", "benjamini_hochberg", "cohen_kappa", "fleiss_kappa")
    defined = Counter(
        node.name
        for path in MODULES
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef)
    )
    assert {name: defined[name] for name in names} == dict.fromkeys(names, 1)


def described(path: Path) -> int:
    """Lines of the docstrings of functions and classes: descriptions do not count as length."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    texts = [node.body[0] for node in statements(path) if isinstance(node, kinds)]
    return sum(
        (one.end_lineno or one.lineno) - one.lineno + 1
        for one in texts
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
    )


@pytest.mark.thorough
def test_a_file_is_short_and_says_what_it_is() -> None:
    silent = [path for path in MODULES if not _DOCUMENTED.match(path.read_text("utf-8"))]
    assert not silent, "without a docstring"
    code = [p for p in MODULES if p.parent.name != "languages"]  # a language's words are one file
    lines = {path: path.read_text("utf-8").count("\n") for path in code}
    long = [path for path, count in lines.items() if count > 400 and count - described(path) > 400]
    assert not long, "of more than 400 lines"


def test_nine_in_ten_files_are_under_300_lines() -> None:
    code = [p for p in MODULES if p.parent.name != "languages"]  # a language's words are one file
    lengths = sorted(p.read_text().count("\n") for p in code)
    assert lengths[int(0.9 * len(lengths))] <= 300


def test_every_public_name_of_a_package_exists() -> None:
    for init in ROOT.glob("*/__init__.py"):
        module = __import__(f"gfactor.{init.parent.name}", fromlist=["__all__"])
        for name in getattr(module, "__all__", ()):
            assert hasattr(module, name), f"{module.__name__} promises {name}"


def counting() -> ModuleType:
    """docs/counts.py, which reads a source tree without importing it."""
    path = Path(__file__).parent.parent / "docs" / "counts.py"
    spec = importlib.util.spec_from_file_location("counts", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_no_modules_import_each_other_in_a_circle_also_inside_functions() -> None:
    counts = counting()
    trees = {counts.module_name(path, ROOT): parsed(path) for path in MODULES}
    edges = counts.graph(trees)
    assert edges["gfactor.scoring.extraction.choice"] > {"gfactor.scoring.extraction.deciding"}
    assert not counts.circle(edges)
    assert counts.circle({"a": {"b"}, "b": {"c"}, "c": {"a"}})


def offered(init: Path) -> list[ast.alias]:
    """The names that a package imports, also those that it loads on first use."""
    nodes = parsed(init).body
    later = [one for node in nodes if isinstance(node, ast.If) for one in node.body]
    imports = [one for one in [*nodes, *later] if isinstance(one, ast.ImportFrom)]
    return [alias for one in imports if one.module != "__future__" for alias in one.names]


def test_no_package_hides_a_module_behind_a_function_of_its_name() -> None:
    hidden = [
        f"{init.relative_to(ROOT)}: {alias.asname or alias.name}"
        for init in ROOT.rglob("__init__.py")
        for alias in offered(init)
        if (init.parent / f"{alias.asname or alias.name}.py").exists()
    ]
    assert not hidden


def test_a_package_that_loads_names_on_first_use_writes_each_once() -> None:
    """Its import for type checkers is the one declaration; `as` tells them that it is public."""
    lazy = [path for path in ROOT.rglob("__init__.py") if "lazy_names(" in path.read_text("utf-8")]
    assert ROOT / "__init__.py" in lazy
    for init in lazy:
        names = Counter(
            a.name for a in offered(init) if a.name not in ("TYPE_CHECKING", "lazy_names")
        )
        assert set(names.values()) == {1}, init
        assert {a.asname for a in offered(init)} - {None} == set(names), init
        module = ".".join(("gfactor", *init.relative_to(ROOT).parent.parts))
        assert vars(importlib.import_module(module))["__all__"] == sorted(names)
        assert init.read_text("utf-8").count("__all__") == 1, init


def shared() -> list[str]:
    """Modules, dotted, that define a function or class of their own name."""
    return [
        name
        for name, path in NAMES.items()
        if re.search(rf"(?m)^(?:def|class) {name.rpartition('.')[2]}\b", path.read_text("utf-8"))
    ]


@pytest.mark.thorough
def test_a_module_shares_its_name_with_no_function() -> None:
    """But for plug-ins: nobody imports these files by name, so nothing is hidden."""
    assert not [
        name for name in shared() if name.rsplit(".", 1)[0] not in PLUG_INS and name not in EXCEPT
    ]


@pytest.mark.thorough
def test_every_exception_is_one() -> None:
    assert {name.rsplit(".", 1)[0] for name in shared()} >= set(PLUG_INS)
    assert set(shared()) >= set(EXCEPT)
