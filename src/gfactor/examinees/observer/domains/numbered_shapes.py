"""Numbered shapes: pick out the circles and read the number on each."""

from __future__ import annotations

import cv2
import numpy as np

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import (
    Blob,
    blobs,
    differs,
    fill_holes,
    ground_of,
    kind_of,
    read_glyphs,
)
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import RGB, Pixels

KINDS = ("circle", "triangle", "square", "pentagon")
DIGITS = "0123456789"

RIM = 3
"""Pixels taken off all round, so that shapes that touch come apart."""

READING_SIZE = 60
"""Shapes are enlarged to about this many pixels before the digits on them are read."""


@solver("numbered_shapes")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    ground = ground_of(picture)
    # Filled first, so that what a digit encloses is not taken for a shape.
    inside = fill_holes(differs(picture, ground)).astype(np.uint8)
    shapes = blobs(cv2.distanceTransform(inside, cv2.DIST_L2, 5) > RIM, picture)
    circles = perception.hold([shape for shape in shapes if kind_of(shape.mask, KINDS) == "circle"])
    numbers = sorted(int(number) for c in circles if (number := _read(c, picture, ground)))
    return f"CIRCLES: {', '.join(map(str, numbers))}"


def _read(shape: Blob, picture: Pixels, ink: RGB) -> str:
    """Read the number on a shape from the pixels that are nearer to the ink than to the fill."""
    patch = picture[shape.y : shape.y + shape.height, shape.x : shape.x + shape.width]
    fill = np.array(shape.color, np.float32)
    way = np.array(ink, np.float32) - fill
    inked = (patch - fill) @ way / (way @ way) * shape.mask
    scale = max(1, round(READING_SIZE / shape.size))
    large = cv2.resize(inked, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return read_glyphs(large > 0.5, DIGITS)
