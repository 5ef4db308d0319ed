"""Pictures that screen sight: a ring with a gap among colored dots, and one of low contrast.

The ring is Landolt's: its stroke and its gap are a fifth of its diameter. Everybody is asked on
which side the gap is, so that no letter or digit has to be known.

On a plate the dots of the ring and those around it have colors that differ in one kind of cones
alone (`cones.confused`); whoever lacks these cones sees one color. Their luminance is random, so
that it tells nothing if a screen shows colors a little differently.

A contrast of less than a step of 8 bits is reached on average over pixels, each of which is
rounded up or down at random (Allard and Faubert 2008).

References
----------
Regan, B. C., Reffin, J. P., & Mollon, J. D. (1994). Luminance noise and the rapid determination of
    discrimination ellipses in colour deficiency. Vision Research 34, 1279-1299.
Allard, R., & Faubert, J. (2008). The noisy-bit method for digital displays: Converting a 256
    luminance resolution into a continuous resolution. Behavior Research Methods 40, 735-743.
"""

from __future__ import annotations

import hashlib
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging.canvas import Pixels
from gfactor.imaging.cones import AXES, Floats, confused, decoded, encoded

PlateKind = Literal["protan", "deutan", "tritan", "control"]
Gap = Literal["up", "right", "down", "left"]

KINDS: tuple[PlateKind, ...] = (*AXES, "control")
GAPS: tuple[Gap, ...] = ("up", "right", "down", "left")

SIZE = 480
"""Side of a plate, in pixels."""

RING = 0.8
"""Diameter of the ring as a part of the side."""

GRAY = 0.36
"""Lightness of the color in the middle between both colors of a plate, in linear light."""

NOISE = tuple(np.linspace(0.7, 1.3, 9).tolist())
"""Factors of a dot's luminance; all are equally likely."""

CONTROL = 0.25
"""Luminance of the ring of a control plate as a part of that around it: everybody sees it."""

PAPER = 190
"""Gray, in sRGB values, of what lies between dots."""

CHART_SIZE = 240
CHART_GRAY = 200.5
"""Side of a picture of low contrast, and its gray in sRGB values."""

_LATTICE = 23
_RADII = (6, 7, 8, 9)


def plate(kind: PlateKind, gap: Gap, seed: int) -> Pixels:
    """Return a color vision plate of `SIZE` x `SIZE` x 3 pixels, RGB: a ring of dots with a gap on
    one side.

    Parameters
    ----------
    kind: kind of dichromat whose confused colors it has; "control": a dark ring among light dots.
    seed: decides where dots lie, their sizes and luminances; any integer from 0.
    """
    pixels = np.full((SIZE, SIZE, 3), PAPER, np.uint8)
    centers = _dots(seed)
    source = hashlib.shake_256(f"plate {kind} {seed}".encode())
    drawn = np.frombuffer(source.digest(2 * len(centers)), np.uint8).reshape(-1, 2)
    colors = _colors(kind)
    inside = ring(SIZE, gap)
    for (x, y), (size, light) in zip(centers.tolist(), drawn.tolist(), strict=True):
        color = colors[int(inside[y, x])][light % len(NOISE)]
        cv2.circle(pixels, (x, y), _RADII[size % len(_RADII)], color, -1, cv2.LINE_8)
    return pixels


def low_contrast(gap: Gap, contrast: float, seed: int) -> Pixels:
    """Draw a ring that is darker than its surround: `CHART_SIZE` x `CHART_SIZE` x 3 pixels, RGB.

    Parameters
    ----------
    contrast: Weber contrast: the difference in luminance divided by the surround's, 0 to 1.
    seed: seed of the random rounding; any integer from 0.
    """
    light = float(decoded(CHART_GRAY))
    wanted = np.where(ring(CHART_SIZE, gap), encoded(light * (1 - contrast)), CHART_GRAY)
    source = hashlib.shake_256(f"contrast {seed}".encode())
    chance = np.frombuffer(source.digest(2 * CHART_SIZE**2), "<u2").reshape(wanted.shape) / 65_536
    gray = np.floor(wanted + chance).astype(np.uint8)
    return np.repeat(gray[:, :, None], 3, axis=2)


def ring(size: int, gap: Gap) -> NDArray[np.bool_]:
    """Return a mask of size x size pixels that is True on Landolt's ring, with the gap on this
    side."""
    middle = (size - 1) / 2
    down, right = np.mgrid[:size, :size] - middle
    outer = RING * size / 2
    distance = np.hypot(down, right)
    along = {"up": -down, "right": right, "down": down, "left": -right}[gap]
    across = right if gap in ("up", "down") else down
    cut = (along > 0) & (np.abs(across) <= outer / 5)
    return (distance <= outer) & (distance >= 0.6 * outer) & ~cut


def _dots(seed: int) -> NDArray[np.int64]:
    """Middles of dots (x, y) that do not touch: a lattice of triangles, each point shifted."""
    rows = range(_LATTICE // 2, SIZE - _LATTICE // 2, round(_LATTICE * 0.87))
    lattice = [
        (x + (k % 2) * _LATTICE // 2, y)
        for k, y in enumerate(rows)
        for x in range(_LATTICE // 2, SIZE - _LATTICE, _LATTICE)
    ]
    source = hashlib.shake_256(f"dots {seed}".encode())
    shifts = np.frombuffer(source.digest(2 * len(lattice)), np.uint8).reshape(-1, 2) % 3
    return np.array(lattice) + shifts.astype(np.int64) - 1


def _colors(kind: PlateKind) -> list[list[tuple[int, int, int]]]:
    """Colors of dots around the ring and on it, each in all luminances of the noise."""
    if kind == "control":
        pair = [np.full(3, 2 * GRAY), np.full(3, 2 * GRAY * CONTROL)]
        scales = [1 + (scale - 1) / 3 for scale in NOISE]
    else:
        ahead, behind = confused(kind, GRAY, 1 / max(NOISE))
        pair, scales = [behind, ahead], list(NOISE)
    return [[_rgb(color * scale) for scale in scales] for color in pair]


def _rgb(linear: Floats) -> tuple[int, int, int]:
    red, green, blue = np.rint(encoded(linear)).astype(int).tolist()
    return red, green, blue
