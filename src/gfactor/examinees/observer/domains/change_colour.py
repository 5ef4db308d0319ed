"""Change colour: look at each circle of the first picture and at its place in the second."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reading import two_pictures
from gfactor.examinees.observer.seeing import blobs, differs, ground_of, inner_color, name_color
from gfactor.examinees.observer.solvers import reader, solver
from gfactor.imaging import FOUR, Pixels


@solver("change_colour")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    before, after = pictures
    circles = blobs(differs(before, ground_of(before)), before)
    changed = 0
    for circle in perception.hold(circles):
        there = after[circle.y : circle.y + circle.height, circle.x : circle.x + circle.width]
        now = name_color(inner_color(there, circle.mask), FOUR)
        changed += now != name_color(circle.color, FOUR)
    return f"COUNT:{changed}"


@reader("change_colour")
def read(lines: Sequence[str], perception: Perception) -> str:
    before, after = two_pictures(lines)
    there = {(circle.x, circle.y): circle.color for circle in after}
    remembered = perception.hold(before)
    return f"COUNT:{sum(there[circle.x, circle.y] != circle.color for circle in remembered)}"
