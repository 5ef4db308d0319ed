"""Layered colours: go from the center outwards and name every color that lasts."""

from __future__ import annotations

from itertools import groupby

import cv2
import numpy as np

from gfactor.examinees.observer.layers import figure, flat_runs, rays
from gfactor.examinees.observer.legend import without_legend
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import name_color
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

RING_PX = 5
"""Width in pixels of the narrowest ring; an outline is narrower."""


@solver("layered_colours")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    picture, palette = without_legend(pictures[0])
    line = _outwards(picture)
    colors = [np.median(line[a:b], axis=0) for a, b in flat_runs(line, RING_PX)]
    names = [name_color((round(r), round(g), round(b)), palette) for r, g, b in colors]
    remembered = perception.hold([name for name, _ in groupby(names)], guesses=list(palette))
    return "COLOURS: " + ", ".join(remembered)


def _outwards(picture: Pixels) -> Pixels:
    """The colors from the center to the edge, each the median of all directions."""
    x, y, half_width, half_height = figure(picture)
    # Published pictures are stretched: discs look like ellipses.
    stretch = half_width / half_height
    if abs(stretch - 1) > 0.02:
        size = (picture.shape[1], round(picture.shape[0] * stretch))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        y *= stretch
    return np.median(rays(picture, x, y, half_width - 1), axis=0).astype(np.uint8)
