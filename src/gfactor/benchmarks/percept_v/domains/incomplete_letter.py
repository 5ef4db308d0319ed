"""Incomplete letter: which letter do the remaining cells belong to?

The paper has no domain for Visual Closure alone; this one is in the audited edition only. Letters
with missing parts test closure in the concealed words of the ETS kit (Ekstrom et al. 1976, CS-2)
and in the incomplete letters of VOSP (Warrington and James 1991). There is one letter: nothing is
counted, compared, turned or listed. Size n: 46 to 22 cells of the letter are left, one or two fewer
at every size. Every letter keeps as many cells, so that ink does not tell them apart. Letters are
such that none lies within another; of the cells that are left at least three lie beside any other
letter, wherever it is put. Letters are balanced.
"""

from __future__ import annotations

from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_letters import grid_of, most_in_common, rivals
from gfactor.benchmarks.percept_v.parts import Ground, canvas_on, ground_color, roving_ground
from gfactor.imaging import BLACK, Frame, Pixels
from gfactor.imaging.mosaics import COLUMNS, LETTERS, ROWS, Cell, letter_cells
from gfactor.items import ItemRandom, OutputFormat

FRAME = Frame(640, 640)
CELLS_PX = (20, 24)
"""Smallest and largest side of a cell, in pixels."""
BESIDE = 3
"""Least number of cells that lie outside any other letter."""
MARGIN = 12


@dataclass(frozen=True)
class Scene:
    """A letter with its upper left corner at (x, y), and the remaining cells (row, column)."""

    frame: Frame
    letter: str
    x: int
    y: int
    cell_px: int
    left: tuple[Cell, ...]
    ground: Ground


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    letter = rng.balanced(tuple(LETTERS))
    cell = rng.integer(*CELLS_PX)
    x = rng.integer(MARGIN, FRAME.width - MARGIN - COLUMNS * cell)
    y = rng.integer(MARGIN, FRAME.height - MARGIN - ROWS * cell)
    while True:
        left = sorted(rng.sample(letter_cells(letter), remaining(size)))
        grid = grid_of(left, ROWS, COLUMNS)
        if all(len(left) - most_in_common(grid, other) >= BESIDE for other in rivals(letter)):
            return Scene(FRAME, letter, x, y, cell, tuple(left), roving_ground(rng))


def remaining(size: int) -> int:
    """Return the number of remaining cells of a letter."""
    return 47 - 5 * size // 4


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas, side = canvas_on(scene.frame, scene.ground), scene.cell_px
    for row, column in scene.left:
        x, y = scene.x + column * side, scene.y + row * side
        canvas.rectangle(x, y, x + side, y + side, BLACK)
    return (canvas.pixels,)


def answer(scene: Scene) -> str:
    return scene.letter


def legibility(scene: Scene) -> Legibility:
    return Legibility(scene.cell_px, scene.cell_px, (BLACK, ground_color(scene.ground)))


register(
    Domain(
        name="incomplete_letter",
        skills=("Visual Closure",),
        prompt=Prompt(
            input=("You see one large capital letter, of which parts are missing.",),
            rules=(
                f"The letter is upright and one of {', '.join(LETTERS)}.",
                "Find out which of these it would be if it were complete.",
            ),
            output=("Answer in one line of the form LETTER:x where x is the letter.",),
        ),
        output_format=OutputFormat("value", ("LETTER",), "word", tuple(LETTERS)),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        editions=("audited",),
        guess=lambda _: 1 / len(LETTERS),
    )
)
