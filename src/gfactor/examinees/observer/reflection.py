"""Objects that change sides of a line between two pictures."""

from __future__ import annotations

import cv2
import numpy as np

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import Mask, differs, ground_of
from gfactor.imaging import Pixels

_SMALLEST = 6
"""Area in pixels of the smallest object: the published ones are six pixels wide."""


def count_reflected(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    """Count the objects of the first picture that are missing at their positions in the second."""
    before, after = (_objects(picture) for picture in pictures)
    count, patches, stats, _ = cv2.connectedComponentsWithStats(before.astype(np.uint8))
    areas = stats[:, cv2.CC_STAT_AREA]
    still_covered = np.bincount(patches[after].astype(np.intp), minlength=count)
    gone = 2 * still_covered < areas
    things = [k for k in range(1, count) if areas[k] >= _SMALLEST]
    return f"COUNT:{sum(bool(gone[k]) for k in perception.hold(things))}"


def _objects(picture: Pixels) -> Mask:
    """Return True if the picture is neither ground nor the line from edge to edge."""
    mask = differs(picture, ground_of(picture))
    rows, columns = (
        cv2.reduce(mask.astype(np.uint8), axis, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel() > 0.9
        for axis in (1, 0)
    )
    # One more pixel on each side: the line's rim may be too faint to be found by itself.
    mask[_widened(rows), :] = False
    mask[:, _widened(columns)] = False
    return mask


def _widened(line: Mask) -> Mask:
    return np.convolve(line, np.ones(3), "same") > 0
