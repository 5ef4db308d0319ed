"""Count coloured circles: look at each circle and name its color."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.examinees.observer.circles import discs
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reading import shapes, twin_of
from gfactor.examinees.observer.seeing import differs, ground_of, name_color
from gfactor.examinees.observer.solvers import reader, solver
from gfactor.imaging import FOUR, Pixels


@solver("count_coloured_circles")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    circles = perception.hold(discs(differs(picture, ground_of(picture)), picture))
    return f"COUNT:{sum(name_color(c.color, FOUR) == 'red' for c in circles)}"


@reader("count_coloured_circles")
def read(lines: Sequence[str], perception: Perception) -> str:
    circles = perception.hold(shapes(twin_of(lines)))
    return f"COUNT:{sum(circle.color == 'red' for circle in circles)}"
