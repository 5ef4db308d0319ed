"""Same or different: in which row are the two strings the same, or different?

Each row has two strings of shaded forms, side by side. Either the two are equal in all rows but
one, or they differ at one place in all rows but one. The answer is this one row. A sign above is
two lines if the row with equal strings is wanted, or two lines crossed out for different strings.

Comparing strings goes back to the number checking of Andrew, D. M. (1937); comparison speed is a
marker of perceptual speed in Ekstrom, French and Harman (1979). The strings are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON, ShadedForm
from gfactor.benchmarks.chc.conversations import NUMBER
from gfactor.benchmarks.chc.family import Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import INK, SHADES, Box, CellFigures, Sheet, draw_cell, frame_box
from gfactor.imaging.measures.same_or_different import HEAD, SIDE
from gfactor.items import ItemRandom

Row = tuple[tuple[ShadedForm, ...], tuple[ShadedForm, ...]]


@dataclass(frozen=True)
class Scene:
    """Both strings of every row, and True if the row with equal strings is asked for."""

    rows: tuple[Row, ...]
    same: int


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, length = int(levels["rows"]), int(levels["length"])
    same = int(levels["task"] == "same")
    key = rng.integer(0, count - 1)
    rows = []
    for number in range(count):
        left = tuple(
            ShadedForm(rng.choice(ATTRIBUTES["form"]), rng.choice(SHADES)) for _ in range(length)
        )
        right = left
        if (number == key) != bool(same):
            slot = _place(rng, length, str(levels["position"]))
            right = (
                *left[:slot],
                _changed(rng, left[slot], str(levels["similarity"])),
                *left[slot + 1 :],
            )
        rows.append((left, right))
    return Draft(Scene(tuple(rows), same), key + 1)


def _place(rng: ItemRandom, length: int, position: str) -> int:
    """Draw the position of a string's change: in its first, second or last third."""
    third = {"start": 0, "middle": 1, "end": 2}[position]
    return rng.integer(third * length // 3, (third + 1) * length // 3 - 1)


def _changed(rng: ItemRandom, sign: ShadedForm, similarity: str) -> ShadedForm:
    """Change to the next shade (near), or to another form and shade (far)."""
    if similarity == "near":
        at = SHADES.index(sign.shade)
        return replace(
            sign, shade=rng.choice([s for s in SHADES if abs(SHADES.index(s) - at) == 1])
        )
    return ShadedForm(
        rng.choice([form for form in ATTRIBUTES["form"] if form != sign.form]),
        rng.choice([shade for shade in SHADES if shade != sign.shade]),
    )


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Solve by comparing the strings of every row, sign by sign."""
    result, tried = [], 0
    for number, (left, right) in enumerate(scene.rows, 1):
        alike = 0
        for one, other in zip(left, right, strict=True):
            tried += 1
            alike += one == other
        if (alike == len(left)) == bool(scene.same):
            result.append(number)
    return Proof(tuple(result), tried)


def sheet_for(rows: int, length: int) -> Sheet:
    """Return the boxes of a picture: a string, an empty column, a string."""
    return Sheet(rows, 2 * length + 1, side=SIDE)


def picture(scene: Scene, options: Sequence[Any]) -> tuple[Pixels, ...]:
    sheet = sheet_for(len(scene.rows), len(scene.rows[0][0]))
    canvas = Canvas(Frame(sheet.width + HEAD, sheet.height + HEAD))
    for number, (row, boxes) in enumerate(zip(scene.rows, sheet.boxes, strict=True), 1):
        signs = (*row[0], None, *row[1])
        for sign, at in zip(signs, boxes, strict=True):
            box = Box(at.x + HEAD, at.y + HEAD, SIDE)
            if sign is not None:
                frame_box(canvas, box)
                draw_cell(canvas, CellFigures(sign.form, shade=sign.shade), box, 1)
        canvas.text(HEAD / 2 + 6, HEAD + boxes[0].cy, str(number), 16, INK, 2)
    _draw_sign(canvas, scene.same)
    return (canvas.pixels,)


def _draw_sign(canvas: Canvas, same: int) -> None:
    x, y = (canvas.frame.width + HEAD) // 2, HEAD // 2 + 4
    for by in (-5, 5):
        canvas.line(x - 14, y + by, x + 14, y + by, INK, 3)
    if not same:
        canvas.line(x - 9, y + 15, x + 9, y - 15, INK, 3)


def twin(scene: Scene) -> tuple[Say, ...]:
    def line(signs: Sequence[ShadedForm]) -> tuple[Say, ...]:
        return tuple(say("sign", form=sign.form, shade=sign.shade) for sign in signs)

    rows = (
        say("row", place=k, cells=line(left), cells2=line(right))
        for k, (left, right) in enumerate(scene.rows, 1)
    )
    return (say("above_same" if scene.same else "above_different"), *rows)


def from_twin(says: Sequence[Say]) -> Scene:
    def signs(cells: Any) -> tuple[ShadedForm, ...]:
        return tuple(ShadedForm(str(one["form"]), str(one["shade"])) for one in cells)

    rows = tuple((signs(one["cells"]), signs(one["cells2"])) for one in says[1:])
    return Scene(rows, int(says[0].template == "above_same"))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=lambda scene: (say("ask_same" if scene.same else "ask_different"),),
        scene_type=Scene,
        answer_types=("open",),
        output_format=NUMBER,
        **declared(__file__, COMMON),
    )
)
