"""Concepts of cells: properties that some cells share and others lack, and cells that have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gfactor.benchmarks.chc.common import ATTRIBUTES, with_value
from gfactor.benchmarks.chc.family import MisdrawnError
from gfactor.imaging.figures import SPOTS, Cell, properties
from gfactor.items import ItemRandom

KINDS: Mapping[str, tuple[str, ...]] = {
    "value": (),
    "group": ("curved", "straight"),
    "parity": ("even", "odd"),
    "relation": ("as many strokes",),
}
"""Levels of the radical `concept` and their properties; of `value` every value is one."""


def draw_property(rng: ItemRandom, kind: str, turned: bool) -> str:
    """A property of a kind that cells (arrows where `turned`) may have or lack."""
    if kind != "value":
        return rng.choice(KINDS[kind])
    attribute = rng.choice(("turn" if turned else "form", "shade", "count", "size"))
    return f"{attribute} {rng.choice(ATTRIBUTES[attribute])}"


def attribute_of(prop: str) -> str:
    """The attribute that decides whether a cell has a property."""
    first = prop.split(maxsplit=1)[0]
    known = {"curved": "form", "straight": "form", "even": "count", "odd": "count"}
    return first if first in ATTRIBUTES else known.get(first, "marks")


def imposed(rng: ItemRandom, cell: Cell, prop: str, holds: bool) -> Cell:
    """The cell changed in one attribute so that it has a property, or lacks it.

    Raises MisdrawnError if no value of the attribute does.
    """
    attribute = attribute_of(prop)
    values = [random_marks(rng) for _ in range(40)] if attribute == "marks" else None
    built = [with_value(cell, attribute, v) for v in values or ATTRIBUTES[attribute]]
    fitting = [one for one in built if (prop in properties(one)) == holds]
    if not fitting:
        raise MisdrawnError
    return rng.choice(fitting)


def random_marks(rng: ItemRandom) -> tuple[str, ...]:
    """Some strokes at the rim, from none to all, each number as likely."""
    chosen = rng.sample(SPOTS, rng.integer(0, len(SPOTS)))
    return tuple(spot for spot in SPOTS if spot in chosen)


def varied(rng: ItemRandom, cell: Cell, attributes: tuple[str, ...]) -> Cell:
    """The cell with values of these attributes drawn anew."""
    for attribute in attributes:
        value: Any = (
            random_marks(rng) if attribute == "marks" else rng.choice(ATTRIBUTES[attribute])
        )
        cell = with_value(cell, attribute, value)
    return cell


def free_attributes(turned: bool, strokes: bool) -> list[str]:
    """The attributes that cells of a picture may vary in."""
    return ["turn" if turned else "form", "size", "shade", "count", *(["marks"] if strokes else [])]
