"""The registry of solvers: for each domain's name, a function from pictures to a reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gfactor.examinees.observer.mind import Mind
from gfactor.imaging import Pixels
from gfactor.registry import Registry

Solver: TypeAlias = Callable[[tuple[Pixels, ...], Mind], str]
"""(pictures as seen, mind) -> the reply. Called with nothing else: no scene, size or target."""

SOLVERS: Registry[Solver] = Registry(
    "observer's domain", home="gfactor.examinees.observer.domains", group="gfactor.solvers"
)

solver = SOLVERS.register
"""Decorator that registers a solver under its domain's name."""
