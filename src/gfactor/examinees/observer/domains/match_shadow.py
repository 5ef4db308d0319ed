"""Match shadow: set each row's shadow upright, name it and the shape in the same row; compare."""

from __future__ import annotations

import cv2
import numpy as np

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.rows import forms_in_rows
from gfactor.examinees.observer.seeing import Mask, kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

KINDS = ("circle", "triangle", "square", "pentagon")
TURNED = ("triangle_down", "pentagon_down")
_LEANS = 0.1
"""Slant from which on a shadow leans over; straight ones measure less than a tenth of it."""


@solver("match_shadow")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    shapes, shadows = (forms_in_rows(picture) for picture in pictures)
    rows = perception.hold(list(zip(shapes, shadows, strict=False)))
    matching = sum(kind_of(a, KINDS) == _kind_of_shadow(b) for a, b in rows)
    return f"ANSWER:{matching}"


def _kind_of_shadow(shadow: Mask) -> str:
    """The kind of a shadow; one that stands straight may be upside down as well."""
    slant = _slant(shadow)
    if abs(slant) > _LEANS:
        return kind_of(_upright(shadow, slant), KINDS)
    return kind_of(shadow, KINDS + TURNED).removesuffix("_down")


def _slant(shadow: Mask) -> float:
    """Return how far a shadow leans to the right for each pixel down.

    Every kind is symmetrical about a vertical axis when upright, so that its mixed second moment
    is zero; its value in the shadow gives the slant.
    """
    moments = cv2.moments(shadow.astype(np.uint8), binaryImage=True)
    return moments["mu11"] / moments["mu02"]


def _upright(shadow: Mask, slant: float) -> Mask:
    height, width = shadow.shape
    # The width is enough for the row of pixels that is moved farthest.
    room = height + 1
    shift = np.array([[1, -slant, room + slant * height / 2], [0, 1, 0]])
    size = (width + 2 * room, height)
    moved = cv2.warpAffine(255 * shadow.astype(np.uint8), shift, size, flags=cv2.INTER_LINEAR)
    return moved > 127
