"""Parts of many scenes: shapes, their placement, their drawing, their legibility."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from gfactor.benchmarks.percept_v.domain import Legibility
from gfactor.imaging import PALETTES, RGB, WHITE, Canvas, Frame
from gfactor.imaging.textures import speckle
from gfactor.items import ItemRandom

MIN_OBJECT_PX = 20
"""Smallest diameter of an object in the audited edition: about twice what the strictest common
model-side resizing (2048 px to 768 px) still leaves as a recognizable shape."""

MIN_GAP_PX = 4
"""Smallest gap between objects in the audited edition: stays a visible line after halving."""


@dataclass(frozen=True)
class Shape:
    """A shape of `kind` inscribed in a circle of radius `r` around (x, y), filled with `color`.

    `color` is a name in the palette that the scene names.
    """

    kind: str
    x: int
    y: int
    r: int
    color: str


@dataclass(frozen=True)
class Ground:
    """Ground under the objects of a picture: a light gray with `specks` specks, slightly darker.

    Shade, number and size of the specks are drawn for every picture independently of its answer, so
    that mean luminance, inked area and complexity (bytes of the PNG) reveal little about the
    objects. A
    speck is smaller than a tenth of the smallest object.
    """

    shade: int
    specks: int
    speck_width: int
    speck_height: int
    seed: int


_SHADES = (236, 255)
_SPECK_DEPTH = (14, 32)
"""Darkness of specks relative to the ground: the darkest is still lighter than 200 of 255."""

MOST_SPECKS = 3000


def roving_ground(rng: ItemRandom, most: int = MOST_SPECKS) -> Ground:
    """Return a ground with up to `most` specks."""
    shade, specks = rng.integer(*_SHADES), rng.integer(0, most)
    return Ground(shade, specks, rng.integer(1, 3), rng.integer(1, 3), rng.integer(0, 2**32 - 1))


def ground_in(scene: object) -> Ground | None:
    """Return the ground of a scene; None for scenes on white."""
    return getattr(scene, "ground", None)


def grounds_in(scene: object) -> tuple[Ground | None, Ground | None]:
    """Return the grounds of both pictures of a scene; None for a picture on white."""
    return getattr(scene, "grounds", (None, None))


def darker_ground(scene: object) -> Ground | None:
    """Return the darker of two grounds, on which objects are harder to see."""
    return min(grounds_in(scene), key=lambda ground: ground.shade if ground else 255)


def ground_color(ground: Ground | None) -> RGB:
    """Return the color of a ground; white if there is none."""
    return (ground.shade, ground.shade, ground.shade) if ground else WHITE


def canvas_on(frame: Frame, ground: Ground | None) -> Canvas:
    """Return an empty canvas with its ground."""
    canvas = Canvas(frame, ground_color(ground))
    if ground is not None:
        low, high = _SPECK_DEPTH
        shade = ground.shade - low - ground.seed % (high - low + 1)
        pixels = canvas.pixels.copy()
        speckle(
            pixels, (shade, shade, shade), ground.specks, ground.speck_width, ground.speck_height,
            ground.seed,
        )  # fmt: skip
        canvas.ground(pixels)
    return canvas


def radii_of_area(rng: ItemRandom, count: int, least: int, area: int) -> list[int]:
    """Draw radii of `count` circles, each at least `least`, whose squares add up to about `area`.

    The area beyond that of the smallest circles is split at random. The total area of circles then
    does not depend on their number. `area` must be at least count * least^2.
    """
    weights = [rng.integer(1, 6) for _ in range(count)]
    spare = max(0, area - count * least**2)
    return [math.isqrt(least**2 + spare * w // sum(weights)) for w in weights]


def area_for(rng: ItemRandom, most: int, least: int) -> int:
    """Draw a total of squared radii, from that of `most` circles of radius `least` up to 2.5 times
    as much, independently of the number of circles."""
    smallest = most * least**2 * 115 // 100
    return rng.integer(smallest, smallest * 5 // 2)


def group_radii(rng: ItemRandom, count: int, most: int, least: int) -> list[int]:
    """Draw radii of `count` of at most `most` circles, each at least `least`; their total area is
    independent of their number."""
    smallest = most * least**2 * 115 // 100
    return radii_of_area(rng, count, least, rng.integer(smallest, smallest * 8 // 5))


class CrowdedError(Exception):
    """The objects do not fit into the picture, because a domain's own parameters are wrong."""


def place(
    rng: ItemRandom,
    radii: Sequence[int],
    area: tuple[int, int, int, int],
    gap: int,
    keep_off: Sequence[tuple[int, int, int]] = (),
    beginnings: int = 200,
) -> list[tuple[int, int]]:
    """Return centers for circles of the given radii inside `area`, at least `gap` from each other.

    Parameters
    ----------
    area: left, top, right, bottom of the rectangle that must contain the whole circles, in units.
    keep_off: other circles (x, y, r) that all must avoid by `gap`.
    beginnings: number of attempts after which the area counts as too small. Places the largest
    first, uniformly by rejection; starts again if a circle finds no place in 200 draws, and raises
    CrowdedError after that many attempts.
    """
    left, top, right, bottom = area
    order = sorted(range(len(radii)), key=lambda i: -radii[i])
    for _ in range(beginnings):
        placed: dict[int, tuple[int, int, int]] = {}
        for i in order:
            r = radii[i]
            for _ in range(200):
                x = rng.integer(left + r, right - r)
                y = rng.integer(top + r, bottom - r)
                others = (*placed.values(), *keep_off)
                if all((x - a) ** 2 + (y - b) ** 2 >= (r + c + gap) ** 2 for a, b, c in others):
                    placed[i] = (x, y, r)
                    break
            else:
                break
        if len(placed) == len(radii):
            return [placed[i][:2] for i in range(len(radii))]
    raise CrowdedError(f"{len(radii)} objects do not fit into {area}")


_FILLS = (22, 20, 18, 16, 14, 12, 10, 8, 6)
"""Percent of a window that circles fill, in the order tried: a larger window if they find no
place."""


def place_together(
    rng: ItemRandom,
    radii: Sequence[int],
    area: tuple[int, int, int, int],
    gap: int,
    keep_off: Sequence[tuple[int, int, int]] = (),
) -> list[tuple[int, int]]:
    """Return centers for circles in one window of `area`, whose size depends only on their total
    area.

    Windows of one circle and of twenty then have the same distribution of position and size, so
    that the halves and quadrants with ink do not reveal the number of circles. Parameters and
    errors are those of `place`.
    """
    total = sum(r * r for r in radii)
    for percent in _FILLS:
        for _ in range(6):
            window = _window(rng, area, total * 314 // percent, 2 * max(radii) + 1)
            try:
                return place(rng, radii, window, gap, keep_off, beginnings=2)
            except CrowdedError:
                continue
    raise CrowdedError(f"{len(radii)} objects do not fit into a window of {area}")


def _window(
    rng: ItemRandom, area: tuple[int, int, int, int], room: int, least: int
) -> tuple[int, int, int, int]:
    left, top, right, bottom = area
    width = min(right - left, max(least, math.isqrt(room * rng.integer(70, 140) // 100)))
    height = min(bottom - top, max(least, room // width))
    x, y = rng.integer(left, right - width), rng.integer(top, bottom - height)
    return x, y, x + width, y + height


def draw_shapes(
    canvas: Canvas, shapes: Iterable[Shape], palette: str, outline: RGB | None = None
) -> None:
    """Draw shapes in their palette's colors."""
    colors = PALETTES[palette]
    for s in shapes:
        canvas.shape(s.kind, s.x, s.y, s.r, colors[s.color], outline)


def shapes_legibility(
    frame: Frame, shapes: Sequence[Shape], colors: Sequence[RGB] = ()
) -> Legibility:
    """Return legibility of separate shapes: smallest circumscribed diameter and smallest gap."""
    scale = frame.per_unit
    gap = min(
        (math.dist((a.x, a.y), (b.x, b.y)) - a.r - b.r for a, b in combinations(shapes, 2)),
        default=math.inf,
    )
    smallest = min((s.r for s in shapes), default=math.inf)
    return Legibility(2 * smallest * scale, gap * scale, tuple(colors))
