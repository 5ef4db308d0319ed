"""Grid path: find the links between cells, follow them as the arrows point, name the shapes."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from gfactor.examinees.observer.grids import CellInteriors, colored, gray_ink, lattice_of, share
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import Mask, kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

WORDS = {"circle": "circle", "square": "square", "triangle_down": "triangle"}
Cell = tuple[int, int]
Links = dict[tuple[Cell, Cell], float]


@solver("grid_path")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    lattice, line, ink = lattice_of(picture), gray_ink(picture, 110), colored(picture)
    path = _follow(_links(lattice, line))
    if not path:
        path = [max(lattice.cells, key=lambda cell: lattice.share(line, cell, inset=2))]
    words = [WORDS[kind_of(_hull(lattice.patch(ink, cell)), tuple(WORDS))] for cell in path]
    return "SHAPES: " + ", ".join(perception.hold(words, guesses=tuple(WORDS.values())))


def _links(lattice: CellInteriors, line: Mask) -> Links:
    """Neighbors joined by the line, with the surplus of ink on the side of the first one."""
    links: Links = {}
    for row, column in lattice.cells:
        patch = lattice.patch(line, (row, column))
        depth, middle = max(1, len(patch) // 20), len(patch) // 2
        band = slice(middle - middle // 4, middle + middle // 4)
        for there, linked, other in (
            ((row, column + 1), np.s_[band, -depth:], np.s_[band, :depth]),
            ((row + 1, column), np.s_[-depth:, band], np.s_[:depth, band]),
        ):
            if there[0] < len(lattice.rows) and there[1] < len(lattice.columns):
                first = share(patch[linked])
                second = share(lattice.patch(line, there)[other])
                if min(first, second) > 0.1:
                    links[(row, column), there] = first - second
    return links


def _follow(links: Links) -> list[Cell]:
    """Return the cells along the links; an arrow's head is broad at its base."""
    near: dict[Cell, list[Cell]] = {}
    for one, other in links:
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    path = [cell for cell, others in near.items() if len(others) == 1][:1]
    while path and (ahead := [cell for cell in near[path[-1]] if cell not in path]):
        path.append(ahead[0])
    forward = sum(links.get((a, b), 0) - links.get((b, a), 0) for a, b in pairwise(path))
    return path if forward >= 0 else path[::-1]


def _hull(mask: Mask) -> Mask:
    """The convex hull of a mask: a shape without the line that crosses it."""
    filled = np.zeros(mask.shape, np.uint8)
    points = cv2.findNonZero(mask.astype(np.uint8))
    if points is None:
        raise ValueError("a cell is empty")
    cv2.fillConvexPoly(filled, cv2.convexHull(points), 1)
    return filled.astype(bool)
