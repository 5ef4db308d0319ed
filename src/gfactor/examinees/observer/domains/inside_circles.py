"""Inside circles: find the dot and every circle, then see whether a circle holds the dot."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import Mask, near
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import BLACK, Pixels


@solver("inside_circles")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    red = picture[..., 0].astype(np.int16) - picture[..., 1] > 80
    if not red.any():
        raise ValueError("the picture shows no dot")
    y, x = np.argwhere(red).mean(axis=0)
    circles = perception.hold(rings(near(picture, BLACK, 130)))
    return "ANSWER:Yes" if any(circle.holds(x, y) for circle in circles) else "ANSWER:No"


_STEP = 12
"""Pixels between scan lines: the smallest circles are crossed by several."""

_SMALLEST_RADIUS = 14
"""Smallest radius in pixels; the corners between crossing outlines contain smaller round gaps."""

_MOST_CROSSINGS = 60
"""Largest number of crossings of a line, for some twenty circles; more are noise."""

_LOOKS = (4, 16, 180)
"""Numbers of points examined around a proposed circle: few dismiss most proposals, many confirm the
rest."""

_SEEN = 0.97
"""Share of those points that must lie on ink."""

_SAME_PX = 5
"""Total difference of centers and radii below which two proposals are one circle."""


@dataclass(frozen=True)
class Ring:
    """A circle's center and radius in pixels."""

    cx: float
    cy: float
    r: float

    def holds(self, x: float, y: float) -> bool:
        """Return True if a point is inside."""
        return math.hypot(x - self.cx, y - self.cy) < self.r


def rings(ink: Mask) -> list[Ring]:
    """Return the circles whose outlines are in `ink` and wholly within it.

    Raises ValueError if a line has more crossings than outlines could make.
    """
    across, down = _crossings(ink), _crossings(ink.T)
    proposed = np.concatenate([_proposals(across, down), _proposals(down, across)[:, [1, 0, 2]]])
    # One pixel of tolerance all round, because a proposal of some scan line is that exact.
    tolerant = cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8))
    for points in _LOOKS:
        proposed = proposed[_share_on(tolerant, proposed, points) >= _SEEN]
    # The closest proposals come first, so that the other proposals of a circle are near one of
    # these.
    order = np.argsort(-_share_on(ink, proposed, _LOOKS[-1]), kind="stable")
    return _different(proposed[order])


@dataclass(frozen=True)
class _Crossings:
    """Crossings of every line of a picture with ink: `first[k]` is the first crossing of line k."""

    line: NDArray[np.int64]
    position: NDArray[np.float64]
    number: NDArray[np.int64]
    first: NDArray[np.int64]


def _crossings(ink: Mask) -> _Crossings:
    """The middles of the runs of ink along every row of pixels."""
    padded = np.pad(ink, ((0, 0), (1, 1)))
    steps = padded[:, 1:] != padded[:, :-1]
    # Starts and ends of runs alternate, and a run ends in the row in which it started.
    lines, positions = np.divmod(np.flatnonzero(steps), steps.shape[1])
    number = np.bincount(lines[::2], minlength=len(ink))
    if number.max() > _MOST_CROSSINGS:
        raise ValueError("too many crossings to be outlines of circles")
    middles = (positions[::2] + positions[1::2] - 1) / 2
    return _Crossings(lines[::2], middles, number, np.cumsum(number) - number)


def _proposals(rows: _Crossings, columns: _Crossings) -> NDArray[np.float64]:
    """The circles (x, y, r) that scan lines along rows propose, as the rows of an array."""
    later = rows.first[rows.line] + rows.number[rows.line] - np.arange(len(rows.line)) - 1
    later[rows.line % _STEP != _STEP // 2] = 0
    start, nth = _each(later)
    left, right = rows.position[start], rows.position[start + 1 + nth]
    column = np.rint((left + right) / 2).astype(int)
    chord, nth = _each(columns.number[column])
    pole = columns.position[columns.first[column[chord]] + nth]
    y, half = rows.line[start][chord], (right - left)[chord] / 2
    rise = y - pole
    # A pole is never on the chord itself; the least rise only keeps the division defined.
    steep = np.maximum(np.abs(rise), 0.5)
    r = (steep**2 + half**2) / (2 * steep)
    x, cy = ((left + right) / 2)[chord], pole + np.sign(rise) * r
    fits = (
        (rise != 0)
        & (r >= _SMALLEST_RADIUS)
        & (x >= r)
        & (cy >= r)
        & (x + r < len(columns.number))
        & (cy + r < len(rows.number))
    )
    return np.stack([x, cy, r], axis=1)[fits]


def _each(numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a thing's number and a count from 0 within it, for `numbers[k]` entries of thing k."""
    which = np.repeat(np.arange(len(numbers)), numbers)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(numbers) - numbers, numbers)


def _share_on(ink: NDArray, circles: NDArray[np.float64], points: int) -> NDArray:
    """The share of `points` places evenly round each circle that lie on ink."""
    angles = 2 * np.pi * np.arange(points) / points
    x, y, r = circles[:, :, None].transpose(1, 0, 2)
    across = np.rint(x + r * np.cos(angles)).astype(int).clip(0, ink.shape[1] - 1)
    down = np.rint(y + r * np.sin(angles)).astype(int).clip(0, ink.shape[0] - 1)
    return ink[down, across].mean(axis=1)


def _different(circles: NDArray[np.float64]) -> list[Ring]:
    """The first of each group of circles that are nearly the same."""
    different = []
    while len(circles):
        x, y, r = (float(value) for value in circles[0])
        different.append(Ring(x, y, r))
        circles = circles[np.abs(circles - circles[0]).sum(axis=1) >= _SAME_PX]
    return different
