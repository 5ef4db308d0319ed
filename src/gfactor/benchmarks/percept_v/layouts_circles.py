"""Circles of random colors or sizes as the published pictures scatter them."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.benchmarks.percept_v.parts import CrowdedError
from gfactor.imaging import Frame
from gfactor.items import ItemRandom


def place_as_published(
    rng: ItemRandom, radii: Sequence[int], frame: Frame
) -> list[tuple[int, int]]:
    """Return centers for circles, in the order of `radii`, by the rule of the published generators.

    The distance of a center from the borders is at least the largest radius, and from an earlier
    circle at least that circle's radius plus the largest one: circles may touch, but rarely do. The
    layout starts again after 200 draws per circle; CrowdedError is raised after 200 starts (the
    frame is too small).
    """
    most = max(radii)
    for _ in range(200):
        placed: list[tuple[int, int]] = []
        for _ in range(200 * len(radii)):
            x = rng.integer(most, frame.width - most)
            y = rng.integer(most, frame.height - most)
            earlier = zip(placed, radii, strict=False)
            if all((x - a) ** 2 + (y - b) ** 2 >= (r + most) ** 2 for (a, b), r in earlier):
                placed.append((x, y))
            if len(placed) == len(radii):
                return placed
    raise CrowdedError(f"{len(radii)} circles do not fit into {frame.width} x {frame.height}")
