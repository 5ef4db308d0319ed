"""Balance puzzles: what does this form weigh?

Scales in balance carry forms and blocks that show their weight; forms that look alike weigh alike.
The scales are linear equations in whole numbers. The solver eliminates unknowns exactly, in
fractions: the form that is asked for must have one weight in every solution, otherwise the scene is
not an item. For Piaget, reasoning about balances was a sign of formal operations (Inhelder &
Piaget, 1958); exchange and balance tasks measure quantitative reasoning in many batteries (Carroll,
1993). The puzzles are new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON, crossed
from gfactor.benchmarks.chc.family import Draft, Family, Levels, MisdrawnError, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Canvas, Pixels
from gfactor.imaging.figures import (
    INK,
    Box,
    CellFigures,
    Sheet,
    draw_cell,
    draw_missing,
    frame_box,
)
from gfactor.imaging.measures.balance_puzzles import PAN, SIDE
from gfactor.items import ItemRandom, OutputFormat

HEAVIEST = 12
"""Greatest weight of a form; blocks weigh up to 99."""
LEADING = 24
"""Largest number of objects on a pan, and in pixels the side of their places and the room for a
pivot below."""


@dataclass(frozen=True)
class Load:
    """Several pieces of one form on a pan."""

    form: str
    count: int


@dataclass(frozen=True)
class Pan:
    """Load of one side: forms, and a block's weight (0: no block)."""

    loads: tuple[Load, ...]
    block: int


@dataclass(frozen=True)
class BalancedScale:
    """A scale in balance."""

    left: Pan
    right: Pan


@dataclass(frozen=True)
class Scene:
    """Scales from top to bottom, and the form whose weight is asked for."""

    scales: tuple[BalancedScale, ...]
    asked: str


@dataclass(frozen=True)
class SpacedScene(Scene):
    """A scene whose scales have room for their pivots, which extended into the next row in version
    1."""

    spaced: bool = True


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    unknowns, most = int(levels["unknowns"]), int(levels["multiplicity"])
    forms = rng.sample(ATTRIBUTES["form"], unknowns + 1)
    weights = {form: rng.integer(1, HEAVIEST) for form in forms}
    if len(set(weights.values())) <= unknowns:
        raise MisdrawnError
    links = list(zip(forms[1:unknowns], forms[: unknowns - 1], strict=True))
    if levels["system"] == "chain":
        terms = [{forms[0]: rng.integer(1, most)}]
    else:
        terms = [_mixed(rng, *links[0], most)]
    terms += [_mixed(rng, new, old, most) for new, old in links]
    if levels["spare"]:
        # A scale with a form that occurs only there has no information about the others.
        terms.append(_mixed(rng, forms[unknowns], forms[0], most))
    both = bool(levels["both"])
    scales = tuple(_scale(rng, one, weights, both and len(one) > 1) for one in terms)
    target = forms[unknowns - 1]
    scene = SpacedScene(tuple(rng.shuffled(scales)), target)
    right = weights[target]
    # Wrong weights are another form's, some slightly changed, so that they are distributed like
    # right ones.
    other = weights[rng.choice(forms[: unknowns - 1])] - right
    wrong = crossed(
        right,
        {"form": other, "slip": rng.choice((1, -1, 2, -2))},
        lambda content, _, by: content + by,
        lambda _, wrong: _ERRORS[wrong],
    )
    if not all(1 <= one.content <= HEAVIEST for one in wrong):
        raise MisdrawnError
    return Draft(scene, right, wrong, tuple(weights[form] for form in forms))


_ERRORS = {
    ("form",): "weight of another form",
    ("slip",): "off by a little",
    ("form", "slip"): "two errors",
}


def _mixed(rng: ItemRandom, new: str, old: str, most: int) -> dict[str, int]:
    """Return the numbers of a new and of a known form on a scale; one of them is `most`."""
    counts = [most, rng.integer(1, min(most, PAN - most))]
    first, second = rng.shuffled(counts)
    return {new: first, old: second}


def _scale(
    rng: ItemRandom, counts: dict[str, int], weights: dict[str, int], both: bool
) -> BalancedScale:
    """Return a scale with these forms, balanced by a block.

    If `both`, each side has one kind of form; otherwise one side has all.
    """
    loads = rng.shuffled([Load(form, count) for form, count in counts.items()])
    one, other = (loads[:1], loads[1:]) if both else (loads, [])
    heavier = _total(one, weights) - _total(other, weights)
    if heavier == 0 or abs(heavier) > 99 or sum(x.count for x in one) > PAN:
        raise MisdrawnError
    pans = [Pan(tuple(one), max(0, -heavier)), Pan(tuple(other), max(0, heavier))]
    return BalancedScale(*rng.shuffled(pans))


def _total(loads: Sequence[Load], weights: dict[str, int]) -> int:
    return sum(load.count * weights[load.form] for load in loads)


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Prove the weight of the requested form by elimination, if the equations determine it."""
    forms = sorted(
        {load.form for s in scene.scales for pan in (s.left, s.right) for load in pan.loads},
        key=lambda form: (form == scene.asked, form),
    )
    rows = [[Fraction(_coefficient(s, form)) for form in forms] + [_rest(s)] for s in scene.scales]
    steps, done = 0, 0
    for column in range(len(forms)):
        pivot = next((k for k in range(done, len(rows)) if rows[k][column]), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        rows[done] = [value / rows[done][column] for value in rows[done]]
        for k, row in enumerate(rows):
            if k != done and row[column]:
                steps += 1
                rows[k] = [a - row[column] * b for a, b in zip(row, rows[done], strict=True)]
        done += 1
    alone = [Fraction(0)] * (len(forms) - 1) + [Fraction(1)]
    result = {row[-1] for row in rows if row[:-1] == alone}
    whole = tuple(int(w) for w in result if w.denominator == 1 and w > 0)
    return Proof(whole, max(1, steps))


def _coefficient(scale: BalancedScale, form: str) -> int:
    sides = ((scale.left, 1), (scale.right, -1))
    return sum(sign * x.count for pan, sign in sides for x in pan.loads if x.form == form)


def _rest(scale: BalancedScale) -> Fraction:
    return Fraction(scale.right.block - scale.left.block)


def sheet_for(scene: Scene, options: int) -> Sheet:
    """Return the layout with nine places per scale (pan, middle, pan); the last row is the
    question."""
    leading = LEADING if isinstance(scene, SpacedScene) else 0
    return Sheet(len(scene.scales) + 1, 2 * PAN + 1, options, side=SIDE, leading=leading)


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    sheet = sheet_for(scene, len(options))
    canvas = sheet.canvas(0)
    *rows, last = sheet.boxes
    for scale, row in zip(scene.scales, rows, strict=True):
        _draw_pan(canvas, scale.left, row[PAN - 1 :: -1])
        _draw_pan(canvas, scale.right, row[PAN + 1 :])
        middle = row[PAN]
        bottom = middle.y + SIDE + 3
        base = bottom + 22
        corners = [(middle.cx, bottom), (middle.cx - 14, base), (middle.cx + 14, base)]
        canvas.polygon(corners, (170, 170, 170), INK, 2)
        canvas.line(row[0].x, bottom, row[-1].x + SIDE, bottom, INK, 3)
    draw_cell(canvas, CellFigures(scene.asked), last[PAN - 1], 1)
    draw_missing(canvas, last[PAN + 1])
    frame_box(canvas, last[PAN + 1])
    for option, box in zip(options, sheet.option_boxes, strict=True):
        canvas.text(box.cx, box.cy, str(option), 18, INK, 2)
    return (canvas.pixels,)


def _draw_pan(canvas: Canvas, pan: Pan, boxes: Sequence[Box]) -> None:
    """Things from the middle outwards: forms one by one, then the block."""
    things = [load.form for load in pan.loads for _ in range(load.count)]
    for form, box in zip(things, boxes, strict=False):
        draw_cell(canvas, CellFigures(form), box, 1)
    if pan.block:
        box = boxes[len(things)]
        frame_box(canvas, box, INK)
        canvas.text(box.cx, box.cy, str(pan.block), 20, INK, 2)


def twin(scene: Scene) -> tuple[Say, ...]:
    lines = []
    for number, scale in enumerate(scene.scales, 1):
        lines.append(say("left", scale=number, things=_things(scale.left)))
        lines.append(say("right", scale=number, things=_things(scale.right)))
    return (*lines, say("asked", form=scene.asked))


def _things(pan: Pan) -> tuple[Say, ...]:
    forms = tuple(say("forms", count=load.count, form=load.form) for load in pan.loads)
    return (*forms, say("block", block=pan.block)) if pan.block else forms


def from_twin(says: Sequence[Say]) -> Scene:
    pans = [_pan(one["things"]) for one in says[:-1]]  # pyright: ignore[reportArgumentType]
    scales = tuple(BalancedScale(*pair) for pair in zip(pans[::2], pans[1::2], strict=True))
    return SpacedScene(scales, str(says[-1]["form"]))


def _pan(things: Sequence[Say]) -> Pan:
    loads = [one for one in things if one.template == "forms"]
    blocks = [int(str(one["block"])) for one in things if one.template == "block"]
    return Pan(tuple(Load(str(one["form"]), int(str(one["count"]))) for one in loads), sum(blocks))


def fits(levels: Levels) -> bool:
    """Return False for two equations in the same two unknowns that do not differ in counts or
    sides."""
    return levels["system"] == "chain" or levels["multiplicity"] != 1


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda number: say("number", number=number),
        scene_type=Scene,
        version="3",  # as the version before, with plainer English
        answer_types=("open", "choice"),
        options=(4,),
        output_format=OutputFormat("value", labels=("ANSWER",)),
        fits=fits,
        seed_classes=4,
        **declared(__file__, COMMON),
    )
)
