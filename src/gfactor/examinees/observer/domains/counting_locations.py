"""Counting locations: the widest patch is the plank; count the circles on either side of it."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import blobs, differs, ground_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels


@solver("counting_locations")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    things = blobs(differs(picture, ground_of(picture)), picture)
    plank = max(things, key=lambda b: b.width)
    sides = [
        circle.cy < plank.cy for circle in perception.hold([b for b in things if b is not plank])
    ]
    return f"ABOVE:{sum(sides)} BELOW:{len(sides) - sum(sides)}"
