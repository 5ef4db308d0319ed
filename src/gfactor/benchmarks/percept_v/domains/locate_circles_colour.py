"""Locate circles colour: where on a board full of circles are the green ones?

Size n (both editions): n green circles on a board of 6 x 6 cells; every other cell holds a circle
of another color.
Paper edition: 680 x 680 px, the others red, blue, purple or yellow. Paper and code agree (the
released default is 6 x 6).
Audited: the others are red, blue or yellow, which color-blind people can distinguish from green,
and the place of a single green circle is balanced.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gfactor.benchmarks.percept_v.domain import Domain, Edition, Legibility, Prompt, register
from gfactor.benchmarks.percept_v.layouts_grid import (
    BoardPiece,
    CellBoard,
    balanced_cells,
    draw_pieces,
    pieces_legibility,
)
from gfactor.benchmarks.percept_v.twins import Objects, Twin, by_cell, grid
from gfactor.imaging import PALETTES, WHITE, Canvas, Frame, Pixels
from gfactor.items import Cell, ItemRandom, OutputFormat

TARGET = "green"


@dataclass(frozen=True)
class Scene:
    frame: Frame
    board: CellBoard
    palette: str
    r: int
    pieces: tuple[BoardPiece, ...]


def make(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    paper = edition == "paper"
    board = CellBoard(6, 6, 100, 40, 40) if paper else CellBoard(6, 6, 84, 52, 52)
    others = ("red", "blue", "purple", "yellow") if paper else ("red", "blue", "yellow")
    targets = rng.sample(board.cells(), size) if paper else balanced_cells(rng, board, size)
    pieces = [
        BoardPiece("circle", *cell, TARGET if cell in targets else rng.choice(others))
        for cell in board.cells()
    ]
    frame = Frame(680, 680) if paper else Frame(576, 576)
    return Scene(frame, board, "css" if paper else "four", 45 if paper else 32, tuple(pieces))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    scene.board.draw(canvas)
    scene.board.number(canvas, first=1)
    draw_pieces(canvas, scene.board, scene.pieces, scene.r, scene.palette)
    return (canvas.pixels,)


def answer(scene: Scene) -> frozenset[Cell]:
    return frozenset((p.row + 1, p.column + 1) for p in scene.pieces if p.color == TARGET)


def legibility(scene: Scene) -> Legibility:
    colors = [PALETTES[scene.palette][c] for c in sorted({p.color for p in scene.pieces})]
    return pieces_legibility(scene.board, scene.r, [*colors, WHITE])


register(
    Domain(
        name="locate_circles_colour",
        skills=("Visual Attention", "Visual Discrimination", "Visual Figure Ground"),
        prompt=Prompt(
            input=(
                "You see a grid with a colored circle in every cell; its rows and its columns are "
                "numbered from 1 along the margins.",
            ),
            rules=(
                "A cell is written (row,column).",
                "Find every cell that holds a green circle; the order does not matter.",
            ),
            output=(
                "Answer in one line with these cells, separated by spaces, in the form "
                "(row,column) (row,column) ...",
            ),
        ),
        output_format=OutputFormat("set", atom="cell"),
        scene_type=Scene,
        make=make,
        draw=draw,
        answer=answer,
        legibility=legibility,
        guess=lambda size: 1 / math.comb(36, size),
        twin=Twin((grid(1), Objects("pieces", "piece", order=by_cell, first=1))),
    )
)
