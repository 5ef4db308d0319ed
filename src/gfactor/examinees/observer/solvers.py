"""The registries of solvers and readers: for each domain's name, a function from pictures,
or from a text twin, to a reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gfactor.examinees.observer.perception import Perception
from gfactor.imaging import Pixels
from gfactor.registry import Registry

Solver: TypeAlias = Callable[[tuple[Pixels, ...], Perception], str]
"""(pictures as seen, perception) -> the reply; called without scene, size or target."""

SOLVERS: Registry[Solver] = Registry(
    "observer's domain", home="gfactor.examinees.observer.domains", group="gfactor.solvers"
)

solver = SOLVERS.register
"""Decorator that registers a solver under its domain's name."""

Reader: TypeAlias = Callable[[Sequence[str], Perception], str]
"""(lines of an item without a picture, perception) -> the reply."""

READERS: Registry[Reader] = Registry(
    "observer's reader", home="gfactor.examinees.observer.domains", group="gfactor.readers"
)

reader = READERS.register
"""Decorator that registers a reader of text twins under its domain's name; it holds and considers
as much as the domain's solver."""
