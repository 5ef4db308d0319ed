"""Drawing with OpenCV: anti-aliased, coordinates in sixteenths of a pixel, the same in every run.

A scene is laid out in integer units on a `Frame`; the canvas maps units to pixels. In scenes of
our own a unit is a pixel; editions that reproduce another program's plot keep that plot's units.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging.glyphs import ADVANCE, GLYPH_HEIGHT, GLYPH_WIDTH, GLYPHS
from gfactor.imaging.vector import Drawing, note

RGB = tuple[int, int, int]
Pixels = NDArray[np.uint8]

_SHIFT = 4
_SUB = 1 << _SHIFT

_CORNERS: dict[str, tuple[int, int]] = {
    "triangle": (3, -90),
    "triangle_down": (3, 90),
    "triangle_left": (3, 180),
    "triangle_right": (3, 0),
    "square": (4, 45),
    "diamond": (4, 0),
    "pentagon": (5, -90),
    "pentagon_down": (5, 90),
    "pentagon_left": (5, 180),
    "pentagon_right": (5, 0),
    "hexagon": (6, 0),
    "octagon": (8, 0),
}
"""Number of corners and direction (degrees, clockwise from the right) of the first one."""

KINDS: tuple[str, ...] = ("circle", *_CORNERS)
"""Every kind of shape `Canvas.shape` draws; all are inscribed in a circle of radius r."""


@dataclass(frozen=True)
class Frame:
    """The size of a picture in pixels and the number of scene units across its width."""

    width: int
    height: int
    units: int = 0

    @property
    def per_unit(self) -> float:
        """Pixels per scene unit (1 if `units` is 0: a unit is a pixel)."""
        return self.width / self.units if self.units else 1.0


def corners(kind: str, x: float, y: float, r: float) -> list[tuple[float, float]]:
    """Return the corners of a regular polygon of circumradius `r` around (x, y); y points down."""
    count, first = _CORNERS[kind]
    angles = [math.radians(first + 360 * k / count) for k in range(count)]
    return [(x + r * math.cos(a), y + r * math.sin(a)) for a in angles]


class Canvas:
    """A picture being drawn; `pixels` is height x width x 3, RGB, 8 bits.

    All coordinates and radii are in scene units (y downwards, origin at the top left); widths of
    outlines and lines are in pixels.
    """

    def __init__(self, frame: Frame, background: RGB = (255, 255, 255)) -> None:
        self.frame = frame
        self.pixels: Pixels = np.empty((frame.height, frame.width, 3), np.uint8)
        # Thirty times faster than assigning the color to the array.
        cv2.rectangle(self.pixels, (0, 0), (frame.width, frame.height), background, -1)
        # If vector pictures are wanted, everything below is noted for them too.
        self._drawing = note(self.pixels, Drawing(frame.width, frame.height, background))

    def _fixed(self, value: float) -> int:
        # The half pixel that OpenCV's integer grid is off by is left out on purpose: whole units
        # then fall on pixel centers and straight edges stay sharp.
        return round(value * self.frame.per_unit * _SUB)

    def _points(self, points: Sequence[tuple[float, float]]) -> NDArray[np.int32]:
        return np.array([[self._fixed(x), self._fixed(y)] for x, y in points], np.int32)

    def disc(
        self,
        x: float,
        y: float,
        r: float,
        fill: RGB | None,
        outline: RGB | None = None,
        width: int = 2,
    ) -> None:
        """Draw a circle, filled, outlined (the line is centered on radius r) or both."""
        center, radius = (self._fixed(x), self._fixed(y)), self._fixed(r)
        if fill is not None:
            cv2.circle(self.pixels, center, radius, fill, -1, cv2.LINE_AA, _SHIFT)
        if outline is not None:
            cv2.circle(self.pixels, center, radius, outline, width, cv2.LINE_AA, _SHIFT)
        if self._drawing is not None:
            self._drawing.circle(center, radius, fill, outline, width)

    def polygon(
        self,
        points: Sequence[tuple[float, float]],
        fill: RGB | None,
        outline: RGB | None = None,
        width: int = 2,
    ) -> None:
        """Draw a closed polygon, filled, outlined or both."""
        fixed = [self._points(points)]
        if fill is not None:
            cv2.fillPoly(self.pixels, fixed, fill, cv2.LINE_AA, _SHIFT)
        if outline is not None:
            cv2.polylines(self.pixels, fixed, True, outline, width, cv2.LINE_AA, _SHIFT)
        if self._drawing is not None:
            self._drawing.polygon(fixed[0].tolist(), fill, outline, width)

    def shape(
        self,
        kind: str,
        x: float,
        y: float,
        r: float,
        fill: RGB | None,
        outline: RGB | None = None,
        width: int = 2,
    ) -> None:
        """Draw a shape of one of `KINDS`, inscribed in the circle of radius r around (x, y)."""
        if kind == "circle":
            self.disc(x, y, r, fill, outline, width)
        else:
            self.polygon(corners(kind, x, y, r), fill, outline, width)

    def line(self, x1: float, y1: float, x2: float, y2: float, color: RGB, width: int = 2) -> None:
        """Draw a straight line with round ends."""
        a, b = (self._fixed(x1), self._fixed(y1)), (self._fixed(x2), self._fixed(y2))
        cv2.line(self.pixels, a, b, color, width, cv2.LINE_AA, _SHIFT)
        if self._drawing is not None:
            self._drawing.polyline((a, b), color, width)

    def curve(self, points: Sequence[tuple[float, float]], color: RGB, width: int = 2) -> None:
        """Draw an open line through points."""
        fixed = self._points(points)
        cv2.polylines(self.pixels, [fixed], False, color, width, cv2.LINE_AA, _SHIFT)
        if self._drawing is not None:
            self._drawing.polyline(fixed.tolist(), color, width)

    def rectangle(self, x1: int, y1: int, x2: int, y2: int, fill: RGB) -> None:
        """Draw a filled rectangle with sharp edges: columns x1 to x2 - 1, rows y1 to y2 - 1."""
        scale = self.frame.per_unit
        left, top = max(0, round(x1 * scale)), max(0, round(y1 * scale))
        right, bottom = round(x2 * scale), round(y2 * scale)
        self.pixels[top:bottom, left:right] = fill
        if self._drawing is not None:
            self._drawing.rectangle(left, top, right, bottom, fill)

    def text(
        self, x: float, y: float, text: str, height: float, color: RGB, width: int = 2
    ) -> None:
        """Draw a line of glyphs (digits, capitals, "(),") centered on (x, y), `height` units
        high."""
        unit = height / GLYPH_HEIGHT
        left = x - unit * (ADVANCE * (len(text) - 1) + GLYPH_WIDTH) / 2
        top = y - height / 2
        for index, sign in enumerate(text):
            start = left + index * ADVANCE * unit
            for stroke in GLYPHS[sign]:
                points = [(start + gx * unit, top + gy * unit) for gx, gy in stroke]
                self.curve(points, color, width)

    def paste(self, other: Canvas) -> None:
        """Draw the contents of another canvas of the same size over everything drawn so far."""
        self.pixels[:] = other.pixels
        if self._drawing is not None and other._drawing is not None:
            self._drawing.paste(other._drawing)

    def ground(self, pixels: Pixels) -> None:
        """Draw a background of pixels, of the canvas's size, over everything drawn so far."""
        self.pixels[:] = pixels
        if self._drawing is not None:
            self._drawing.ground(pixels)


def text_width(text: str, height: float) -> float:
    """Return the width of a line of glyphs of the given height, in the same unit, without stroke
    width."""
    return height / GLYPH_HEIGHT * (ADVANCE * (len(text) - 1) + GLYPH_WIDTH)
