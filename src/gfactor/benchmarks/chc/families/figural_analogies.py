"""Figural analogies: the first figure becomes the second as the third becomes which option?

A change turns the first figure into the second: an attribute goes on by a step, takes another
value, or strokes are added or taken away. The solver tries every change of the grammar on every
attribute, as a step from where the third figure is and as the value the second has; both readings
count, and an item is kept only if they agree. Since version 2 no wrong option is what an
exchange (light becomes dark, so dark becomes light), a mirror image or a multiple would make of the
third. The option whose values are shown least often is right in 70 % of extreme items: the values
before a change are shown twice, those behind it once.

Evans, T. G. (1964) gave geometric analogies their grammar, after items of the ACE examination;
Mulholland, Pellegrino and Glaser (1980) their difficulty. The figures and changes are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from gfactor.benchmarks.chc.common import (
    ATTRIBUTES,
    COMMON,
    ORDERED,
    another,
    cell_line,
    cell_of,
    cell_says,
    cells_picture,
    crossed,
    random_cell,
    rule_errors,
    with_value,
)
from gfactor.benchmarks.chc.family import Draft, Family, Levels, MisdrawnError, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import SPOTS, CellFigures, Sheet
from gfactor.items import ItemRandom


@dataclass(frozen=True)
class Scene:
    """Figures of an analogy: the first is to the second as the third is to the figure asked for."""

    first: CellFigures
    second: CellFigures
    third: CellFigures


def readings(attribute: str, first: Any, second: Any, third: Any) -> list[Any]:
    """Return the results of applying each reading of the change from `first` to `second` to
    `third`."""
    if first == second:
        return [third]
    if attribute == "marks":
        return _stroke_readings(first, second, third)
    values, result = ATTRIBUTES[attribute], []
    if attribute in ORDERED:
        position = values.index(third) + values.index(second) - values.index(first)
        if attribute == "turn":
            result.append(values[position % len(values)])
        elif 0 <= position < len(values):
            result.append(values[position])
    if third != second:
        # A change must change something, so the value is taken over only if it is new.
        result.append(second)
    return list(dict.fromkeys(result))


def other_readings(attribute: str, first: Any, second: Any, third: Any) -> set[Any]:
    """Return the values of `third` after changes that are read as an exchange of the two values, a
    mirror image, the other end of the scale or a multiple. No wrong option may have such a
    value."""
    if first == second:
        return set()
    result = {first} if third == second else {second} if third == first else set()
    values = ATTRIBUTES.get(attribute, ())
    if attribute in ORDERED:
        ends = values.index(first) + values.index(second)
        if attribute == "turn":
            result.add(values[(ends - values.index(third)) % len(values)])
        elif ends == len(values) - 1:
            result.add(values[ends - values.index(third)])
    if attribute == "count":
        result |= {third * k for k in (2, 3) if second == k * first}
        result |= {third // k for k in (2, 3) if first == k * second and third % k == 0}
    return result


def _stroke_readings(first: Any, second: Any, third: Any) -> list[Any]:
    """Strokes that were removed or added are removed or added again, if possible."""
    taken, added = set(first) - set(second), set(second) - set(first)
    if not taken <= set(third) or added & set(third):
        return []
    return [tuple(s for s in SPOTS if s in (set(third) - taken) | added)]


def solve(scene: Scene, options: Sequence[CellFigures]) -> Proof:
    """Return the figures that result from the third one by the readings of all changes."""
    result, tried = [], 0
    for attribute in (*ATTRIBUTES, "marks"):
        values = [getattr(cell, attribute) for cell in (scene.first, scene.second, scene.third)]
        ends = readings(attribute, *values)
        tried += 2 if attribute in ORDERED else 1
        result.append(ends)
    answers = []
    for ends in product(*result):
        cell = scene.third
        for attribute, end in zip((*ATTRIBUTES, "marks"), ends, strict=True):
            cell = with_value(cell, attribute, end)
        answers.append(cell)
    return Proof(tuple(answers), tried)


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    turned, reference = levels["figure"] == "turned", str(levels["reference"])
    pool = rng.shuffled(["turn" if turned else "form", "size", "shade", "count"])
    if levels["strokes"] == 1:
        pool.insert(0, "marks")
    ruled = pool[: int(levels["rules"])]
    marks = tuple(s for s in SPOTS if rng.chance(1, 2)) if levels["strokes"] else ()
    first = with_value(random_cell(rng, turned), "marks", marks)
    second = first
    for attribute in ruled:
        value = getattr(first, attribute)
        second = with_value(second, attribute, _changed(rng, attribute, value, reference))
    third = first
    spare = [attribute for attribute in pool if attribute not in ruled]
    for attribute in spare[: int(levels["distance"])]:
        third = with_value(third, attribute, another(rng, attribute, getattr(first, attribute)))
    if reference == "shifted":
        for attribute in ruled:
            if attribute in ORDERED:
                third = with_value(third, attribute, getattr(second, attribute))
    scene = Scene(first, second, third)
    proof = solve(scene, ())
    if len(proof.answers) != 1 or third == first:
        raise MisdrawnError
    answer = proof.answers[0]
    others = {}
    for attribute in (*rng.shuffled(ruled), *rng.shuffled(spare))[: options.bit_length() - 1]:
        value = getattr(answer, attribute)
        before = getattr(third if attribute == "marks" else first, attribute)
        seen = [getattr(cell, attribute) for cell in (first, second, third)]
        doubtful = other_readings(attribute, *seen)
        usable = attribute in ruled and before != value and before not in doubtful
        others[attribute] = before if usable else another(rng, attribute, value)
        if others[attribute] in doubtful:
            raise MisdrawnError
    panels = (first, second, third)
    distractors = crossed(answer, others, with_value, rule_errors(panels, tuple(ruled)))
    return Draft(scene, answer, distractors, tuple(sorted(ruled)))


def _changed(rng: ItemRandom, attribute: str, value: Any, reference: str) -> Any:
    """Another value; if the third figure starts with it, one from which the step can continue."""
    if attribute == "marks":
        return another(rng, attribute, value)
    values = ATTRIBUTES[attribute]
    if attribute not in ORDERED or reference == "same" or attribute == "turn":
        return another(rng, attribute, value)
    position = values.index(value)
    ways = [by for by in (-1, 1) if 0 <= position + 2 * by < len(values)]
    return values[position + rng.choice(ways)] if ways else another(rng, attribute, value)


def picture(scene: Scene, options: Sequence[CellFigures]) -> tuple[Pixels, ...]:
    sheet = Sheet(2, 2, len(options))
    return (cells_picture(sheet, (scene.first, scene.second, scene.third, None), options),)


NAMES = ("first", "second", "third")


def twin(scene: Scene) -> tuple[Say, ...]:
    return tuple(say(name, cells=cell_says(getattr(scene, name))) for name in NAMES)


def from_twin(says: Sequence[Say]) -> Scene:
    cells: Any = {one.template: one["cells"] for one in says}
    return Scene(**{name: cell_of(cells[name]) for name in NAMES})


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
        options=(4, 8),
        fits=lambda v: int(v["rules"]) + int(v["distance"]) <= 4 + int(v["strokes"]),
        version="2",
        **declared(__file__, COMMON),
    )
)
