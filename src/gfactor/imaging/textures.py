"""Textured backgrounds made by the program: clouds, tiles or waves in light tints, and specks.

They stand in for the photographs that the published benchmark lays its shapes on. Everything is
integer arithmetic on bytes drawn from the seed and OpenCV's bit-exact resizing, so that a seed
gives the same pixels on every machine; a few flat tints keep the PNG small.
"""

from __future__ import annotations

import hashlib

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging.canvas import RGB, Pixels

LEVELS = 6
"""Tints of one background: enough to look like a surface, few enough to compress."""

_TINTS: tuple[tuple[RGB, RGB], ...] = (
    ((196, 203, 212), (232, 236, 241)),
    ((203, 208, 196), (234, 238, 228)),
    ((212, 202, 198), (241, 234, 231)),
    ((200, 196, 211), (233, 230, 240)),
    ((198, 209, 206), (230, 239, 236)),
    ((204, 204, 204), (238, 238, 238)),
)
"""Darkest and lightest tint of each background: light, and too gray for a color's name."""


def texture(width: int, height: int, seed: int) -> Pixels:
    """Return a background of height x width x 3 pixels, RGB, chosen by `seed` (any integer from 0).

    The seed picks the pattern, its grain (cells of 24 to 63 pixels) and its tints, all of which
    are lighter than 195 in every channel.
    """
    source = hashlib.shake_256(f"texture {seed}".encode())
    pattern, tint, grain, along, across = source.digest(5)
    cell = 24 + grain % 40
    shape = (height // cell + 2, width // cell + 2)
    lattice = np.frombuffer(source.digest(5 + shape[0] * shape[1])[5:], np.uint8).reshape(shape)
    levels = (_clouds, _tiles, _waves)[pattern % 3](lattice, cell, along, across)
    cut = np.ascontiguousarray(levels[:height, :width])
    return np.asarray(
        cv2.LUT(cv2.merge([cut, cut, cut]), _ramp(*_TINTS[tint % len(_TINTS)])), np.uint8
    )


def speckle(pixels: Pixels, color: RGB, count: int, width: int, height: int, seed: int) -> None:
    """Put `count` specks of width x height pixels at places drawn from `seed` onto `pixels`."""
    source = hashlib.shake_256(f"specks {seed}".encode())
    drawn = np.frombuffer(source.digest(8 * count), np.uint32).reshape(count, 2)
    rows = (drawn[:, 0] % np.uint32(pixels.shape[0] - height + 1)).astype(np.intp)
    columns = (drawn[:, 1] % np.uint32(pixels.shape[1] - width + 1)).astype(np.intp)
    for down in range(height):
        for right in range(width):
            pixels[rows + down, columns + right] = color


def _ramp(dark: RGB, light: RGB) -> NDArray[np.uint8]:
    steps = np.minimum(np.arange(256), LEVELS - 1)[:, None]
    span = np.array(light) - np.array(dark)
    return (np.array(dark) + span * steps // (LEVELS - 1)).astype(np.uint8)[None]


def _smooth(lattice: NDArray[np.uint8], cell: int) -> NDArray[np.uint8]:
    size = (lattice.shape[1] * cell, lattice.shape[0] * cell)
    return np.asarray(cv2.resize(lattice, size, interpolation=cv2.INTER_LINEAR_EXACT), np.uint8)


def _clouds(lattice: NDArray[np.uint8], cell: int, along: int, across: int) -> NDArray[np.uint8]:
    # Interpolated bytes crowd round the middle: the outer levels are made wider than the inner.
    heights = _smooth(lattice, cell)
    return np.asarray(
        cv2.LUT(heights, (np.clip(np.arange(256) - 40, 0, 179) // 30).astype(np.uint8)), np.uint8
    )


def _tiles(lattice: NDArray[np.uint8], cell: int, along: int, across: int) -> NDArray[np.uint8]:
    size = (lattice.shape[1] * cell, lattice.shape[0] * cell)
    return np.asarray(cv2.resize(lattice % LEVELS, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _waves(lattice: NDArray[np.uint8], cell: int, along: int, across: int) -> NDArray[np.uint8]:
    heights = _smooth(lattice, cell).astype(np.uint16)
    rows = np.arange(heights.shape[0], dtype=np.uint16) * np.uint16(1 + along % 4)
    columns = np.arange(heights.shape[1], dtype=np.uint16) * np.uint16(1 + across % 4)
    phase = ((heights + rows[:, None] + columns) % np.uint16(256)).astype(np.uint8)
    # Up and down again, so that neighboring bands differ by one level.
    up_and_down = np.abs(np.arange(256) - 128) * (LEVELS - 1) // 128
    return np.asarray(cv2.LUT(phase, up_and_down.astype(np.uint8)), np.uint8)
