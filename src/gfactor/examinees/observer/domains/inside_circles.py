"""Inside circles: find the dot and every circle, then see whether a circle holds the dot."""

from __future__ import annotations

import numpy as np

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.rings import rings
from gfactor.examinees.observer.seeing import near
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import BLACK, Pixels


@solver("inside_circles")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    red = picture[..., 0].astype(np.int16) - picture[..., 1] > 80
    if not red.any():
        raise ValueError("there is no dot to be seen")
    y, x = np.argwhere(red).mean(axis=0)
    circles = perception.hold(rings(near(picture, BLACK, 130)))
    return "ANSWER:Yes" if any(circle.holds(x, y) for circle in circles) else "ANSWER:No"
