"""List colours: name the color inside each outline (of each patch, if there are no outlines)."""

from __future__ import annotations

import cv2
import numpy as np

from gfactor.examinees.observer.legend import without_legend
from gfactor.examinees.observer.outlined import fillings
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import Blob, blobs, eroded, name_color, near
from gfactor.examinees.observer.solvers import solver
from gfactor.examinees.observer.textured import stands_out
from gfactor.imaging import BLACK, CSS, Pixels


@solver("list_colours")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    picture, palette = without_legend(pictures[0])
    shapes = _patches(picture) if palette is CSS else fillings(picture)
    names = {name_color(shape.color, palette) for shape in perception.hold(shapes)}
    return "COLOURS: " + ", ".join(sorted(names))


def _patches(picture: Pixels) -> list[Blob]:
    # Published pictures, known by their legend, have no outlines, and shapes touch at points.
    steps = cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    flat = near(np.asarray(steps, np.uint8), BLACK, 40)
    return blobs(eroded(flat & stands_out(picture), 3), picture)
