"""rotation_2d: read every outline as lengths and turns, turn the first until an option fits."""

from __future__ import annotations

import cv2
import numpy as np

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import near
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.measures.rotation_2d import FILL, OPTION_UNIT, UNIT

BOARD = Board(((260, 240),), 4, (160, 160))

Side = tuple[int, int, int]
"""Length of a side of an outline, the sense of the corner at its end (1 to the right), and its
direction in eighths of a full turn, clockwise."""

EIGHTHS = 8


@solver("rotation_2d")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    figure = perception.hold(_outline(pictures[0], BOARD.panels[0], UNIT))
    options = [_outline(pictures[0], panel, OPTION_UNIT) for panel in BOARD.option_panels]
    # The figure is turned by eighths, small turns first, and compared with each option.
    for turn, k in perception.consider((t, k) for t in (0, 1, 7, 2, 6, 3, 5, 4) for k in range(4)):
        turned = [(length, sense, (way + turn) % EIGHTHS) for length, sense, way in figure]
        starts = range(len(turned))
        if any(turned[n:] + turned[:n] == options[k] for n in starts):
            return letter(k)
    return letter(perception.guess(range(len(options))))


def _outline(pixels: Pixels, panel: Panel, unit: int) -> list[Side]:
    """The sides of the figure in a panel, clockwise."""
    inside = near(panel.of(pixels), FILL, 60).astype(np.uint8)
    # The filling ends a pixel and a half before the middle of the outline.
    inside = cv2.dilate(inside, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    contour = max(contours, key=cv2.contourArea)
    points = cv2.approxPolyDP(contour, 0.3 * unit, True)[:, 0].astype(float)
    if _signed_area(points) < 0:
        points = points[::-1]
    sides = np.roll(points, -1, axis=0) - points
    lengths = np.rint(np.hypot(*sides.T) / unit).astype(int)
    after = np.roll(sides, -1, axis=0)
    senses = np.sign(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]).astype(int)
    ways = np.rint(np.arctan2(sides[:, 1], sides[:, 0]) / (2 * np.pi) * EIGHTHS).astype(int)
    return [
        (int(a), int(b), int(c) % EIGHTHS) for a, b, c in zip(lengths, senses, ways, strict=True)
    ]


def _signed_area(points: np.ndarray) -> float:
    x, y = points.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
