"""Count what a reader has to open: files, lines of code, small files, single importers, pages.

    python docs/counts.py [SRC ...]

Each SRC is a folder that holds the package (default: src of this checkout). Pages and words are
those of the user part of the documentation of this checkout.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = "gfactor"
SMALL = 40
"""A file of fewer lines is small."""

GENERATED = {"batteries.md", "cli.md", "domains.md", "gallery.md"}
"""Pages that `docs/generate.py` makes."""
NO_USER_PART = {"decisions", "evidence"}
"""Folders whose pages a user does not need."""

_SILENT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER, tokenize.ENCODING,
}  # fmt: skip


def code_lines(text: str) -> int:
    """Lines that hold code: no docstrings, comments or blank lines."""
    silent: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                silent.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - silent)


def imports(tree: ast.AST, modules: set[str]) -> Iterator[str]:
    """The package's modules that a file imports, also inside functions, not for types alone."""
    typing = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in modules else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def module_name(path: Path, root: Path) -> str:
    """The dotted name of a file."""
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph(trees: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Each module and the modules of the package that it imports."""
    known = set(trees)
    return {
        name: {other for other in imports(tree, known) if other in known and other != name}
        for name, tree in trees.items()
    }


def circle(edges: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle; empty where there is none."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def namesakes(trees: dict[str, ast.Module]) -> list[str]:
    """Modules that share their name with a function they hold."""
    return [
        name
        for name, tree in trees.items()
        if any(
            isinstance(node, ast.FunctionDef) and node.name == name.rsplit(".", 1)[-1]
            for node in tree.body
        )
    ]


def counts(source: Path) -> dict[str, int]:
    """The figures of one source tree."""
    root = source / PACKAGE
    texts = {module_name(path, root): path.read_text("utf-8") for path in root.rglob("*.py")}
    trees = {name: ast.parse(text) for name, text in texts.items()}
    importers = Counter(other for others in graph(trees).values() for other in others)
    return {
        "files": len(texts),
        "lines of code": sum(map(code_lines, texts.values())),
        f"files under {SMALL} lines": sum(text.count("\n") < SMALL for text in texts.values()),
        "modules with one importer": sum(importers[name] == 1 for name in texts),
        "modules named as a function they hold": len(namesakes(trees)),
    }


def user_pages(docs: Path) -> list[Path]:
    """Return the pages that users read: no evidence, no decisions, nothing generated.

    Parameters
    ----------
    docs : path
        Folder of the documentation.

    Returns
    -------
    list of path
        Markdown files, in the order of their names.
    """
    return [
        page
        for page in sorted(docs.rglob("*.md"))
        if page.name not in GENERATED and page.parent.name not in NO_USER_PART
    ]


def words(page: Path) -> int:
    """Return the number of words of a page, commands and outputs included."""
    return len(page.read_text("utf-8").split())


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent / "src"
    pages = user_pages(Path(__file__).resolve().parent)
    print(f"user part of the documentation: {len(pages)} pages, {sum(map(words, pages))} words")
    for source in map(Path, sys.argv[1:] or [here]):
        print(f"{source}: {counts(source)}")
