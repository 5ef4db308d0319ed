"""The items on which a domain is checked: a few are drawn; for many others only the scene is
made."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gfactor.benchmarks.percept_v.build import item_random
from gfactor.benchmarks.percept_v.domain import INSTANCES, Domain, Edition
from gfactor.imaging import Pixels

DRAWN_SIZES = (1, 6, 20)
"""The smallest and the largest size, at which errors are likely, and one between."""

DRAWN_INSTANCES = 2


@dataclass(frozen=True)
class Specimen:
    """One item of a domain with its scene and pictures."""

    edition: Edition
    size: int
    index: int
    scene: Any = field(repr=False)
    pictures: tuple[Pixels, ...] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.edition}, size {self.size}, instance {self.index}"


class Specimens:
    """Items of one domain, made when they are first used."""

    def __init__(self, domain: Domain[Any], seed: int) -> None:
        self.domain = domain
        self.editions = domain.editions
        self.seed = seed
        self._scenes: dict[tuple[int, int], list[Any]] = {}

    def make(self, edition: Edition, size: int, index: int, seed: int | None = None) -> Any:
        """Return a newly made scene."""
        chosen = self.seed if seed is None else seed
        rng = item_random(self.domain, edition, chosen, size, index)
        return self.domain.make(rng, size, edition)

    @cached_property
    def drawn(self) -> list[Specimen]:
        """Drawn items of the domain's editions."""
        return [
            self._specimen(edition, size, index)
            for edition in self.editions
            for size in DRAWN_SIZES
            for index in range(DRAWN_INSTANCES)
        ]

    @property
    def audited(self) -> list[Specimen]:
        """The drawn items of the audited edition."""
        return [one for one in self.drawn if one.edition == "audited"]

    def scenes(self, size: int, seed: int | None = None) -> list[Any]:
        """Return the audited scenes of all instances of a size."""
        key = (size, self.seed if seed is None else seed)
        if key not in self._scenes:
            self._scenes[key] = [self.make("audited", size, i, key[1]) for i in range(INSTANCES)]
        return self._scenes[key]

    def _specimen(self, edition: Edition, size: int, index: int) -> Specimen:
        scene = self.make(edition, size, index)
        return Specimen(edition, size, index, scene, self.domain.draw(scene))
