"""Locate circles shape: where on a board full of green shapes are the circles?

Size n (both editions): n circles on a board of 6 x 6 cells; every other cell holds a square or a
triangle that points down. All shapes are green.
Paper edition: 680 x 680 px; all shapes are inscribed in the same circle (in the published pictures
squares and triangles fill their cells). Paper and code agree (the released default is 6 x 6).
Audited: the prompt no longer speaks of colors that do not occur, and the place of a single circle
is balanced.
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

TARGET, COLOR = "circle", "green"
OTHERS = ("square", "triangle_down")


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
    targets = rng.sample(board.cells(), size) if paper else balanced_cells(rng, board, size)
    pieces = [
        BoardPiece(TARGET if cell in targets else rng.choice(OTHERS), *cell, COLOR)
        for cell in board.cells()
    ]
    frame = Frame(680, 680) if paper else Frame(576, 576)
    return Scene(frame, board, "css" if paper else "four", 45 if paper else 36, tuple(pieces))


def draw(scene: Scene) -> tuple[Pixels, ...]:
    canvas = Canvas(scene.frame)
    scene.board.draw(canvas)
    scene.board.number(canvas, first=1)
    draw_pieces(canvas, scene.board, scene.pieces, scene.r, scene.palette)
    return (canvas.pixels,)


def answer(scene: Scene) -> frozenset[Cell]:
    return frozenset((p.row + 1, p.column + 1) for p in scene.pieces if p.kind == TARGET)


def legibility(scene: Scene) -> Legibility:
    return pieces_legibility(scene.board, scene.r, [PALETTES[scene.palette][COLOR], WHITE])


register(
    Domain(
        name="locate_circles_shape",
        skills=("Visual Attention", "Visual Discrimination", "Visual Figure Ground"),
        prompt=Prompt(
            input=(
                "You see a grid with a green shape in every cell; its rows and its columns are "
                "numbered from 1 along the margins.",
            ),
            rules=(
                "A cell is written (row,column).",
                "Every shape is a circle, a square or a triangle.",
                "Find every cell that holds a circle; the order does not matter.",
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
