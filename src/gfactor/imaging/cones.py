"""Effect of a screen's colors on the three kinds of cones: colors that a dichromat confuses.

Somebody who lacks a kind of cone confuses colors that differ in that kind alone. In a chromaticity
diagram such colors lie on a line through the confusion point of the missing cones.

The screen is assumed to be an sRGB screen. Its primaries are converted from the chromaticities of
CIE 1931 to those of Judd, as revised by Vos, for which Smith and Pokorny gave cone fundamentals.

References
----------
IEC 61966-2-1:1999, default RGB color space - sRGB.
Smith, V. C., & Pokorny, J. (1975). Spectral sensitivity of the foveal cone photopigments between
    400 and 500 nm. Vision Research 15, 161-171.
Vos, J. J. (1978). Colorimetric and photometric properties of a 2 degree fundamental observer. Color
    Research and Application 3, 125-128.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Axis = Literal["protan", "deutan", "tritan"]

AXES: tuple[Axis, ...] = ("protan", "deutan", "tritan")
"""Without the cones for long, middle and short wavelengths, in the order of `LMS_FROM_XYZ`."""

PRIMARIES = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
WHITE = (0.3127, 0.3290)
"""CIE 1931 chromaticities (x, y) of the primaries of sRGB and its white (D65)."""

LMS_FROM_XYZ = np.array([
    [0.15514, 0.54312, -0.03286],
    [-0.15514, 0.45684, 0.03286],
    [0.0, 0.0, 0.01608],
])  # fmt: skip
"""Smith and Pokorny's cone fundamentals, of Judd-Vos tristimulus values."""


def judd_vos(x: float, y: float) -> tuple[float, float]:
    """Convert a CIE 1931 chromaticity to Judd and Vos's (Vos 1978)."""
    below = 0.03845 * x + 0.01496 * y + 1
    return (
        (1.0271 * x - 0.00008 * y - 0.00009) / below,
        (0.00376 * x + 1.0072 * y + 0.00764) / below,
    )


@cache
def lms_from_rgb() -> Floats:
    """Return the 3 x 3 matrix from linear sRGB (0 to 1) to excitations of the L, M and S cones."""
    columns = np.array([_xyz(*judd_vos(x, y)) for x, y in PRIMARIES]).T
    scale = np.linalg.solve(columns, _xyz(*judd_vos(*WHITE)))
    return LMS_FROM_XYZ @ (columns * scale)


def confused(axis: Axis, gray: float, most: float) -> tuple[Floats, Floats]:
    """Return two colors, in linear sRGB, that differ as much as possible, and only in the missing
    cones.

    Parameters
    ----------
    gray: the color in the middle between them, from 0 to 1 in each channel.
    most: the largest value of a channel; the smallest is 0.
    """
    step = np.linalg.inv(lms_from_rgb())[:, AXES.index(axis)]
    room = min(gray, most - gray) / np.abs(step).max()
    return gray + room * step, gray - room * step


def encoded(linear: ArrayLike) -> Floats:
    """Return linear light (0 to 1) as values of sRGB from 0 to 255, not rounded."""
    light = np.clip(np.asarray(linear, np.float64), 0, 1)
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def decoded(values: ArrayLike) -> Floats:
    """Return values of sRGB from 0 to 255 as linear light (0 to 1)."""
    value = np.asarray(values, np.float64) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def _xyz(x: float, y: float) -> Floats:
    return np.array([x / y, 1.0, (1 - x - y) / y])
