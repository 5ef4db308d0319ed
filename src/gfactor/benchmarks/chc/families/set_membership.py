"""Set membership: which figure belongs to the left side?

Figures on the left share a property, or two at once, that no figure on the right has. One option
has it as well. The solver tries every property of the grammar and, if no single one separates
the sides, every pair of properties: the simplest concepts that separate the sides must put the same
one option on the left. Since version 4 no option is among the examples: in version 3 the right one
was, in 4 % of the hard and a quarter or more of the other items, so that it had only to be found.
To take the option most like all examples is right in 88 % of the extreme items.

Bongard, M. M. (1967) introduced problems of this kind. The figures and concepts are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from gfactor.benchmarks.chc.common import (
    COMMON,
    MOST_FIGURES,
    another,
    cell_line,
    cell_of,
    cell_says,
    crossed,
    random_cell,
    with_value,
)
from gfactor.benchmarks.chc.concepts import (
    attribute_of,
    draw_property,
    free_attributes,
    imposed,
    seen_in,
    varied,
)
from gfactor.benchmarks.chc.family import (
    Distractor,
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    register,
)
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, CellFigures, Sheet, draw_cell, frame_box, properties
from gfactor.items import ItemRandom

SIDE = 116
"""Side of a box in pixels."""

Concept = tuple[str, ...]
"""One property, or two or three that go together."""


@dataclass(frozen=True)
class Scene:
    """The figures on both sides."""

    left: tuple[CellFigures, ...]
    right: tuple[CellFigures, ...]


@dataclass(frozen=True)
class FramedScene(Scene):
    """A scene with a frame around each figure; without frames, as in earlier versions, strokes of
    neighboring figures touch."""

    framed: bool = True


def separating(
    scene: Scene, see: Callable[[CellFigures], frozenset[str]] = properties
) -> tuple[list[Concept], int]:
    """Return the simplest concepts that all figures on the left satisfy and none on the right, and
    the number of concepts tried. `see` returns the properties of a figure."""
    left, right = ([see(c) for c in side] for side in (scene.left, scene.right))
    shared, tried = sorted(frozenset.intersection(*left)), 0
    for size in (1, 2, 3):
        concepts = list(combinations(shared, size))
        tried += len(concepts)
        result = [c for c in concepts if not any(inner.issuperset(c) for inner in right)]
        if result:
            return result, tried
    return [], tried


def solve(scene: Scene, options: Sequence[CellFigures]) -> Proof:
    """Return the options that the simplest separating concepts assign to the left, and those that a
    concept of the wider grammar assigns there as the only one."""
    concepts, tried = separating(scene)
    result = [o for c in concepts for o in options if properties(o).issuperset(c)]
    # A concept that includes none of the options would give another answer: none of them.
    empty = any(not any(properties(o).issuperset(c) for o in options) for c in concepts)
    wider, more = separating(scene, seen_in)
    for concept in wider:
        takes_in = [option for option in options if seen_in(option).issuperset(concept)]
        result += takes_in if len(takes_in) == 1 else []
        # A simpler concept that separates the sides would be tried first; it must decide as well.
        empty |= len(takes_in) != 1 and len(concept) < len(concepts[0])
    return Proof(() if empty else tuple(dict.fromkeys(result)), tried + more)


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    turned, kind = levels["figure"] == "turned", str(levels["concept"])
    concept = [draw_property(rng, kind, turned)]
    while len(concept) < int(levels["terms"]):
        other = draw_property(rng, "value", turned)
        if attribute_of(other) not in map(attribute_of, concept):
            concept.append(other)
    used = [attribute_of(prop) for prop in concept]
    free = [a for a in free_attributes(turned, kind == "relation") if a not in used]
    noise = (*used, *rng.sample(free, min(len(free), int(levels["noise"]))))
    base, examples = random_cell(rng, turned), int(levels["examples"])
    left = [_with(rng, varied(rng, base, noise), concept, concept) for _ in range(examples)]
    right = []
    for k in range(examples):
        # Each property of the concept is left out in turn; with only one property, this one.
        missing = concept[k % len(concept)]
        shared_properties = [prop for prop in concept if prop != missing]
        right.append(
            _with(rng, varied(rng, base, noise), [*shared_properties, missing], shared_properties)
        )
    if min(len(set(left)), len(set(right))) < examples // 2:
        raise MisdrawnError
    answer, distractors = _options(rng, varied(rng, base, noise), concept, options, turned)
    # Whoever sees an option among the examples needs no concept to tell its side.
    if not {*left, *right}.isdisjoint([answer, *(wrong.content for wrong in distractors)]):
        raise MisdrawnError
    scene = FramedScene(tuple(left), tuple(right))
    # By chance a simpler concept separates the sides, which may assign another option to the left.
    if not any(properties(answer).issuperset(simplest) for simplest in separating(scene)[0]):
        raise MisdrawnError
    return Draft(scene, answer, distractors, tuple(concept))


def _with(
    rng: ItemRandom, cell: CellFigures, props: Sequence[str], present: Sequence[str]
) -> CellFigures:
    """The cell with the properties `present`, without the others of `props`."""
    for prop in props:
        cell = imposed(rng, cell, prop, prop in present)
    if not all((prop in properties(cell)) == (prop in present) for prop in props):
        raise MisdrawnError
    return cell


def _options(
    rng: ItemRandom, cell: CellFigures, concept: Sequence[str], count: int, turned: bool
) -> tuple[CellFigures, tuple[Distractor, ...]]:
    """Options each of which is unique in some respect, so that none stands out.

    With more than one property: an option for each combination of having and lacking two of them;
    all have the third. With one: a figure without it, changed in one attribute for each option;
    that of the right one is decisive.
    """
    if len(concept) > 1:
        pair = concept if len(concept) == 2 else rng.sample(concept, 2)
        third = [prop for prop in concept if prop not in pair]
        both, neither = _with(rng, cell, concept, concept), _with(rng, cell, concept, third)
        used = [attribute_of(prop) for prop in pair]
        crossing = crossed(
            both,
            {attribute: getattr(neither, attribute) for attribute in used},
            with_value,
            lambda _, wrong: "half of the concept" if len(wrong) == 1 else "neither property",
        )
        if any(properties(one.content).issuperset(concept) for one in crossing):
            raise MisdrawnError
        return both, crossing
    base = _with(rng, cell, concept, ())
    used = attribute_of(concept[0])
    free = [a for a in free_attributes(turned, False) if a != used]
    changed = [
        with_value(base, attribute, another(rng, attribute, getattr(base, attribute)))
        for attribute in rng.sample(free, count - 1)
    ]
    answer = imposed(rng, base, concept[0], True)
    return answer, tuple(Distractor(one, "irrelevant property") for one in changed)


def picture(scene: Scene, options: Sequence[CellFigures]) -> tuple[Pixels, ...]:
    """Return left and right sides with a line between them, options below."""
    sheet = sheet_for(len(scene.left), len(options))
    canvas, rows = sheet.canvas(0), sheet.boxes
    across = across_of(len(scene.left))
    for cells, first in ((scene.left, 0), (scene.right, across + 1)):
        for k, cell in enumerate(cells):
            box = rows[k // across][first + k % across]
            if isinstance(scene, FramedScene):
                frame_box(canvas, box)
            draw_cell(canvas, cell, box, MOST_FIGURES)
    middle = rows[0][across].cx
    canvas.line(middle, rows[0][0].y, middle, rows[-1][0].y + SIDE, INK, 3)
    for cell, box in zip(options, sheet.option_boxes, strict=True):
        draw_cell(canvas, cell, box, MOST_FIGURES)
    return (canvas.pixels,)


def across_of(examples: int) -> int:
    """Return figures in a row of one side."""
    return 2 if examples <= 4 else 3


def sheet_for(examples: int, options: int) -> Sheet:
    """Return the sheet of a problem: both sides and a column between them."""
    across = across_of(examples)
    return Sheet(-(-examples // across), 2 * across + 1, options, side=SIDE)


def twin(scene: Scene) -> tuple[Say, ...]:
    return tuple(
        say(side, place=k, cells=cell_says(cell))
        for side, cells in (("left", scene.left), ("right", scene.right))
        for k, cell in enumerate(cells, 1)
    )


def from_twin(says: Sequence[Say]) -> Scene:
    sides: dict[str, list[CellFigures]] = {"left": [], "right": []}
    for one in says:
        cells: Any = one["cells"]
        sides[one.template].append(cell_of(cells))
    return FramedScene(tuple(sides["left"]), tuple(sides["right"]))


def fits(levels: Levels) -> bool:
    """Return False for arrows with a concept about outlines, which they do not have, and for a
    single property that is not a value: its attribute would make its option more likely than the
    others."""
    if levels["concept"] == "group" and levels["figure"] == "turned":
        return False
    return levels["concept"] == "value" or levels["terms"] != 1


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=cell_line,
        scene_type=Scene,
        content_type=CellFigures,
        options=(4,),
        fits=fits,
        version="4",
        **declared(__file__, COMMON),
    )
)
