"""Names of packages and long patterns that are loaded or compiled when they are first used."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, cast


def lazy_names(
    package: str, file: str, elsewhere: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package that loads names on first use.

    The names are those that the source of the package imports for type checkers, so that each is
    written once: `from gfactor.psychometrics.pls import fit_pls as fit_pls`. The repeated name
    tells a type checker that the package offers it.

    Parameters
    ----------
    package : str
        Its dotted name (`__name__`).
    file : str
        Its source (`__file__`), which imports the names under `if TYPE_CHECKING`.
    elsewhere : mapping, optional
        Names that people know from other programs, to the name here that does the same.

    Returns
    -------
    tuple
        Two functions and the sorted names, for the package's `__init__`.
    """
    where = _declared(file)

    def get(name: str) -> Any:
        from gfactor.option_groups import spell_out  # noqa: PLC0415 - loads inspect

        if name not in where:
            meant = (elsewhere or {}).get(name)
            hint = f"; did you mean {package}.{meant}?" if meant else ""
            raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")
        value = spell_out(getattr(__import__(where[name], fromlist=[name]), name))
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        module = vars(sys.modules[package])
        return sorted({*where, *(name for name in module if name.startswith("__"))})

    return get, listed, sorted(where)


def _declared(file: str) -> dict[str, str]:
    """Return the names that a file imports under `if TYPE_CHECKING`, and their modules."""
    with open(file, "rb") as source:
        tree = ast.parse(source.read())
    return {
        alias.name: node.module or ""
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


class _LazyPattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self._compiled, name)
        setattr(self, name, value)
        return value


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return `re.compile` for a long expression that few replies need: it is compiled at its first
    use.

    Parameters
    ----------
    pattern : str
        Regular expression.
    flags : re.RegexFlag
        Its flags.

    Returns
    -------
    re.Pattern
        An object with the attributes of the pattern; the functions of `re` do not take it.

    Examples
    --------
    >>> lazy_pattern("the answer is (.)").search("I think the answer is B.")[1]
    'B'
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))
