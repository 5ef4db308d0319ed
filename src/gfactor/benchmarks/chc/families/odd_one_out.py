"""Odd one out: which figure does not belong with the others?

All figures but one share a property: a value, a kind of outline, an even or odd number, as many
strokes as figures. Other attributes vary. The solver tries every property of the grammar, and of a
wider one that also counts the strokes and sees to which side arrows point (`seen_in`); every
property that all figures but one share must leave out the same figure. Version 1 did not count
strokes, and version 2 did not see that one arrow alone is slanted, so that another figure could be
odd as well.

Cattell, R. B. (1940) used classification of this kind in his culture-free test. The figures and
properties are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import (
    COMMON,
    cell_line,
    cell_of,
    cells_picture,
    random_cell,
)
from gfactor.benchmarks.chc.concepts import (
    attribute_of,
    draw_property,
    free_attributes,
    imposed,
    seen_in,
    varied,
)
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import CellFigures, Sheet, properties
from gfactor.items import ItemRandom


@dataclass(frozen=True)
class Scene:
    """All figures, sorted; the options are these figures in the order shown."""

    cells: tuple[CellFigures, ...]


def scene_of(cells: Sequence[CellFigures]) -> Scene:
    """Return the scene of figures in any order."""
    return Scene(tuple(sorted(cells, key=repr)))


def solve(scene: Scene, options: Sequence[CellFigures]) -> Proof:
    """Return the figures that lack a property which all others share."""
    have = [seen_in(cell) for cell in scene.cells]
    all_properties = frozenset().union(*have)
    lacking = [
        [k for k, inner in enumerate(have) if prop not in inner] for prop in sorted(all_properties)
    ]
    odd = dict.fromkeys(scene.cells[result[0]] for result in lacking if len(result) == 1)
    return Proof(tuple(odd), len(all_properties))


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    turned, kind = levels["figure"] == "turned", str(levels["concept"])
    prop = draw_property(rng, kind, turned)
    strokes = levels["strokes"] == 1 or kind == "relation"
    free = [a for a in free_attributes(turned, strokes) if a != attribute_of(prop)]
    noise = tuple(rng.sample(free, min(len(free), int(levels["noise"]))))
    base = random_cell(rng, turned)
    cells = []
    for k in range(options):
        cell = varied(rng, base, noise)
        cells.append(imposed(rng, cell, prop, k > 0))
    answer, *others = cells
    inner = [properties(cell) for cell in cells]
    distractors = []
    for cell in others:
        rest = [p for p, other in zip(inner, cells, strict=True) if other != cell]
        alone = any(all(prop not in p for p in rest) for prop in properties(cell))
        distractors.append(Distractor(cell, "irrelevant difference" if alone else "typical member"))
    return Draft(scene_of(cells), answer, tuple(distractors), (kind, prop))


def picture(scene: Scene, options: Sequence[CellFigures]) -> tuple[Pixels, ...]:
    return (cells_picture(Sheet(0, 0, len(options), across=len(options)), (), options),)


def from_twin(says: Sequence[Say]) -> Scene:
    cells: list[Any] = [one["cells"] for one in says]
    return scene_of([cell_of(cell) for cell in cells])


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=lambda _: (),
        from_twin=from_twin,
        option=cell_line,
        scene_type=Scene,
        content_type=CellFigures,
        options=(5, 4),
        fits=lambda levels: not (levels["concept"] == "group" and levels["figure"] == "turned"),
        version="4",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)
