"""Water image: count the objects of the first picture that have left their places."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reflection import count_reflected
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels


@solver("water_image")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    return count_reflected(pictures, perception)
