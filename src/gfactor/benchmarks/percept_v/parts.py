"""What many scenes are made of: shapes, their placement, their drawing, their legibility."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from gfactor.benchmarks.percept_v.domain import Legibility
from gfactor.imaging import PALETTES, RGB, Canvas, Frame
from gfactor.items import ItemRandom

MIN_OBJECT_PX = 20
"""Smallest diameter of an object in the audited edition: about twice what the strictest common
model-side resizing (2048 px to 768 px) still leaves as a recognizable shape."""

MIN_GAP_PX = 4
"""Smallest gap between objects in the audited edition: stays a visible line after halving."""


@dataclass(frozen=True)
class Shape:
    """A shape of `kind` inscribed in a circle of radius `r` round (x, y), filled with `color`.

    `color` is a name in the palette that the scene names.
    """

    kind: str
    x: int
    y: int
    r: int
    color: str


class CrowdedError(Exception):
    """The objects do not fit: a domain's own parameters are wrong."""


def place(
    rng: ItemRandom,
    radii: Sequence[int],
    area: tuple[int, int, int, int],
    gap: int,
    keep_off: Sequence[tuple[int, int, int]] = (),
) -> list[tuple[int, int]]:
    """Centers for circles of the given radii inside `area`, none nearer than `gap` to another.

    Parameters
    ----------
    area: left, top, right, bottom of the rectangle that must hold the circles whole, in units.
    keep_off: further circles (x, y, r) that must be kept clear of by `gap`.

    Places the largest first, uniformly by rejection; begins anew when a circle finds no place in
    200 draws, and raises CrowdedError after 200 beginnings (the area is too small).
    """
    left, top, right, bottom = area
    order = sorted(range(len(radii)), key=lambda i: -radii[i])
    for _ in range(200):
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
    """Legibility of separate shapes: smallest circumscribed diameter and smallest gap."""
    scale = frame.per_unit
    gap = min(
        (math.dist((a.x, a.y), (b.x, b.y)) - a.r - b.r for a, b in combinations(shapes, 2)),
        default=math.inf,
    )
    smallest = min((s.r for s in shapes), default=math.inf)
    return Legibility(2 * smallest * scale, gap * scale, tuple(colors))
