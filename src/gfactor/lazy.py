"""Names of packages and long patterns that are loaded or compiled when they are first used."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, cast

from gfactor.option_groups import spell_out


def lazy_names(
    package: str,
    modules: Mapping[str, Iterable[str]],
    packages: Mapping[str, str] | None = None,
    elsewhere: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package.

    Parameters
    ----------
    package : str
        Its dotted name (`__name__`).
    modules : mapping
        Modules, dotted below the package, to the names that they have.
    packages : mapping, optional
        Names that are packages to where they stand, dotted below the package.
    elsewhere : mapping, optional
        Names that people know from other programs, to the name here that does the same.

    Returns
    -------
    tuple of functions
        For the package's `__init__`, which also imports the names under `TYPE_CHECKING`.
    """
    where = {name: module for module, names in modules.items() for name in names}
    rooms = packages or {}

    def get(name: str) -> Any:
        if name in rooms:
            value: Any = importlib.import_module(f"{package}.{rooms[name]}")
        elif name in where:
            value = spell_out(getattr(importlib.import_module(f"{package}.{where[name]}"), name))
        else:
            meant = (elsewhere or {}).get(name)
            hint = f"; did you mean {package}.{meant}?" if meant else ""
            raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        module = vars(sys.modules[package])
        public = module.get("__all__", (*where, *rooms))
        return sorted({*public, *(name for name in module if name.startswith("__"))})

    return get, listed


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
