"""Circle boxes: find the line, count the red circles on either side of it."""

from __future__ import annotations

from gfactor.examinees.observer.circles import discs
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import differs, ground_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels


@solver("circle_boxes")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    ink = differs(picture, ground_of(picture))
    reddish = picture[..., 0] > picture[..., 2]
    line = int((ink & ~reddish).sum(axis=0).argmax())
    sides = [circle.cx < line for circle in perception.hold(discs(ink & reddish, picture))]
    return f"COUNT:{abs(2 * sum(sides) - len(sides)) // 2}"
