"""paper_folding: find each fold by folding in the perception, read the punches, unfold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.numbers import board_of
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import near
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.measures.paper_folding import MARGIN, PANEL, UNIT
from gfactor.imaging.paper import (
    FIELDS,
    INK,
    SIZE,
    Fold,
    draw_paper,
    fold_lines,
    folded,
    moves,
    position,
)

BOARDS = [Board((PANEL,) * (folds + 1), 4, PANEL) for folds in (4, 3, 2, 1)]

Spots = tuple[tuple[int, int], ...]


@solver("paper_folding")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels, board = pictures[0], _board(pictures[0])
    folds: list[Fold] = []
    for panel in board.panels[:-1]:
        folds.append(_last_fold(pixels, panel, folds))
    punches = _dots(pixels, board.panels[-1])
    options = [_dots(pixels, panel) for panel in board.option_panels]
    # Unfolding makes one hole after the other; all of them are held.
    holes = list(perception.consider(_unfolded(folds, punches)))
    remembered = set(perception.hold(holes))
    if len(remembered) == len(holes):
        wrong = [len(remembered ^ set(option)) for option in options]
    else:
        # If holes are lost, it is unknown which holes of an option are too many.
        wrong = [len(remembered - set(option)) for option in options]
    best = [k for k, n in enumerate(wrong) if n == min(wrong)]
    return letter(best[0] if len(best) == 1 else perception.guess(best))


def _unfolded(folds: list[Fold], punches: Spots) -> Iterator[tuple[int, int]]:
    """The holes in the order in which they come up as the paper is unfolded."""
    holes = [point for point in FIELDS if position(point, folds) in punches]
    opened: set[tuple[int, int]] = set()
    for left in range(len(folds), -1, -1):
        for point in holes:
            if point not in opened and position(point, folds[:left]) == point:
                opened.add(point)
                yield point


def _board(pixels: Pixels) -> Board:
    """The board whose frames are in the picture: all are equally wide, and the one with most panels
    is tried first."""
    for board in BOARDS:
        if (board.width, board.height) == (pixels.shape[1], pixels.shape[0]):
            edge = board.panels[0]
            if near(
                pixels[edge.y + 20 : edge.y + 120, edge.x : edge.x + 1], (150, 150, 150), 60
            ).all():
                return board
    return board_of(pixels, BOARDS)


def _last_fold(pixels: Pixels, panel: Panel, before: list[Fold]) -> Fold:
    """The fold after which the paper looks as in the panel."""
    seen = panel.of(pixels).astype(np.int16)
    layers, best = folded(before), (float("inf"), fold_lines()[0])
    for fold in fold_lines():
        after = folded([*before, fold])
        if moves(layers, fold) == (True, True) and all(
            0 <= v <= SIZE for layer in after for p in layer for v in p
        ):
            away = float(np.abs(_drawn((*before, fold)) - seen).sum())
            if away < best[0]:
                best = (away, fold)
    return best[1]


@lru_cache(maxsize=512)
def _drawn(folds: tuple[Fold, ...]) -> NDArray[np.int16]:
    """The panel with the paper after these folds."""
    canvas = Canvas(Frame(*PANEL))
    draw_paper(canvas, (MARGIN, MARGIN), UNIT, folds, arrow=True)
    return Panel(0, 0, *PANEL).of(canvas.pixels).astype(np.int16)


def _dots(pixels: Pixels, panel: Panel) -> Spots:
    """The fields with a dot."""
    dark = near(pixels, INK, 70)
    x, y = panel.x + MARGIN, panel.y + MARGIN
    return tuple(
        (fx, fy)
        for fx, fy in FIELDS
        if dark[y + fy * UNIT - 3 : y + fy * UNIT + 4, x + fx * UNIT - 3 : x + fx * UNIT + 4].mean()
        > 0.8
    )
