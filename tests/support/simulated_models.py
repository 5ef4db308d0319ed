"""Models with known abilities that answer items of known difficulty: the scheme `rasch`.

`rasch:FAMILY-NUMBER?world=SEED`: all that is random hangs on hashes of names and the seed. A world
is what a calibration assumes: `WORLDS` holds, by seed, its cells, variances and share of families.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

from gfactor.api.scales.calibrated import cell_name
from gfactor.examinees.base import RenderedItem, Reply, Spec
from gfactor.items import Item, ItemBank


@dataclass(frozen=True)
class World:
    """Difficulty and clone SD by cell, variances of ability and testlets, share of families."""

    seed: int
    b: Mapping[str, float]
    clone_sd: Mapping[str, float]
    variance: float
    testlet_variance: float
    icc: float


WORLDS: dict[int, World] = {}


def uniform(*key: object) -> float:
    """A number between 0 and 1 that hangs on the key alone."""
    digest = hashlib.sha256("|".join(map(str, key)).encode()).digest()
    return (int.from_bytes(digest[:8], "big") + 0.5) / 2**64


def normal(*key: object) -> float:
    return NormalDist().inv_cdf(uniform(*key))


def cell_of(item: Item) -> str:
    labels = {n: v for n, v in item.labels.items() if n == "family" or n.startswith("radical.")}
    return cell_name(dict(sorted(labels.items())))


def ability(world: World, model: str) -> float:
    family = model.partition("-")[0]
    between = math.sqrt(world.icc) * normal(world.seed, "family", family)
    within = math.sqrt(1 - world.icc) * normal(world.seed, "model", model)
    return math.sqrt(world.variance) * (between + within)


def share_right(world: World, model: str, item: Item) -> float:
    """The probability that a model is right."""
    cell, family = cell_of(item), item.labels["family"]
    clone = world.clone_sd[cell] * normal(world.seed, "item", item.provenance.content_hash)
    apart = math.sqrt(world.testlet_variance) * normal(world.seed, "testlet", model, family)
    solves = 1 / (1 + math.exp(world.b[cell] + clone - ability(world, model) - apart))
    chance = 1 / len(item.choices) if item.choices else 0.0
    return chance + (1 - chance) * solves


def reply_of(world: World, model: str, item: Item) -> str:
    """The reply of a model: the key as often as its ability says, else a wrong answer."""
    chance = uniform(world.seed, model, item.provenance.content_hash)
    right = chance < share_right(world, model, item)
    if item.output_format is not None:
        return item.output_format.render(item.target if right else 987654)
    wrong = next(choice.label for choice in item.choices if choice.label != item.target)
    return str(item.target) if right else wrong


class Rasch:
    """A model that is right as often as its ability and the item's difficulty say."""

    deterministic = True
    reads = True
    in_flight = 8

    def __init__(self, spec: Spec, bank: ItemBank) -> None:
        self.name = str(spec)
        self._model, self._bank = spec.argument, bank
        self._world = WORLDS[int(spec.parameters["world"])]

    async def __call__(self, rendered: RenderedItem) -> Reply:
        item = self._bank.item(rendered.item_id)
        return Reply(reply_of(self._world, self._model, item))

    async def close(self) -> None:
        """Nothing is held."""


def rasch(spec: Spec, bank: ItemBank | None = None, jobs: int = 1) -> Rasch:
    """A simulated model."""
    assert bank is not None
    return Rasch(spec, bank)
