"""Circles in parts of a picture: left and right of a line, in quadrants, above and below."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.benchmarks.percept_v.parts import place
from gfactor.imaging import Frame
from gfactor.items import ItemRandom

Region = tuple[int, int, int, int]
"""Left, top, right and bottom of a rectangle, in scene units."""

PLOT = Frame(516, 350, 3127)
"""The published plot of 3000 x 2000 units at 0.165 pixels a unit, with its margins."""

PLOT_CENTER = (1563, 1060)
"""The plot's origin, in the scene units of `PLOT` (y downwards)."""


def quadrants(center: tuple[int, int], across: int, down: int, clear: int) -> tuple[Region, ...]:
    """Return quadrants I to IV (counterclockwise from the upper right) around `center`.

    Parameters
    ----------
    across, down: reach of the quadrants from the center, in units.
    clear: units left free on either side of the axes.
    """
    x, y = center
    left, right = (x - across, x - clear), (x + clear, x + across)
    upper, lower = (y - down, y - clear), (y + clear, y + down)
    order = ((right, upper), (left, upper), (left, lower), (right, lower))
    return tuple((h[0], v[0], h[1], v[1]) for h, v in order)


def place_in_regions(
    rng: ItemRandom,
    regions: Sequence[Region],
    homes: Sequence[int],
    radii: Sequence[int],
    gap: int,
) -> list[tuple[int, int]]:
    """Return centers for circles, each completely inside its own region and `gap` away from its
    neighbors there.

    `homes[i]` is the index of the region of circle i, `radii[i]` its radius. Raises CrowdedError
    if a region is too small for its circles.
    """
    centers: dict[int, tuple[int, int]] = {}
    for k, region in enumerate(regions):
        members = [i for i, home in enumerate(homes) if home == k]
        centers.update(
            zip(members, place(rng, [radii[i] for i in members], region, gap), strict=True)
        )
    return [centers[i] for i in range(len(homes))]
