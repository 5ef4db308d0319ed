"""plugin_name: how many figures of one form stand in a grid?

Every place holds a figure or nothing. The options are numbers in a row, and each of them is the
right one equally often, so that the options alone do not tell which it is. Sentences, radicals and
sources are in the TOML file of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc import Distractor, Draft, Family, Proof, register
from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON
from gfactor.benchmarks.chc.family import Levels
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import CellFigures, Sheet, draw_cell
from gfactor.items import ItemRandom, OutputFormat

NOTHING = ""
SIDE = 60
"""Side of a place in pixels."""


@dataclass(frozen=True)
class Scene:
    """Everything that is shown, as whole numbers and words; its JSON is the item's identity."""

    rows: tuple[tuple[str, ...], ...]
    asked: str


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    """Draw a scene with its answer and wrong options; all randomness comes from `rng`."""
    grid, others, gaps = (int(levels[name]) for name in ("grid", "others", "gaps"))
    target, *forms = rng.sample(ATTRIBUTES["form"], others + 1)
    squares = grid * grid - gaps
    least = rng.integer(1, squares - options)
    numbers = range(least, least + options)
    right = rng.choice(numbers)
    figures = [target] * right + [rng.choice(forms) for _ in range(squares - right)]
    figures += [NOTHING] * gaps
    figures = sorted(figures) if levels["order"] == "sorted" else rng.shuffled(figures)
    rows = tuple(tuple(figures[r * grid : (r + 1) * grid]) for r in range(grid))
    wrong = tuple(Distractor(n, f"off by {abs(n - right)}") for n in numbers if n != right)
    return Draft(Scene(rows, target), right, wrong)


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Find every answer that fits; it sees the scene alone, never how it was drawn."""
    squares = [form for row in scene.rows for form in row]
    return Proof((squares.count(scene.asked),), len(squares))


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    """Draw the pictures of a scene: one, with lettered options below."""
    sheet = Sheet(len(scene.rows), len(scene.rows), len(options), side=SIDE)
    canvas = sheet.canvas()
    for row, boxes in zip(scene.rows, sheet.boxes, strict=True):
        for form, box in zip(row, boxes, strict=True):
            if form != NOTHING:
                draw_cell(canvas, CellFigures(form), box, 1)
    for option, box in zip(options, sheet.option_boxes, strict=True):
        canvas.text(box.cx, box.cy, str(option), 18, (0, 0, 0), 2)
    return (canvas.pixels,)


def question(scene: Scene) -> tuple[Say, ...]:
    """Return the sentences that ask."""
    return (say("ask", form=scene.asked),)


def twin(scene: Scene) -> tuple[Say, ...]:
    """Return the scene in lines."""
    rows = [
        say("row", row=number, things=tuple(map(_thing, row)))
        for number, row in enumerate(scene.rows, 1)
    ]
    return (*rows, *question(scene))


def _thing(form: str) -> Say:
    return say("figure", form=form) if form else say("gap")


def from_twin(lines: Sequence[Say]) -> Scene:
    """Return the inverse of `twin`."""
    *rows, ask = lines
    things: list[Any] = [row["things"] for row in rows]
    return Scene(tuple(tuple(map(_form, row)) for row in things), str(ask["form"]))


def _form(one: Say) -> str:
    return str(one["form"]) if one.template == "figure" else NOTHING


FAMILY = register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda number: say("number", number=number),
        scene_type=Scene,
        answer_types=("choice", "open"),
        options=(4,),
        output_format=OutputFormat("value", labels=("ANSWER",)),
        **declared(__file__, COMMON),
    )
)
