"""Shapes on a textured background: their placement, drawing and legibility.

The published backgrounds are photographs that were not released; both editions use textures made
by the program. If the authors' code fixes sizes in pixels of a photograph, a photograph of
3000 x 2000 px is assumed, shown 496 px wide (the width of Matplotlib's default axes).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gfactor.benchmarks.percept_v.domain import Legibility
from gfactor.benchmarks.percept_v.parts import (
    MIN_GAP_PX,
    Shape,
    draw_shapes,
    place,
    shapes_legibility,
)
from gfactor.imaging import BLACK, PALETTES, WHITE, Canvas, Frame, Pixels
from gfactor.imaging.textures import texture
from gfactor.items import ItemRandom

FRAME = Frame(640, 480)
PHOTOGRAPH = Frame(496, 331, 3000)
PHOTOGRAPH_UNITS = (3000, 2000)
PHOTOGRAPHS = 10
"""Number of backgrounds of the published benchmark; each is used once per size."""

_RING_PX = 3
_HALO_PX = 13
_HALO_REACH = _HALO_PX // 2 + 1
"""Reach of the halo beyond a shape's corners."""


def scatter(
    rng: ItemRandom, count: int, low: int = 22, high: int = 34
) -> list[tuple[int, int, int]]:
    """Return `count` places (x, y, r) for shapes with halos on `FRAME`."""
    radii = [rng.integer(low, high) for _ in range(count)]
    area = (4, 4, FRAME.width - 4, FRAME.height - 4)
    centers = place(rng, [r + _HALO_REACH for r in radii], area, MIN_GAP_PX)
    return [(x, y, r) for (x, y), r in zip(centers, radii, strict=True)]


def scatter_as_published(rng: ItemRandom, count: int, radius: int) -> list[tuple[int, int, int]]:
    """Draw `count` places (x, y, r) on `PHOTOGRAPH`, with centers at least two radii from borders
    and from each other."""
    width, height = PHOTOGRAPH_UNITS
    area = (radius, radius, width - radius, height - radius)
    return [(x, y, radius) for x, y in place(rng, [radius] * count, area, gap=1)]


def draw_on_texture(
    frame: Frame, seed: int, shapes: Iterable[Shape], palette: str, outlined: bool
) -> Pixels:
    """Return the shapes on the texture of `seed`.

    If outlined, each shape has a black ring inside a white halo, so that neither a light nor a dark
    color merges with the background.
    """
    canvas = Canvas(frame)
    canvas.ground(texture(frame.width, frame.height, seed))
    if not outlined:
        draw_shapes(canvas, shapes, palette)
        return canvas.pixels
    for s in shapes:
        canvas.shape(s.kind, s.x, s.y, s.r, None, WHITE, _HALO_PX)
        canvas.shape(s.kind, s.x, s.y, s.r, PALETTES[palette][s.color], BLACK, _RING_PX)
    return canvas.pixels


def legibility_on_texture(frame: Frame, shapes: Sequence[Shape], palette: str) -> Legibility:
    """Return the legibility of shapes whose color or kind is asked for, against their halo."""
    names = {s.color for s in shapes}
    return shapes_legibility(frame, shapes, [*(PALETTES[palette][n] for n in sorted(names)), WHITE])
