"""The registry of solvers: for each domain's name, a function from pictures to a reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gfactor.examinees.observer.perception import Perception
from gfactor.imaging import Pixels
from gfactor.registry import Registry

Solver: TypeAlias = Callable[[tuple[Pixels, ...], Perception], str]
"""(pictures as seen, perception) -> the reply. Called with nothing else: no scene, size or target."""

SOLVERS: Registry[Solver] = Registry(
    "observer's domain", home="gfactor.examinees.observer.domains", group="gfactor.solvers"
)

solver = SOLVERS.register
"""Decorator that registers a solver under its domain's name."""
