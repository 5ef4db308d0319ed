"""The source files of the package, read and parsed once for all tests of one process."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a statement that hold statements."""


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file.

    Trees stay until the end, a million nodes in all. They are left out of searches for garbage,
    which take four times as long as parsing.
    """
    gc.disable()
    try:
        return ast.parse(path.read_text("utf-8"))
    finally:
        gc.freeze()
        gc.enable()


def statements(path: Path) -> Iterator[ast.AST]:
    """Yield the module and all statements of a file, those of functions and classes too."""
    waiting: list[ast.AST] = [parsed(path)]
    while waiting:
        node = waiting.pop()
        yield node
        for block in _BLOCKS:
            inner = getattr(node, block, None)
            waiting += inner if isinstance(inner, list) else []  # a lambda's body is none
