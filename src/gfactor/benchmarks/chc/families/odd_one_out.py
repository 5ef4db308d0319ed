"""Odd one out: which figure does not belong to the others?

All figures but one share a property: a value, a kind of outline, an even or odd number, as many
strokes as figures. Other attributes vary. The solver tries every property of the grammar, and of a
wider one that also counts the strokes and sees to which side arrows point (`seen_in`); whichever
all figures but one share must leave out the same figure. Version 1 did not count strokes, and
version 2 did not see that one arrow alone is slanted, so that another figure could be odd as well.

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
    KINDS,
    attribute_of,
    draw_property,
    free_attributes,
    imposed,
    seen_in,
    varied,
)
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.texts import Say, Texts, joined
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Cell, Sheet, properties
from gfactor.items import ItemRandom


@dataclass(frozen=True)
class Scene:
    """All figures, sorted; the options are these figures in the order shown."""

    cells: tuple[Cell, ...]


def scene_of(cells: Sequence[Cell]) -> Scene:
    """Return the scene of figures in any order."""
    return Scene(tuple(sorted(cells, key=repr)))


def solve(scene: Scene, options: Sequence[Cell]) -> Proof:
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


def picture(scene: Scene, options: Sequence[Cell]) -> tuple[Pixels, ...]:
    return (cells_picture(Sheet(0, 0, len(options), across=len(options)), (), options),)


def from_twin(says: Sequence[Say]) -> Scene:
    cells: list[Any] = [one["cells"] for one in says]
    return scene_of([cell_of(cell) for cell in cells])


TEXTS = Texts(
    {
        "ask": {
            "en": "All figures but one have something in common. Which figure does not belong to "
            "the others?",
            "zh": "除一个之外，所有图形都有一个共同点。哪个图形与其他图形不同类？",
            "fr": "Toutes les figures sauf une ont un point commun. Quelle figure n'appartient pas "
            "au groupe ?",
            "es": "Todas las figuras menos una tienen algo en común. ¿Qué figura no pertenece al "
            "grupo?",
            "pt": "Todas as figuras, exceto uma, têm algo em comum. Qual figura não pertence ao "
            "grupo?",
            "ko": "하나를 제외한 모든 도형에는 공통점이 있습니다. 나머지와 어울리지 않는 도형은 "
            "무엇입니까?",
        },
    },
    {},
)


register(
    Family(
        name="odd_one_out",
        ability="Gf-I",
        radicals={
            "concept": tuple(KINDS),
            "noise": (1, 2, 3),
            "strokes": (0, 1),
            "figure": ("upright", "turned"),
        },
        presets={
            "easy": {"concept": ("value",), "noise": (1, 2), "strokes": (0,)},
            "medium": {"concept": ("value", "group", "parity"), "noise": (2,)},
            "hard": {"concept": ("parity", "relation"), "noise": (3,)},
        },
        draw=draw,
        solve=solve,
        picture=picture,
        # The options are all that is shown: they make the text twin.
        twin=lambda _: (),
        from_twin=from_twin,
        option=cell_line,
        texts=joined(COMMON, TEXTS),
        scene_type=Scene,
        content_type=Cell,
        options=(5, 4),
        fits=lambda levels: not (levels["concept"] == "group" and levels["figure"] == "turned"),
        mm_iq=("2D-geometry", "spatial relationship"),
        m3gia=("concept formation",),
        origin="Cattell (1940), classification in the culture-free intelligence test",
        literature=(
            "Cattell, R. B. (1940). A culture-free intelligence test I. Journal of Educational "
            "Psychology, 31(3), 161-179.",
            "Ruiz, P. E. (2011). Building and solving odd-one-out classification problems: A "
            "systematic approach. Intelligence, 39(5), 342-350.",
        ),
        version="3",
    )
)
