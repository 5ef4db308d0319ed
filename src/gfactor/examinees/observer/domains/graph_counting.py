"""Graph counting: find the discs, then look along the line from each disc to each other one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.grids import colored, gray_ink
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import blobs
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

LOOKS = 60
"""Number of points of a line at which to look for ink."""


@solver("graph_counting")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    discs = blobs(colored(picture), picture)
    centers = np.array([(b.cx, b.cy) for b in discs])
    r = max(b.size for b in discs) / 2
    ink = cv2.dilate(gray_ink(picture).astype(np.uint8), np.ones((3, 3), np.uint8))
    joined = [pair for pair in _inked(ink, centers, r) if not _is_blocked(centers, r, *pair)]
    things = ["node"] * len(discs) + ["edge"] * len(joined)
    remembered = perception.hold(things)
    return f"NODES:{remembered.count('node')} EDGES:{remembered.count('edge')}"


def _inked(ink: NDArray, centers: NDArray, r: float) -> list[tuple[int, int]]:
    """The pairs of discs between which ink leads all the way."""
    first, second = np.triu_indices(len(centers), 1)
    start, along = centers[first], centers[second] - centers[first]
    # The rims of the discs, where colors blend, do not count as ink.
    rim = (r + 3) / np.maximum(np.hypot(*along.T), 2 * r + 7)
    part = rim[:, None] + (1 - 2 * rim)[:, None] * np.linspace(0, 1, LOOKS)
    points = np.rint(start[:, None] + along[:, None] * part[..., None]).astype(int)
    inked = ink[points[..., 1], points[..., 0]].mean(axis=1) > 0.95
    return list(zip(first[inked].tolist(), second[inked].tolist(), strict=True))


def _is_blocked(centers: NDArray, r: float, a: int, b: int) -> bool:
    """Return True if a third disc lies on the line between two."""
    start, along = centers[a], centers[b] - centers[a]
    others = np.delete(centers, [a, b], axis=0) - start
    part = np.clip(others @ along / (along @ along), 0, 1)
    return bool((np.hypot(*(others - part[:, None] * along).T) < r).any())
