"""What a transformation of items is, and the registry of transformations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gfactor.items import Item
from gfactor.registry import Registry


@dataclass(frozen=True)
class Transformation:
    """A transformation.

    Parameters
    ----------
    name: as it is typed.
    about: one sentence.
    version: of what it makes of an item.
    apply: an item -> the items that take its place, their history apart; none where the
        transformation does not apply to the item. A pure function.
    """

    name: str
    about: str
    version: str
    apply: Callable[[Item], Sequence[Item]]


TRANSFORMATIONS: Registry[Transformation] = Registry(
    "transformation",
    home="gfactor.benchmarks.postprocess.transformations",
    group="gfactor.transformations",
)


def register(name: str, about: str, version: str = "1") -> Callable[..., Transformation]:
    """Decorator: register a function as a transformation."""
    return lambda apply: TRANSFORMATIONS.add(name, Transformation(name, about, version, apply))
