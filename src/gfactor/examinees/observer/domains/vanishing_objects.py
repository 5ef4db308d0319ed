"""Vanishing objects: look at each shape of the first picture and at its place in the second."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import blobs, differs, ground_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

REACH = 3
"""Distance from the middle of a shape in which to look."""


@solver("vanishing_objects")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    before, after = pictures
    shapes = blobs(differs(before, ground_of(before)), before)
    left = differs(after, ground_of(after))
    missing = 0
    for shape in perception.hold(shapes):
        # Its middle: shapes may be smaller in the second picture.
        x, y = round(shape.cx), round(shape.cy)
        missing += not left[y - REACH : y + REACH + 1, x - REACH : x + REACH + 1].mean() > 0.5
    return f"COUNT:{missing}"
