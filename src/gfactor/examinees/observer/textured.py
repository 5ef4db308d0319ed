"""Separation of shapes from a textured background of light, grayish tints."""

from __future__ import annotations

import cv2
import numpy as np

from gfactor.examinees.observer.seeing import Mask
from gfactor.imaging import Pixels

_SLACK = 6
"""Gray levels by which the background may exceed the range on the border."""

_VIVID = 70
"""Difference between a pixel's largest and smallest channel from which it counts as colored."""


def stands_out(picture: Pixels) -> Mask:
    """Return True if the picture is darker or lighter, in some channel, than its border."""
    border = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    low = border.min(axis=0).astype(int) - _SLACK
    high = border.max(axis=0).astype(int) + _SLACK
    return ~cv2.inRange(picture, low, high).astype(bool)


def vivid(picture: Pixels) -> Mask:
    """Return True if the picture has a color."""
    red, green, blue = cv2.split(picture)
    most, least = cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue)
    return np.asarray(cv2.subtract(most, least)) >= _VIVID
