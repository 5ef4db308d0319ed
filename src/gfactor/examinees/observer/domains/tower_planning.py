"""tower_planning: read both boards, try moves breadth first, give the first move of the way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import read_number
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import FORMS, INK, SHADES, Box, draw_form
from gfactor.imaging.measures.tower_planning import ABOVE, BASE, GAP, PEG, PEGS, STEP, TOP

_DARK = 128

Places = tuple[tuple[str, ...], ...]


@solver("tower_planning")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    picture = pictures[0]
    count = (picture.shape[0] - TOP - BASE) // STEP - 1
    start, goal = (_board(picture, left, count) for left in (0, PEGS * PEG + GAP))
    room = [_room(picture, peg, count) for peg in range(PEGS)]
    goal = _remembered(goal, perception)
    n_moves = _moves_wanted(picture)
    nearest, best = -1, ""
    for first, after in perception.consider(_search(start, room, n_moves)):
        # If the goal is not reached, the way to the state most like it is taken.
        pegs = zip(after, goal, strict=True)
        alike = sum(a == b for one, two in pegs for a, b in zip(one, two, strict=False))
        if alike > nearest:
            nearest, best = alike, first
        if after == goal:
            return f"ANSWER:{first}"
    return f"ANSWER:{best}"


def _remembered(goal: Places, perception: Perception) -> Places:
    """The goal as it is remembered; a lost piece is replaced by another one."""
    pieces = [piece for peg in goal for piece in peg]
    pieces_left = iter(perception.hold(pieces, pieces))
    return tuple(tuple(next(pieces_left) for _ in peg) for peg in goal)


def _moves_wanted(picture: Pixels) -> int:
    """The number of moves asked for: it is written above the arrow; without a number it is 1."""
    height, width = picture.shape[:2]
    box = Box(width // 2 - 20, height // 2 - ABOVE - 20, 40)
    return read_number(picture, box) if _ink(box.of(picture)) > 0.02 else 1


def _search(start: Places, room: list[int], n_moves: int) -> Iterator[tuple[str, Places]]:
    """Every state that can be reached, nearest first, with the first moves of a way to it."""
    seen, edge = {start}, [("", start)]
    while edge:
        reached: list[tuple[str, Places]] = []
        for first, positions in edge:
            for source, target in product(range(PEGS), repeat=2):
                if (
                    source == target
                    or not positions[source]
                    or len(positions[target]) >= room[target]
                ):
                    continue
                after = list(positions)
                after[source] = positions[source][:-1]
                after[target] = (*positions[target], positions[source][-1])
                if tuple(after) not in seen:
                    seen.add(tuple(after))
                    way = first if len(first) == 2 * n_moves else f"{first}{source + 1}{target + 1}"
                    reached.append((way, tuple(after)))
                    yield reached[-1]
        edge = reached


def _board(picture: Pixels, left: int, count: int) -> Places:
    """The pieces on the pegs of a board, from the bottom to the top."""
    floor = picture.shape[0] - BASE
    pegs = []
    for peg in range(PEGS):
        x, pieces = left + peg * PEG + PEG // 2, []
        for level in range(count):
            y = floor - level * STEP - STEP // 2
            patch = picture[y - STEP // 2 : y + STEP // 2, x - STEP // 2 : x + STEP // 2]
            # Beside the peg there is ink only at a piece.
            if min(_ink(patch[:, :17]), _ink(patch[:, 23:])) < 0.02:
                break
            pieces.append(_piece(patch))
        pegs.append(tuple(pieces))
    return tuple(pegs)


def _ink(patch: Pixels) -> float:
    return float((patch < _DARK).mean())


def _room(picture: Pixels, peg: int, count: int) -> int:
    """Return the number of pieces that fit on a peg: as high as its line goes."""
    floor, x = picture.shape[0] - BASE, peg * PEG + PEG // 2
    heights = [n for n in range(1, count + 1) if picture[floor - n * STEP - 2, x].max() < _DARK]
    return max(heights, default=1)


def _looked(patch: Pixels) -> NDArray[np.float32]:
    small = cv2.resize(patch.mean(axis=-1), (20, 20), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _piece(patch: Pixels) -> str:
    templates = _templates()
    seen = _looked(patch)
    return min(templates, key=lambda name: float(((templates[name] - seen) ** 2).sum()))


@lru_cache(maxsize=1)
def _templates() -> dict[str, NDArray[np.float32]]:
    """Every piece as it looks on a peg."""
    result = {}
    for form, shade in product(FORMS, SHADES):
        canvas = Canvas(Frame(STEP, STEP))
        canvas.rectangle(STEP // 2 - 1, 0, STEP // 2 + 2, STEP, INK)
        draw_form(canvas, form, STEP / 2, STEP / 2, STEP * 0.45, shade)
        result[f"{shade} {form}"] = _looked(canvas.pixels)
    return result
