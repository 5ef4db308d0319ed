"""A simulated observer of plates, with three kinds of cones or two.

The dichromats are coloraide's: Vienot, Brettel and Mollon (1999) without L or M cones, Brettel,
Vienot and Mollon (1997) without S cones. Nothing of `gfactor.imaging.cones` is used.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from coloraide import Color

from gfactor.imaging.plates import GAPS, PAPER, SIZE, Gap, ring

METHODS = {"protan": "vienot", "deutan": "vienot", "tritan": "brettel"}
JND = 2.3
"""CIE 1976 differences below this are not seen (Mahy et al. 1994): the observer's noise."""


def seen_colors(pixels: Any, vision: str) -> tuple[Any, Any]:
    """Colors of a picture in CIE Lab as `vision` sees them, and which of them a pixel has."""
    packed = pixels.astype(np.int64) @ np.array([65_536, 256, 1])
    colors, which = np.unique(packed, return_inverse=True)
    lab = []
    for rgb in colors.tolist():
        color = Color("srgb", [rgb // 65_536 / 255, rgb // 256 % 256 / 255, rgb % 256 / 255])
        if vision != "normal":
            color = color.filter(vision, method=METHODS[vision]).clip()
        lab.append(color.convert("lab-d65").coords())
    return np.array(lab), which.reshape(packed.shape)


@cache
def gaps_of_rings() -> list[Any]:
    """Which pixels lie where the ring has its gap, for each side."""
    whole = np.any([ring(SIZE, gap) for gap in GAPS], axis=0)
    return [whole & ~ring(SIZE, gap) for gap in GAPS]


def gap_seen(pixels: Any, vision: str, source: np.random.Generator) -> Gap:
    """On which side an observer sees the gap: there the hue differs most from the other sides.

    The observer knows the ring, averages the hue of the dots on each of the four sides with noise
    of a just noticeable difference, and pays no heed to lightness unless no hue is seen.
    """
    pixels = pixels[::2, ::2]
    lab, which = seen_colors(pixels, vision)
    dots = (pixels != PAPER).any(axis=2)
    sides = [side[::2, ::2] & dots for side in gaps_of_rings()]
    means = np.array([lab[which[side]].mean(axis=0) for side in sides])
    means += source.normal(0, JND, means.shape)
    hues = means[:, 1:] if np.ptp(means[:, 1:], axis=0).max() > 8 * JND else means
    others = np.array([np.delete(hues, k, axis=0).mean(axis=0) for k in range(4)])
    return GAPS[int(np.linalg.norm(hues - others, axis=1).argmax())]
