"""Method of selection, and the registry of methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gfactor.benchmarks.benchmark import Option
from gfactor.registry import Registry


@dataclass(frozen=True)
class Selected:
    """Result of a method.

    Parameters
    ----------
    ids: the items, in any order; the new bank keeps the old one's.
    facts: facts about the choice that a reader must know, JSON-serializable. The bank's metadata
        store them.
    warnings: sentences that are printed and stored, too.
    """

    ids: tuple[str, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Method:
    """A method of selection.

    Parameters
    ----------
    name: name as it is typed.
    about: description in one sentence.
    source: publication of the method, "" for none.
    options: options of `choose` in addition to pool and seed.
    uses_errors: True if it looks at the errors of examinees.
    choose: (pool, seed, options as keywords) -> the choice; the same for the same arguments.
    """

    name: str
    about: str
    source: str
    options: tuple[Option, ...]
    choose: Callable[..., Selected]
    uses_errors: bool = False


METHODS: Registry[Method] = Registry(
    "method", home="gfactor.benchmarks.selection.methods", group="gfactor.selections"
)


def register(method: Method) -> Method:
    """Register a method under its name; the last line of its module."""
    return METHODS.add(method.name, method)
