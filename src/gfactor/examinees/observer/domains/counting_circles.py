"""Counting circles: count the discs."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.examinees.observer.circles import discs
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reading import shapes, twin_of
from gfactor.examinees.observer.seeing import differs, ground_of
from gfactor.examinees.observer.solvers import reader, solver
from gfactor.imaging import Pixels


@solver("counting_circles")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    return f"COUNT:{len(perception.hold(discs(differs(picture, ground_of(picture)), picture)))}"


@reader("counting_circles")
def read(lines: Sequence[str], perception: Perception) -> str:
    return f"COUNT:{len(perception.hold(shapes(twin_of(lines))))}"
