"""Concepts of cells: properties that some cells share and others lack, and cells that have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gfactor.benchmarks.chc.common import ATTRIBUTES, with_value
from gfactor.benchmarks.chc.family import MisdrawnError
from gfactor.imaging.figures import SPOTS, CellFigures, properties
from gfactor.items import ItemRandom

KINDS: Mapping[str, tuple[str, ...]] = {
    "value": (),
    "group": ("curved", "straight"),
    "parity": ("even", "odd"),
    "relation": ("as many strokes",),
}
"""Levels of the radical `concept` and their properties; for `value`, every value is a property."""


def draw_property(rng: ItemRandom, kind: str, turned: bool) -> str:
    """Return a property of a kind that cells (arrows if `turned`) may have or lack."""
    if kind != "value":
        return rng.choice(KINDS[kind])
    attribute = rng.choice(("turn" if turned else "form", "shade", "count", "size"))
    return f"{attribute} {rng.choice(ATTRIBUTES[attribute])}"


def attribute_of(prop: str) -> str:
    """Return the attribute that decides whether a cell has a property."""
    first = prop.split(maxsplit=1)[0]
    attributes = {"curved": "form", "straight": "form", "even": "count", "odd": "count"}
    return first if first in ATTRIBUTES else attributes.get(first, "marks")


def imposed(rng: ItemRandom, cell: CellFigures, prop: str, holds: bool) -> CellFigures:
    """Change one attribute of a cell so that the cell has a property (`holds`) or lacks it.

    Raises MisdrawnError if no value of the attribute achieves this.
    """
    attribute = attribute_of(prop)
    values = [random_marks(rng) for _ in range(40)] if attribute == "marks" else None
    built = [with_value(cell, attribute, v) for v in values or ATTRIBUTES[attribute]]
    fitting = [one for one in built if (prop in properties(one)) == holds]
    if not fitting:
        raise MisdrawnError
    return rng.choice(fitting)


def random_marks(rng: ItemRandom) -> tuple[str, ...]:
    """Draw strokes at the rim; every number of strokes, from none to all, is equally likely."""
    chosen = rng.sample(SPOTS, rng.integer(0, len(SPOTS)))
    return tuple(spot for spot in SPOTS if spot in chosen)


def varied(rng: ItemRandom, cell: CellFigures, attributes: tuple[str, ...]) -> CellFigures:
    """Return the cell with new random values of these attributes."""
    for attribute in attributes:
        value: Any = (
            random_marks(rng) if attribute == "marks" else rng.choice(ATTRIBUTES[attribute])
        )
        cell = with_value(cell, attribute, value)
    return cell


def free_attributes(turned: bool, strokes: bool) -> list[str]:
    """Return the attributes in which cells of a picture may vary."""
    return ["turn" if turned else "form", "size", "shade", "count", *(["marks"] if strokes else [])]


def seen_in(cell: CellFigures) -> frozenset[str]:
    """Return the statements that are true of a figure: its drawn properties; number and parity of
    its strokes, whether it has any, the missing ones, and whether there are more or fewer strokes
    than figures; of an arrow, whether it is slanted, and each side to which it points or does not
    point.
    """
    strokes = len(cell.marks)
    beside = "more" if strokes > cell.count else "fewer" if strokes < cell.count else "as many"
    of_strokes = {
        f"{strokes} strokes", f"parity of strokes {strokes % 2}", f"strokes: {strokes > 0}",
        f"{beside} strokes than figures", f"more strokes than figures: {strokes > cell.count}",
        f"fewer strokes than figures: {strokes < cell.count}",
        *(f"no stroke {spot}" for spot in SPOTS if spot not in cell.marks),
    }  # fmt: skip
    return properties(cell) | of_strokes | (_pointing(cell.turn) if cell.form == "arrow" else set())


def _pointing(turn: int) -> set[str]:
    """Return the true statements about the direction of an arrow, in eighths clockwise from up."""
    sides = {"up": (7, 0, 1), "right": (1, 2, 3), "down": (3, 4, 5), "left": (5, 6, 7)}
    sentences = {f"points {side}: {turn in turns}" for side, turns in sides.items()}
    return sentences | {"slanted" if turn % 2 else "not slanted", f"along {turn % 4}"}
