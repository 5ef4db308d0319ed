"""Names of a package that are loaded when they are first asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any


def lazy_names(
    package: str,
    modules: Mapping[str, Iterable[str]],
    packages: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package.

    Parameters
    ----------
    package : str
        Its dotted name (`__name__`).
    modules : mapping
        Modules, dotted below the package, to the names that they have.
    packages : mapping, optional
        Names that are packages to where they stand, dotted below the package.

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
            value = getattr(importlib.import_module(f"{package}.{where[name]}"), name)
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        module = vars(sys.modules[package])
        public = module.get("__all__", (*where, *rooms))
        return sorted({*public, *(name for name in module if name.startswith("__"))})

    return get, listed
