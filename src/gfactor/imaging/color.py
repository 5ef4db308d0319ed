"""Color science: CIEDE2000 distances, as seen with normal and with dichromatic vision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from gfactor.imaging.canvas import RGB

if TYPE_CHECKING:
    from coloraide import Color

Vision = Literal["normal", "protan", "deutan", "tritan"]

VISIONS: tuple[Vision, ...] = ("normal", "protan", "deutan", "tritan")
"""Normal vision and the three dichromacies (simulated as in Machado et al. 2009, severity 1)."""


@lru_cache(maxsize=4096)
def _seen(rgb: RGB, vision: Vision) -> Color:
    # Loaded here, because most commands compare no colors.
    from coloraide import Color  # noqa: PLC0415

    color = Color("srgb", [channel / 255 for channel in rgb])
    if vision != "normal":
        color = color.filter(vision, method="machado").clip()
    return color.convert("lab-d65")


@lru_cache(maxsize=65536)
def delta_e(first: RGB, second: RGB, vision: Vision = "normal") -> float:
    """Return the CIEDE2000 difference of two sRGB colors (CIE 142-2001) for a kind of vision."""
    return float(_seen(first, vision).delta_e(_seen(second, vision), method="2000"))


def smallest_delta_e(colors: Sequence[RGB], vision: Vision = "normal") -> float:
    """Return the smallest pairwise CIEDE2000 difference; infinity for fewer than two colors."""
    return min((delta_e(a, b, vision) for a, b in combinations(colors, 2)), default=float("inf"))
