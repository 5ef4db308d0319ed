"""What the documentation site adds to the pages in this folder: the reference of the Python API.

`mkdocs.yml` names this file twice. As a hook it adds a page for `import gfactor` and one for every
public package, with all that its `__all__` offers, so that the reference cannot fall behind the
code. As an extension of griffe it turns the parameters of docstrings ("name: what it is") into the
form that griffe reads.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

SOURCE = Path(__file__).parents[1] / "src"

PUBLIC = (
    "gfactor",
    "gfactor.api.study",
    "gfactor.api.annotate",
    "gfactor.api.datasets",
    "gfactor.items",
    "gfactor.benchmarks",
    "gfactor.benchmarks.percept_v",
    "gfactor.examinees",
    "gfactor.administration",
    "gfactor.scoring",
    "gfactor.reports",
    "gfactor.psychometrics",
    "gfactor.psychometrics.classical.agreement",
    "gfactor.psychometrics.classical.consistency",
    "gfactor.psychometrics.factor.exploratory",
    "gfactor.psychometrics.irt",
    "gfactor.psychometrics.irt.adaptive",
    "gfactor.psychometrics.pls",
    "gfactor.psychometrics.respondents",
    "gfactor.psychometrics.sem",
    "gfactor.psychometrics.validity",
)
"""The packages that users may rely on: their names are described, have examples that run, and
change only with a line in the changelog. Everything else may change without notice."""

_SHOWN_AS = {
    "gfactor.api.study": "gfactor.study", "gfactor.api.annotate": "gfactor.annotate",
    "gfactor.api.datasets": "gfactor.datasets",
}  # fmt: skip
"""Packages that users know by another name."""

_ALONE = "{members: false, show_root_heading: false, show_root_toc_entry: false}"
"""Options of a package, of which the page shows the docstring alone."""

_PARAMETER = re.compile(r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*): (?P<text>\S.*)")
_SECTION = re.compile(r"(?P<title>[A-Z]\w+)\n-{3,}\n")


def packages(source: Path = SOURCE) -> dict[str, list[str]]:
    """Dotted names of the public packages, and the names that each offers."""
    return {
        package: _exported(source.joinpath(*package.split("."), "__init__.py"))
        for package in PUBLIC
    }


def _exported(file: Path) -> list[str]:
    """The strings of a file's `__all__`; without one, the names that it imports for type checkers,
    which `gfactor.lazy` offers at run time."""
    tree = ast.parse(file.read_text("utf-8"))
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(one, ast.Name) and one.id == "__all__" for one in targets):
            assert isinstance(node, ast.Assign)
            return list(ast.literal_eval(node.value))
    blocks = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [one for node in blocks for one in node.body if isinstance(one, ast.ImportFrom)]
    return sorted(alias.name for one in imports for alias in one.names)


def page(package: str, names: list[str]) -> str:
    """The page of a package, as Markdown: its docstring, then every name that it offers."""
    parts = [f"# {_SHOWN_AS.get(package, package)}\n\n::: {package}\n    options: {_ALONE}\n"]
    for name in names:
        inside = f"{package}.api.{name}"
        if inside in PUBLIC:
            parts.append(f"## {name}\n\nA package: [its functions]({inside}.md).\n")
            continue
        module, inner, documented = defined(package, name)
        constant = f"## {name}\n\nA constant of `{module}`.\n"
        parts.append(f"::: {module}.{inner}\n" if documented else constant)
    return "\n".join(parts)


def defined(module: str, name: str, source: Path = SOURCE) -> tuple[str, str, bool]:
    """Where a name that a module offers is defined: the module, the name in it, and whether it has
    a statement to itself, which griffe documents (`A, B = 1, 2` has not).

    Imports are followed statement by statement, because a function may share its name with the
    submodule that it stands in.
    """
    folder = source.joinpath(*module.split("."))
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    for node in _statements(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gfactor"):
            for one in node.names:
                if (one.asname or one.name) == name and node.module == module:
                    return module, one.name, True  # A submodule.
                if (one.asname or one.name) == name:
                    return defined(node.module or "", one.name, source)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        alone = any(isinstance(one, ast.Name) and one.id == name for one in targets)
        if alone or getattr(node, "name", None) == name:
            return module, name, True
    return module, name, False


def _statements(tree: ast.Module) -> list[ast.stmt]:
    """The statements of a module, those under `if TYPE_CHECKING` too."""
    inner = [one for node in tree.body if isinstance(node, ast.If) for one in node.body]
    return [*tree.body, *inner]


def address(package: str) -> str:
    """The file of a package's page."""
    return f"api/{package}.md"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages into the navigation, below the entry "Python API"."""
    rooms: dict[str, list[dict[str, str]]] = {}
    for package in packages():
        shown = _SHOWN_AS.get(package, package)
        room = ".".join(shown.split(".")[:2]) if package not in _SHOWN_AS else "gfactor"
        rooms.setdefault(room, []).append({shown.removeprefix(f"{room}."): address(package)})
    reference = next(entry["Reference"] for entry in config.nav or [] if "Reference" in entry)
    pages = next(entry["Python API"] for entry in reference if "Python API" in entry)
    pages += [{room: inside} for room, inside in rooms.items()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the packages."""
    for package, names in packages().items():
        files.append(File.generated(config, address(package), content=page(package, names)))
    return files


def numpydoc(docstring: str) -> str:
    """A docstring with its parameters as numpydoc has them.

    A line "name: text" of a section "Parameters" becomes two, the name and, indented, the text.
    """
    parts = _SECTION.split(docstring)
    for title in range(1, len(parts), 2):
        if parts[title] in ("Parameters", "Attributes"):
            parts[title + 1] = _described(parts[title + 1])
        parts[title] += f"\n{'-' * len(parts[title])}\n"
    return "".join(parts)


def _described(section: str) -> str:
    lines = []
    for line in section.split("\n"):
        match = _PARAMETER.fullmatch(line)
        lines += [match["names"], f"    {match['text']}"] if match else [line]
    return "\n".join(lines)


class HouseDocstrings(griffe.Extension):
    """Reads every docstring of gfactor as numpydoc."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = numpydoc(obj.docstring.value)
