"""Colours present: name the color inside each outline, then go through the names in order."""

from __future__ import annotations

from gfactor.examinees.observer.legend import without_legend
from gfactor.examinees.observer.outlined import fillings
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import name_color
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels


@solver("colours_present")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    picture, palette = without_legend(pictures[0])
    present = {name_color(shape.color, palette) for shape in perception.hold(fillings(picture))}
    return "ANSWER: " + ", ".join("yes" if name in present else "no" for name in palette)
