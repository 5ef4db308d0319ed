"""Grid path: which shapes does a line meet on its way through a board full of shapes?

Size n (both editions): the number of cells of a self-avoiding walk on a board of 6 x 6 cells.
Paper edition: 800 x 800 px; red, green, blue and purple; S and E are written over the shapes (over
each other at size 1); a walk that gets stuck is left short, as published. Paper and code agree.
Audited: a walk that gets stuck is drawn anew until it has n cells (half of the walks of 20 cells
were short). S stands in the upper left corner of the first cell, E in the upper right one of the
last, so that they hide nothing and stay apart where a walk has one cell only. Shapes leave room
for the arrow heads. The first two shapes are balanced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_grid import (
    BoardPiece,
    CellBoard,
    draw_pieces,
    pieces_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Plain, Twin, WrittenFields, by_cell, grid
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import BLACK, FOUR, PALETTES, WHITE, Canvas, Frame, Pixels
from gfactor.items import Cell, ItemRandom, OutputFormat

WORDS = {"circle": "circle", "square": "square", "triangle_down": "triangle"}
KINDS = tuple(WORDS)
HEADS = {
    (0, 1): "triangle_right",
    (0, -1): "triangle_left",
    (1, 0): "triangle_down",
    (-1, 0): "triangle",
}
"""Arrow head by the step in rows and columns."""

GRAY = (120, 120, 120)


@dataclass(frozen=True)
class Scene:
    frame: Frame
    board: CellBoard
    palette: str
    r: int
    pieces: tuple[BoardPiece, ...]
    path: tuple[Cell, ...]
    has_corner_marks: bool


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    paper = edition == "paper"
    board = CellBoard(6, 6, 133, 1, 1) if paper else CellBoard(6, 6, 100, 20, 20)
    path = _walk(rng, board, size)
    while len(path) < size and not paper:
        path = _walk(rng, board, size)
    kinds = {cell: rng.choice(KINDS) for cell in board.cells()}
    if not paper:
        balanced = rng.balanced([(a, b) for a in KINDS for b in KINDS][: 9 if size > 1 else 3])
        kinds.update(zip(path, reversed(balanced), strict=False))
    colors = ("red", "green", "blue", "purple") if paper else tuple(FOUR)
    pieces = tuple(BoardPiece(kind, *cell, rng.choice(colors)) for cell, kind in kinds.items())
    frame = Frame(800, 800) if paper else Frame(640, 640)
    return Scene(frame, board, "css" if paper else "four", 61 if paper else 33, pieces,
                 tuple(path), not paper)  # fmt: skip


def _walk(rng: ItemRandom, board: CellBoard, length: int) -> list[Cell]:
    """Draw a walk that visits no cell twice, of `length` cells or until it is stuck."""
    path = [rng.choice(board.cells())]
    while len(path) < length:
        ways = [cell for cell in board.neighbors(path[-1]) if cell not in path]
        if not ways:
            break
        path.append(rng.choice(ways))
    return path


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas, board = Canvas(scene.frame), scene.board
    board.draw(canvas, GRAY if scene.has_corner_marks else BLACK)
    draw_pieces(canvas, board, scene.pieces, scene.r, scene.palette)
    for cell, there in pairwise(scene.path):
        (x1, y1), (x2, y2) = board.center(*cell), board.center(*there)
        canvas.line(x1, y1, x2, y2, BLACK, 4)
        head = HEADS[there[0] - cell[0], there[1] - cell[1]]
        canvas.shape(head, (x1 + x2) / 2, (y1 + y2) / 2, board.side // 9, BLACK)
    for letter, cell, side in (("S", scene.path[0], -1), ("E", scene.path[-1], 1)):
        x, y = board.center(*cell)
        if scene.has_corner_marks:
            canvas.text(x + side * 0.37 * board.side, y - 0.36 * board.side, letter, 22, BLACK, 3)
        else:
            canvas.text(x, y, letter, board.side // 2, BLACK, 5)
    return (canvas.pixels,)


def answer(scene: Scene) -> tuple[str, ...]:
    kinds = {piece.cell: piece.kind for piece in scene.pieces}
    return tuple(WORDS[kinds[cell]] for cell in scene.path)


def legibility(scene: Scene) -> Legibility:
    colors = [PALETTES[scene.palette][c] for c in sorted({p.color for p in scene.pieces})]
    return pieces_legibility(scene.board, scene.r, [*colors, WHITE, BLACK])


def _in_words(scene: Plain) -> Iterator[Say]:
    """Both ends, and the arrows by position, so that the reader has to follow them."""
    path = [(row + 1, column + 1) for row, column in scene["path"]]
    for template, (row, column) in (("start", path[0]), ("end", path[-1])):
        yield say(template, row=row, column=column)
    for (row1, column1), (row2, column2) in sorted(pairwise(path)):
        yield say("arrow", row1=row1, column1=column1, row2=row2, column2=column2)


def _from_words(says: Sequence[Say], read_facts: Plain) -> Plain:
    marks = {one.template: (one["row"], one["column"]) for one in says if one.template != "arrow"}
    arrows = [one for one in says if one.template == "arrow"]
    ways = {(a["row1"], a["column1"]): (a["row2"], a["column2"]) for a in arrows}
    path = [marks["start"]]
    while path[-1] in ways:
        path.append(ways[path[-1]])
    return {"path": [[int(str(row)) - 1, int(str(column)) - 1] for row, column in path]}


register(
    Domain(
        name="grid_path",
        skills=("Visual Sequential Memory",),
        prompt=Prompt(
            input=(
                "You see a grid with a colored shape in every cell: a circle, a square or a "
                "triangle.",
                "A black line with arrow heads leads from the cell marked S to the cell marked E; "
                "both marks may be in the same cell.",
            ),
            rules=(
                "Follow the line from S to E.",
                "Name the shape of every cell on the way, in this order, with the cells of S and "
                "E; do not name colors.",
            ),
            output=(
                "Answer in one line of the form SHAPES: x, y, ... where each of x, y, ... is one "
                "of the words circle, square, triangle.",
            ),
        ),
        output_format=OutputFormat(
            "list", ("SHAPES",), atom="word", vocabulary=tuple(WORDS.values()), separator=","
        ),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 3.0**-size,
        twin=Twin(
            (
                grid(1),
                Objects("pieces", "piece", order=by_cell, first=1),
                WrittenFields(("path",), ("start", "end", "arrow"), _in_words, _from_words),
            )
        ),
    )
)
