"""Masks: pictures that follow a picture shown for a short time and end its visible persistence.

Integer arithmetic on bytes drawn from the seed, so that a seed gives the same pixels on every
machine.

References
----------
Breitmeyer, B. G., & Ogmen, H. (2006). Visual masking: Time slices through conscious and
    unconscious vision (2nd ed.). Oxford University Press.
"""

from __future__ import annotations

import hashlib
from typing import Literal

import numpy as np

from gfactor.imaging.canvas import Pixels

MaskKind = Literal["rectangles", "noise"]

RECTANGLES = 400
"""Number of rectangles of a mask: they cover the whole area several times over."""

CELL = 4
"""Side of a cell of noise, in pixels."""


def mask(kind: MaskKind, width: int, height: int, seed: int) -> Pixels:
    """Return a mask of height x width x 3 pixels, RGB, drawn from `seed` (any integer from 0).

    Parameters
    ----------
    kind: "rectangles" of random colors, sizes and places over each other, against shapes and
        colors; or "noise" of gray cells of `CELL` pixels, against fine detail.
    """
    source = hashlib.shake_256(f"mask {kind} {seed}".encode())
    if kind == "noise":
        rows, columns = -(-height // CELL), -(-width // CELL)
        cells = np.frombuffer(source.digest(rows * columns), np.uint8).reshape(rows, columns)
        gray = cells.repeat(CELL, axis=0).repeat(CELL, axis=1)[:height, :width]
        return np.repeat(gray[:, :, None], 3, axis=2)
    pixels = np.full((height, width, 3), 128, np.uint8)
    drawn = np.frombuffer(source.digest(12 * RECTANGLES), "<u2").reshape(RECTANGLES, 6)
    for left, top, wide, high, red_green, blue in drawn.tolist():
        # Sides from a twentieth to a quarter; rectangles may begin beyond the edges.
        side = max(4, width // 20 + wide % max(1, width // 5))
        tall = max(4, height // 20 + high % max(1, height // 5))
        x, y = left % (width + side) - side, top % (height + tall) - tall
        color = (red_green >> 8, red_green & 255, blue >> 8)
        pixels[max(0, y) : max(0, y + tall), max(0, x) : max(0, x + side)] = color
    return pixels
