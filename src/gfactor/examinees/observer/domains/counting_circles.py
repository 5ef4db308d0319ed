"""Counting circles: count the discs."""

from __future__ import annotations

from gfactor.examinees.observer.circles import discs
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import differs, ground_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels


@solver("counting_circles")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    return f"COUNT:{len(perception.hold(discs(differs(picture, ground_of(picture)), picture)))}"
