"""Match shadow: set each row's shadow upright, name it and the shape in the same row; compare."""

from __future__ import annotations

import cv2
import numpy as np

from gfactor.examinees.observer.mind import Mind
from gfactor.examinees.observer.rows import largest_in_rows
from gfactor.examinees.observer.seeing import Blob, Mask, kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

KINDS = ("circle", "triangle", "square", "pentagon")


@solver("match_shadow")
def solve(pictures: tuple[Pixels, ...], mind: Mind) -> str:
    shapes, shadows = (largest_in_rows(picture) for picture in pictures)
    rows = mind.hold(list(zip(shapes, shadows, strict=False)))
    matching = sum(kind_of(a.mask, KINDS) == kind_of(_upright(b), KINDS) for a, b in rows)
    return f"ANSWER:{matching}"


def _upright(shadow: Blob) -> Mask:
    """The mask of a leaning shadow without its slant.

    Every kind is symmetrical about a vertical axis when upright, so that its mixed second moment
    is zero; what it is in the shadow tells the slant.
    """
    mask = shadow.mask.astype(np.uint8)
    moments = cv2.moments(mask, binaryImage=True)
    slant = moments["mu11"] / moments["mu02"]
    # Wide enough for the row that is moved farthest.
    room = shadow.height + 1
    shift = np.array([[1, -slant, room + slant * shadow.height / 2], [0, 1, 0]])
    size = (shadow.width + 2 * room, shadow.height)
    return cv2.warpAffine(255 * mask, shift, size, flags=cv2.INTER_LINEAR) > 127
