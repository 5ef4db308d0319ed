"""Hidden letter: which letter is hidden among the dots?

The paper has no domain for Visual Figure Ground alone; this one is in the audited edition only. A
letter in visual noise tests whether a figure is found on a busy ground, as in the screening test of
VOSP (Warrington and James 1991). There is one letter: nothing is counted, compared, turned or
listed, and no part of it is missing.
Size n: 94 + 6n to 134 + 6n of 576 dots are dark, those of the letter among them.
The number of dark dots is drawn without regard to the letter, and other dark dots fill the
quadrants that have fewer, so that neither tells the letter. All dots of the letter are dark; of any
other letter at least four are light, wherever it is put. Letters are balanced.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_letters import Grid, grid_of, most_in_common, rivals
from gfactor.imaging import RGB, WHITE, Canvas, Frame, Pixels
from gfactor.imaging.mosaics import COLUMNS, LETTERS, ROWS, Cell, letter_cells
from gfactor.items import ItemRandom, OutputFormat

ACROSS, DOWN = 24, 24
"""Number of dots in a row and in a column."""
CELL_PX = 28
RADII = (10, 11)
"""A dot of the larger radius that is moved by a pixel stays two pixels within its cell."""
DARK, LIGHT = (30, 80), (160, 205)
"""Darkest and lightest shade of dark dots, and of light ones."""
UNEVEN = 16
"""Largest difference in dark dots between quadrants, if there is room to level them."""
BESIDE = 4
"""Least number of dots of any other letter that are light."""


@dataclass(frozen=True)
class Scene:
    """Rows of dots, `#` for a dark one and `.` for a light one; `seed` determines their looks."""

    frame: Frame
    letter: str
    row: int
    column: int
    dots: tuple[str, ...]
    seed: int


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    letter = rng.balanced(tuple(LETTERS))
    row, column = rng.integer(0, DOWN - ROWS), rng.integer(0, ACROSS - COLUMNS)
    count = 94 + 6 * size + rng.integer(0, 40)
    letter_dots = [(row + r, column + c) for r, c in letter_cells(letter)]
    while True:
        dark = {*letter_dots, *_scattered(rng, letter_dots, count - len(letter_dots))}
        grid = grid_of(dark, DOWN, ACROSS)
        if all(_is_broken(grid, other) for other in rivals(letter)):
            break
    dots = tuple("".join(".#"[(r, c) in dark] for c in range(ACROSS)) for r in range(DOWN))
    frame = Frame(ACROSS * CELL_PX, DOWN * CELL_PX)
    return Scene(frame, letter, row, column, dots, rng.integer(0, 2**32 - 1))


def _scattered(rng: ItemRandom, letter_dots: Sequence[Cell], count: int) -> list[Cell]:
    """Other dark dots, each in the quadrant with the fewest; quadrants differ by chance alone."""
    cells = rng.shuffled([c for c in product(range(DOWN), range(ACROSS)) if c not in letter_dots])
    free = {quadrant: [c for c in cells if _quadrant(c) == quadrant] for quadrant in range(4)}
    dark_by_quadrant = Counter(map(_quadrant, letter_dots))
    filled = {quadrant: dark_by_quadrant[quadrant] + rng.integer(0, UNEVEN) for quadrant in free}
    scattered: list[Cell] = []
    for _ in range(count):
        emptiest = min(filled, key=lambda quadrant: filled[quadrant])
        scattered.append(free[emptiest].pop())
        filled[emptiest] += 1
    return scattered


def _quadrant(cell: Cell) -> int:
    return 2 * (cell[0] >= DOWN // 2) + (cell[1] >= ACROSS // 2)


def _is_broken(grid: Grid, letter: str) -> bool:
    return len(letter_cells(letter)) - most_in_common(grid, letter) >= BESIDE


@dataclass(frozen=True)
class _Dot:
    x: int
    y: int
    r: int
    shade: int


def _dots(dots: Sequence[str], seed: int) -> Iterator[_Dot]:
    """Return the dots, each moved by a pixel at most, with a radius and a shade of its own."""
    looks = iter(hashlib.shake_256(f"dots {seed}".encode()).digest(4 * ACROSS * DOWN))
    for row, line in enumerate(dots):
        for column, sign in enumerate(line):
            right, down, large, light = (next(looks) for _ in range(4))
            low, high = DARK if sign == "#" else LIGHT
            yield _Dot(
                x=column * CELL_PX + CELL_PX // 2 + right % 3 - 1,
                y=row * CELL_PX + CELL_PX // 2 + down % 3 - 1,
                r=RADII[large % 2],
                shade=low + light % (high - low + 1),
            )


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    for dot in _dots(scene.dots, scene.seed):
        canvas.disc(dot.x, dot.y, dot.r, _gray(dot.shade))
    return (canvas.pixels,)


def _gray(shade: int) -> RGB:
    return (shade, shade, shade)


def answer(scene: Scene) -> str:
    return scene.letter


def legibility(scene: Scene) -> Legibility:
    gap = CELL_PX - 2 * RADII[1] - 2
    return Legibility(2 * RADII[0], gap, (_gray(DARK[1]), _gray(LIGHT[0]), WHITE))


register(
    Domain(
        name="hidden_letter",
        skills=("Visual Figure Ground",),
        prompt=Prompt(
            input=("You see many dots, dark and light ones.",),
            rules=(
                "Among them dark dots form one large capital letter, upright and complete, with "
                "strokes two dots wide; other dark dots are scattered over the picture.",
                f"The letter is one of {', '.join(LETTERS)}.",
                "Find out which of these is hidden among the dots.",
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
