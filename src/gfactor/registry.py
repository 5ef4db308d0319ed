"""One registry for everything that can be added by a file of its own or by another package.

A registry fills itself on first look-up: it imports every module of its home package and then the
entry points of its group, so that a new domain, benchmark, examinee or table is one new file.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from gfactor.errors import UnknownNameError

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """Names to registered objects, in the order of their names.

    Parameters
    ----------
    kind: kind of what is registered, in words, for messages ("domain").
    home: dotted name of the package whose modules register; None when nothing is imported.
    group: entry-point group through which other packages register; None when there is none.
    """

    def __init__(self, kind: str, home: str | None = None, group: str | None = None) -> None:
        self.kind = kind
        self._home = home
        self._group = group
        self._things: dict[str, T] = {}
        self._filled = False

    def add(self, name: str, thing: T) -> T:
        """Register `thing`; raises an error if its name is already registered."""
        if name in self._things:
            raise ValueError(f"{self.kind} {name!r} is registered twice")
        self._things[name] = thing
        return thing

    def register(self, name: str) -> Callable[[T], T]:
        """Register under a name, as a decorator; see `add`."""
        return lambda thing: self.add(name, thing)

    def __getitem__(self, name: str) -> T:
        self._fill()
        if name not in self._things:
            raise UnknownNameError(self.kind, name, self._things)
        return self._things[name]

    def __contains__(self, name: object) -> bool:
        self._fill()
        return name in self._things

    def __iter__(self) -> Iterator[str]:
        self._fill()
        return iter(sorted(self._things))

    def __len__(self) -> int:
        self._fill()
        return len(self._things)

    def _fill(self) -> None:
        if self._filled:
            return
        self._filled = True
        if self._home is not None:
            package = importlib.import_module(self._home)
            for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
                importlib.import_module(f"{self._home}.{module}")
        if self._group is not None:
            for entry in importlib.metadata.entry_points(group=self._group):
                try:
                    entry.load()
                except Exception as error:
                    warnings.warn(
                        f"the {self.kind} plug-in {entry.name!r} does not load: {error}",
                        stacklevel=2,
                    )
