"""Circle right triangle: does some triangle have a circle immediately to its right?

Size n (both editions): n circles and min(n, 36 - n) triangles on a board of 6 x 6 cells.
Paper edition: 800 x 800 px, cells drawn at random, blue circles and red upward triangles, a title
and tick numbers. The paper's text asks for a triangle right of a circle; followed is the code (and
the released prompt), with which the published figures were obtained.
Audited: yes and no are balanced 5:5 (yes made 76 %, and 100 % of large boards). Every run of filled
cells in a row has its circles left of its triangles, which is a no; a yes differs in one run only,
in which exactly one triangle comes to stand left of a circle. So both answers have as many
neighbors, and to know the answer one has to look everywhere. Colors are random: they told the
shapes apart. No tick numbers and no title.
"""

from __future__ import annotations

from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_grid import (
    BoardPiece,
    CellBoard,
    draw_pieces,
    pieces_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Twin, by_cell, grid
from gfactor.imaging import BLACK, FOUR, PALETTES, WHITE, Canvas, Frame, Pixels
from gfactor.items import Cell, ItemRandom, OutputFormat

SIDE = 6
PAPER_COLORS = {"circle": "blue", "triangle": "red"}


@dataclass(frozen=True)
class Scene:
    frame: Frame
    board: CellBoard
    palette: str
    r: int
    pieces: tuple[BoardPiece, ...]
    is_plot: bool


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    kinds = ["circle"] * size + ["triangle"] * min(size, SIDE * SIDE - size)
    if edition == "paper":
        board = CellBoard(SIDE, SIDE, 102, 100, 96)
        cells = rng.sample(board.cells(), len(kinds))
        pieces = [BoardPiece(k, *c, PAPER_COLORS[k]) for k, c in zip(kinds, cells, strict=True)]
        return Scene(Frame(800, 800), board, "css", 41, tuple(pieces), True)
    is_yes = rng.balanced((True, False))
    board = CellBoard(SIDE, SIDE, 84, 20, 20)
    filled = _ordered(rng, board, kinds, is_yes)
    pieces = [BoardPiece(kind, *cell, rng.choice(list(FOUR))) for cell, kind in filled.items()]
    return Scene(Frame(544, 544), board, "four", 32, tuple(pieces), False)


def _ordered(rng: ItemRandom, board: CellBoard, kinds: list[str], is_yes: bool) -> dict[Cell, str]:
    """A filled board on which exactly one (yes) or no triangle has a circle to its right."""
    row, column = rng.integer(0, SIDE - 1), rng.integer(0, SIDE - 2)
    # A circle and a triangle are neighbors from the start, so that at least one run can be odd.
    filled: dict[Cell, str] = {(row, column): kinds[0], (row, column + 1): kinds[-1]}
    free = rng.shuffled([cell for cell in board.cells() if cell not in filled])
    filled.update(zip(free, kinds[1:-1], strict=False))
    runs = _runs(filled)
    odd = rng.choice([run for run in runs if len({filled[cell] for cell in run}) == 2])
    for run in runs:
        circles = sum(filled[cell] == "circle" for cell in run)
        line = _line(rng, circles, len(run) - circles, is_yes and run is odd)
        filled.update(zip(run, line, strict=True))
    return dict(sorted(filled.items()))


def _runs(filled: dict[Cell, str]) -> list[list[Cell]]:
    """The filled cells as runs of horizontal neighbors, left to right."""
    runs: list[list[Cell]] = []
    for row, column in sorted(filled):
        if runs and runs[-1][-1] == (row, column - 1):
            runs[-1].append((row, column))
        else:
            runs.append([(row, column)])
    return runs


def _line(rng: ItemRandom, circles: int, triangles: int, is_odd: bool) -> list[str]:
    """Circles, then triangles; an odd line has its last circles amid its triangles."""
    late = rng.integer(1, circles) if is_odd else 0
    early = rng.integer(1, triangles) if is_odd else 0
    return (
        ["circle"] * (circles - late)
        + ["triangle"] * early
        + ["circle"] * late
        + ["triangle"] * (triangles - early)
    )


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas, board = Canvas(scene.frame), scene.board
    board.draw(canvas, width=1 if scene.is_plot else 2)
    draw_pieces(canvas, board, scene.pieces, scene.r, scene.palette,
                BLACK if scene.is_plot else None)  # fmt: skip
    if scene.is_plot:
        bottom = board.top + SIDE * board.side
        canvas.text(scene.frame.width // 2, 60, "CIRCLES AND TRIANGLES", 14, BLACK, 1)
        for tick in range(SIDE + 1):
            canvas.text(board.left + tick * board.side, bottom + 18, str(tick), 10, BLACK, 1)
            canvas.text(board.left - 18, bottom - tick * board.side, str(tick), 10, BLACK, 1)
    return (canvas.pixels,)


def answer(scene: Scene) -> str:
    kinds = {piece.cell: piece.kind for piece in scene.pieces}
    is_there = any(
        kind == "triangle" and kinds.get((row, column + 1)) == "circle"
        for (row, column), kind in kinds.items()
    )
    return "YES" if is_there else "NO"


def legibility(scene: Scene) -> Legibility:
    colors = [PALETTES[scene.palette][c] for c in sorted({p.color for p in scene.pieces})]
    return pieces_legibility(scene.board, scene.r, [*colors, WHITE])


register(
    Domain(
        name="circle_right_triangle",
        skills=("Visual Spatial Relationships",),
        prompt=Prompt(
            input=("You see a grid; some of its cells hold a circle or a triangle.",),
            rules=(
                "Look for a cell with a triangle whose neighbor immediately to the right, in the "
                "same row, holds a circle.",
                "Colors do not matter.",
                "Say YES if there is at least one such triangle, otherwise NO.",
            ),
            output=("Answer in one line with one word, YES or NO.",),
        ),
        output_format=OutputFormat("value", atom="word", vocabulary=("YES", "NO")),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        twin=Twin((grid(1), Objects("pieces", "piece", order=by_cell, first=1))),
    )
)
