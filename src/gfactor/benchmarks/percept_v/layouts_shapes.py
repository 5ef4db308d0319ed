"""Shapes of several kinds scattered over a picture so that no kind stands out by its size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from gfactor.benchmarks.percept_v.parts import MIN_GAP_PX, Shape, place
from gfactor.imaging import Frame
from gfactor.items import ItemRandom

EQUAL_AREA: Mapping[str, int] = MappingProxyType(
    {"circle": 100, "pentagon": 115, "square": 125, "triangle": 156}
)
"""Circumradius of each kind, in percent of the radius of a circle of the same area."""

_PUBLISHED: Mapping[str, int] = MappingProxyType({"circle": 100, "square": 141, "triangle": 124})
"""The same for a square and a triangle as wide and as high as the circle (the published triangle
is isosceles; ours is regular, of the same area)."""

_PUBLISHED_BORDER = 50


def circumradius(kind: str, radius: int) -> int:
    """Return the circumradius of a shape of `kind` with the area of a circle of `radius`."""
    return (radius * EQUAL_AREA[kind] + 50) // 100


def scatter(
    rng: ItemRandom, kinds: Sequence[str], frame: Frame, radii: tuple[int, int]
) -> tuple[Shape, ...]:
    """Return black shapes of the given kinds, each as large as a circle with a radius from
    `radii`."""
    sizes = [circumradius(kind, rng.integer(*radii)) for kind in kinds]
    margin, gap = 6, MIN_GAP_PX + 2
    area = (margin, margin, frame.width - margin, frame.height - margin)
    spots = place(rng, sizes, area, gap)
    return _black(kinds, spots, sizes)


def scatter_as_published(
    rng: ItemRandom, kinds: Sequence[str], frame: Frame, halves: tuple[int, int]
) -> tuple[Shape, ...]:
    """Return black shapes with half-sizes from `halves`, scattered as in the published pictures.

    The distance of two centers is at least 1.5 times the sum of the half-sizes, and their distance
    from the borders about 50 px plus the half-size.
    """
    sizes = [rng.integer(*halves) for _ in kinds]
    reach = [(3 * s + 1) // 2 for s in sizes]
    # `place` keeps `reach`, half a half-size more than published, off the area's borders.
    margin = _PUBLISHED_BORDER - halves[1] // 2
    area = (margin, margin, frame.width - margin, frame.height - margin)
    spots = place(rng, reach, area, 0)
    return _black(
        kinds, spots, [(s * _PUBLISHED[k] + 50) // 100 for k, s in zip(kinds, sizes, strict=True)]
    )


def _black(
    kinds: Sequence[str], spots: Sequence[tuple[int, int]], sizes: Sequence[int]
) -> tuple[Shape, ...]:
    return tuple(
        Shape(kind, x, y, r, "black") for kind, (x, y), r in zip(kinds, spots, sizes, strict=True)
    )
