"""Transitive relations: which form has this place in the order of weights?

Each scale compares two forms: the lower one is heavier. A scale with a red cross shows the opposite
of the truth. No two forms weigh the same. The solver goes through every order of the forms, keeps
those that agree with all scales, and finds the form at the rank asked for: it must always be the
same, otherwise the scene is not an item.

Burt (1919) used three-term series problems; premises drawn as pairs, and the effects of order,
negation and distance, follow Huttenlocher (1968) and Sternberg (1980). The problems are ours.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON
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
from gfactor.imaging import RGB, Canvas, Pixels
from gfactor.imaging.figures import INK, Box, CellFigures, Sheet, draw_cell, draw_missing
from gfactor.imaging.measures.transitive_relations import ACROSS, SIDE
from gfactor.items import ItemRandom

RED: RGB = (210, 0, 0)


@dataclass(frozen=True)
class WeighedScale:
    """A scale: its left and right form, the lower side, and True if it is crossed out."""

    left: str
    right: str
    down: str
    crossed: int


@dataclass(frozen=True)
class Scene:
    """Scales in reading order, number of forms, and the requested rank (1: heaviest)."""

    scales: tuple[WeighedScale, ...]
    forms: int
    place: int


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, negations = int(levels["objects"]), int(levels["negations"])
    order = rng.sample(ATTRIBUTES["form"], count)
    pairs = list(itertools.pairwise(order))
    further = [(a, c) for a, c in itertools.combinations(order, 2) if (a, c) not in pairs]
    pairs += rng.sample(further, int(levels["spare"]))
    if levels["order"] != "forward":
        mixed = rng.shuffled(pairs)
        if mixed == pairs:
            raise MisdrawnError
        pairs = mixed
    crossed = rng.sample(range(len(pairs)), negations)
    mirrored = [rng.integer(0, 1) if levels["sides"] == "mixed" else 0 for _ in pairs]
    if levels["sides"] == "mixed" and len(set(mirrored)) == 1:
        raise MisdrawnError
    scales = tuple(
        _scale(pair, int(k in crossed), flip)
        for k, (pair, flip) in enumerate(zip(pairs, mirrored, strict=True))
    )
    ends = (1, count)
    inner = tuple(range(2, count))
    position = rng.choice(ends if levels["wanted"] == "end" else inner)
    scene = Scene(scales, count, position)
    right = order[position - 1]
    others = rng.sample([form for form in order if form != right], options - 1)
    naive = _without_crosses(scales)
    wrong = tuple(Distractor(form, _error(form, order, position, naive)) for form in others)
    return Draft(scene, right, wrong, tuple(order))


def _scale(pair: tuple[str, str], crossed: int, flip: int) -> WeighedScale:
    """The heavier form stands on the left, or on the right where `flip`; a crossed-out scale
    shows the opposite."""
    left, right = pair[::-1] if flip else pair
    return WeighedScale(left, right, "right" if flip != crossed else "left", crossed)


def _without_crosses(scales: Sequence[WeighedScale]) -> dict[int, set[str]]:
    """By place from either end, the forms at this place if the crosses are overlooked."""
    forms = sorted({form for s in scales for form in (s.left, s.right)})
    lower = {(s.left, s.right) if s.down == "left" else (s.right, s.left) for s in scales}
    beaten = {form: sum(a == form for a, _ in lower) for form in forms}
    most, least = max(beaten.values()), min(beaten.values())
    return {
        1: {f for f in forms if beaten[f] == most},
        len(forms): {f for f in forms if beaten[f] == least},
    }


def _error(form: str, order: Sequence[str], place: int, naive: dict[int, set[str]]) -> str:
    here = order.index(form) + 1
    if here == len(order) + 1 - place:
        return "conversion: counted from the other end"
    if form in naive.get(place, ()):
        return "negation skipped"
    return "off by one" if abs(here - place) == 1 else "premise skipped"


def solve(scene: Scene, options: Sequence[str]) -> Proof:
    """Return the form at the requested rank in each order that all scales allow."""
    forms = sorted({form for s in scene.scales for form in (s.left, s.right)})
    heavier = [
        (s.left, s.right) if (s.down == "left") != bool(s.crossed) else (s.right, s.left)
        for s in scene.scales
    ]
    result, tried = [], 0
    for order in itertools.permutations(forms):
        tried += 1
        rank = {form: k for k, form in enumerate(order)}
        if all(rank[a] < rank[b] for a, b in heavier):
            result.append(order[scene.place - 1])
    return Proof(tuple(dict.fromkeys(result)), tried)


def sheet_for(scales: int, options: int) -> Sheet:
    """Return rows of scales, and a row of places from the heaviest to the lightest."""
    return Sheet(-(-scales // ACROSS) + 1, ACROSS, options, side=SIDE)


def places_of(sheet: Sheet, forms: int) -> list[Box]:
    """Return the places from the heaviest to the lightest: half as large as the other boxes."""
    row = sheet.boxes[-1]
    left = (sheet.width - forms * 60) // 2
    return [Box(left + 60 * k, row[0].y + 40, 50) for k in range(forms)]


def pan(box: Box, side: str, down: bool) -> Box:
    """Return the position of a form on a scale."""
    return Box(box.x + (4 if side == "left" else box.side - 44), box.y + (30 if down else 6), 40)


def cross(box: Box) -> Box:
    """Return the position of a crossed-out scale's red cross."""
    return Box(box.x + box.side - 26, box.y + box.side - 26, 20)


def picture(scene: Scene, options: Sequence[str]) -> tuple[Pixels, ...]:
    sheet = sheet_for(len(scene.scales), len(options))
    canvas = sheet.canvas(len(scene.scales))
    boxes = [box for row in sheet.boxes for box in row]
    for scale, box in zip(scene.scales, boxes, strict=False):
        _draw_scale(canvas, scale, box)
    row = places_of(sheet, scene.forms)
    for k, box in enumerate(row, 1):
        frame = [(box.x, box.y), (box.x + 50, box.y), (box.x + 50, box.y + 50), (box.x, box.y + 50)]
        canvas.polygon(frame, None, (150, 150, 150), 1)
        if k == scene.place:
            draw_missing(canvas, box)
    # A wedge from high to low: the heaviest place is on the left.
    left, right, y = row[0].x, row[-1].x + 50, row[0].y - 10
    canvas.polygon([(left, y - 24), (right, y - 3), (right, y), (left, y)], (190, 190, 190), INK, 1)
    for form, box in zip(options, sheet.option_boxes, strict=True):
        draw_cell(canvas, CellFigures(form, "medium"), box, 1)
    return (canvas.pixels,)


def _draw_scale(canvas: Canvas, scale: WeighedScale, box: Box) -> None:
    ends = []
    for side in ("left", "right"):
        position = pan(box, side, scale.down == side)
        draw_cell(canvas, CellFigures(scale.left if side == "left" else scale.right), position, 1)
        ends.append((position.cx, position.y + position.side + 2))
    (x1, y1), (x2, y2) = ends
    canvas.line(x1, y1, x2, y2, INK, 3)
    top = (box.cx, (y1 + y2) / 2)
    foot = box.y + box.side - 8
    canvas.polygon([top, (top[0] - 12, foot), (top[0] + 12, foot)], (170, 170, 170), INK, 2)
    if scale.crossed:
        sign = cross(box)
        x, y, far = sign.x + 1, sign.y + 1, sign.side - 2
        canvas.line(x, y, x + far, y + far, RED, 4)
        canvas.line(x + far, y, x, y + far, RED, 4)


def twin(scene: Scene) -> tuple[Say, ...]:
    lines = [
        say(
            "crossed" if s.crossed else "scale",
            scale=number, form=s.left, form2=s.right, side=s.down,
        )
        for number, s in enumerate(scene.scales, 1)
    ]  # fmt: skip
    return (*lines, say("places", count=scene.forms, place=scene.place))


def from_twin(says: Sequence[Say]) -> Scene:
    *lines, last = says
    scales = tuple(
        WeighedScale(str(s["form"]), str(s["form2"]), str(s["side"]), int(s.template == "crossed"))
        for s in lines
    )
    return Scene(scales, int(str(last["count"])), int(str(last["place"])))


def question(scene: Scene) -> tuple[Say, ...]:
    negated = (say("ask_crossed"),) if any(s.crossed for s in scene.scales) else ()
    return (say("begin"), *negated, say("ask"))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda form: say("form", form=form),
        scene_type=Scene,
        version="3",  # as the version before, with plainer English
        options=(4,),
        seed_classes=4,
        **declared(__file__, COMMON),
    )
)
