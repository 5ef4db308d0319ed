"""Polycubes: cells of the integer lattice, their 24 rotations, mirror images and drawing.

A cell (x, y, z) is the unit cube from that corner on: x runs to the right, y to the back, z up
(a right-handed system). Pictures are orthographic, from the front, above and the right, in a
direction that no two lattice points near each other share, so that a visible face has one place.
Three faces of a cube can be seen: the top, the front (towards smaller y) and the right side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations, product

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging.canvas import RGB, Canvas

Cell3 = tuple[int, int, int]
Cells3 = tuple[Cell3, ...]
"""Cells in ascending order."""
Rotation = tuple[Cell3, Cell3, Cell3]
"""A rotation matrix by rows."""
Point = tuple[float, float]

AZIMUTH, ELEVATION = 34, 33
"""Direction from which pictures are taken, in degrees: to the right of the front, and upwards.

No two lattice points up to eight steps apart in each direction come closer than 0.26 edges in a
picture."""

FACES = ("top", "front", "right")
"""The faces of a cube that a picture may show."""

SHADES: tuple[RGB, RGB, RGB] = ((250, 226, 160), (205, 150, 70), (126, 84, 38))
"""Colors of the three faces: light above, dark on the right."""

INK: RGB = (20, 20, 20)


def _projection() -> tuple[Point, Point, Point]:
    a, e = math.radians(AZIMUTH), math.radians(ELEVATION)
    return (
        (math.cos(a), math.sin(a) * math.sin(e)),
        (math.sin(a), -math.cos(a) * math.sin(e)),
        (0.0, -math.cos(e)),
    )


AXES: tuple[Point, Point, Point] = _projection()
"""Steps in a picture (right, down) for one step along x, y and z, in units of a cube's edge."""

CORNERS: Mapping[str, tuple[Cell3, Cell3, Cell3, Cell3]] = {
    "top": ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
    "front": ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
    "right": ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
}
"""Corners of a face of the cell (0, 0, 0), counterclockwise from the lower left as it is seen."""

_BEFORE: Mapping[str, Cell3] = {"top": (0, 0, 1), "front": (0, -1, 0), "right": (1, 0, 0)}
_STEPS: tuple[Cell3, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


def _rotations() -> tuple[Rotation, ...]:
    result: list[Rotation] = []
    for order in permutations(range(3)):
        for signs in product((1, -1), repeat=3):
            rows = [[0, 0, 0] for _ in range(3)]
            for row, (column, sign) in enumerate(zip(order, signs, strict=True)):
                rows[row][column] = sign
            if round(float(np.linalg.det(np.array(rows)))) == 1:
                result.append(((*rows[0],), (*rows[1],), (*rows[2],)))  # pyright: ignore
    return tuple(sorted(result, reverse=True))


ROTATIONS: tuple[Rotation, ...] = _rotations()
"""The 24 rotations of the cube; the first is the identity."""


def turn(rotation: Rotation, cell: Cell3) -> Cell3:
    """Return the image of a vector under a rotation."""
    (a, b, c), (d, e, f), (g, h, i) = rotation
    x, y, z = cell
    return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z


def angle(rotation: Rotation) -> int:
    """Return the angle of a rotation in degrees: 0, 90, 120 or 180."""
    trace = rotation[0][0] + rotation[1][1] + rotation[2][2]
    return {3: 0, 1: 90, 0: 120, -1: 180}[trace]


def axis(rotation: Rotation) -> str:
    """Return the axis of a rotation: `x`, `y`, `z`, `edge` (through two edges), `corner` or
    `none`."""
    degrees = angle(rotation)
    if degrees in (0, 120):
        return "none" if degrees == 0 else "corner"
    fixed = [name for name, row, k in zip("xyz", rotation, range(3), strict=True) if row[k] == 1]
    return fixed[0] if fixed else "edge"


def normalized(cells: Iterable[Cell3]) -> Cells3:
    """Move the cells so that each coordinate begins at 0, and sort them."""
    cubes = list(cells)
    low = [min(cell[k] for cell in cubes) for k in range(3)]
    return tuple(sorted((x - low[0], y - low[1], z - low[2]) for x, y, z in cubes))


def rotated(cells: Iterable[Cell3], rotation: Rotation) -> Cells3:
    """Return the cells after a rotation, normalized."""
    return normalized(turn(rotation, cell) for cell in cells)


def mirrored(cells: Iterable[Cell3]) -> Cells3:
    """Return the mirror image in the plane x = 0, normalized."""
    return normalized((-x, y, z) for x, y, z in cells)


@lru_cache(maxsize=4096)
def canonical(cells: Cells3) -> Cells3:
    """Return the smallest of the 24 rotations, which is equal for all rotations of one polycube."""
    return min(rotated(cells, rotation) for rotation in ROTATIONS)


def is_chiral(cells: Cells3) -> bool:
    """Return True if no rotation brings the polycube to its mirror image.

    Examples
    --------
    >>> is_chiral(((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)))
    False
    >>> is_chiral(((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 0)))
    True
    """
    return canonical(cells) != canonical(mirrored(cells))


def neighbors(cell: Cell3) -> tuple[Cell3, ...]:
    """Return the six cells that share a face with a cell."""
    x, y, z = cell
    return tuple((x + dx, y + dy, z + dz) for dx, dy, dz in _STEPS)


def stacked(heights: Sequence[Sequence[int]]) -> Cells3:
    """Return the cells of columns of cubes, with `heights[y][x]` cubes on the place (x, y)."""
    return tuple(
        sorted(
            (x, y, z) for y, row in enumerate(heights) for x, n in enumerate(row) for z in range(n)
        )
    )


def place(point: Sequence[float], origin: Point, unit: float) -> Point:
    """Return the position of a point of space in the picture.

    Parameters
    ----------
    point: x, y, z in edges of a cube.
    origin: position of (0, 0, 0) in the picture, in scene units.
    unit: length of an edge in scene units (seen at a right angle).
    """
    x, y = origin
    for along, (right, down) in zip(point, AXES, strict=True):
        x, y = x + unit * along * right, y + unit * along * down
    return x, y


def face(cell: Cell3, name: str, origin: Point, unit: float) -> list[Point]:
    """Return the corners of a face in the picture, in the order of `CORNERS`."""
    return [
        place([c + d for c, d in zip(cell, corner, strict=True)], origin, unit)
        for corner in CORNERS[name]
    ]


def back_to_front(cells: Iterable[Cell3]) -> list[Cell3]:
    """Sort the cells for drawing, so that a cell is drawn before those that hide it."""
    return sorted(cells, key=lambda c: (c[0], -c[1], c[2]))


def exposed(cells: Iterable[Cell3]) -> list[tuple[Cell3, str]]:
    """Return the visible faces that no adjacent cube covers, from the back to the front."""
    cubes = set(cells)
    before = [(name, *_BEFORE[name]) for name in FACES]
    return [
        ((x, y, z), name)
        for x, y, z in back_to_front(cubes)
        for name, dx, dy, dz in before
        if (x + dx, y + dy, z + dz) not in cubes
    ]


def draw_cells(
    canvas: Canvas,
    cells: Iterable[Cell3],
    origin: Point,
    unit: float,
    shades: Mapping[Cell3, tuple[RGB, RGB, RGB]] | None = None,
) -> None:
    """Draw cubes with their hidden faces removed, edges in ink.

    Parameters
    ----------
    canvas: canvas to draw on.
    cells: the cubes.
    origin: position of the lattice point (0, 0, 0), in scene units.
    unit: length of a cube's edge, in scene units.
    shades: colors of top, front and right side of a cube, `SHADES` if it is not named.
    """
    named = shades or {}
    for cell, name in exposed(cells):
        color = named.get(cell, SHADES)[FACES.index(name)]
        canvas.polygon(face(cell, name, origin, unit), color, INK, 2)


def _drawn_box(cells: Cells3) -> NDArray[np.float64]:
    """The least and the greatest (right, down) of a body's corners in the picture."""
    corners = (np.array(cells)[:, None] + np.array(list(product((0, 1), repeat=3)))).reshape(-1, 3)
    points = corners @ np.array(AXES)
    return np.stack([points.min(axis=0), points.max(axis=0)])


def drawn_size(cells: Iterable[Cell3]) -> Point:
    """Return width and height of a body's picture, in edges of a cube."""
    low, high = _drawn_box(tuple(cells))
    return float(high[0] - low[0]), float(high[1] - low[1])


def centered(cells: Iterable[Cell3]) -> Cells3:
    """Return the cells moved by whole cells so that the center of their picture is as near to (0,
    0) as possible."""
    cubes = normalized(cells)
    middle = [(max(cell[k] for cell in cubes) + 1) // 2 for k in range(3)]
    center = _drawn_box(cubes).mean(axis=0)
    steps = [tuple(n + m for n, m in zip(step, middle, strict=True)) for step in _NEARBY]
    away = [round(math.dist(center, place(step, (0, 0), 1)), 9) for step in steps]
    dx, dy, dz = steps[away.index(min(away))]
    return tuple(sorted((x - dx, y - dy, z - dz) for x, y, z in cubes))


_NEARBY = tuple(product((0, -1, 1), repeat=3))

_GRAIN = 12
"""Pixels of an edge in the maps that measure what can be seen."""


@lru_cache(maxsize=8192)
def _stencil(name: str, x: int, y: int) -> tuple[int, int, NDArray[np.bool_]]:
    """A face as a mask, with its top left corner, for the fractional place (x, y) in 16ths."""
    points = np.array(face((0, 0, 0), name, (x / 16, y / 16), _GRAIN))
    left, top = (int(v) for v in np.floor(points.min(axis=0)))
    width, height = (int(v) for v in np.ceil(points.max(axis=0)) - (left, top) + 1)
    mask = np.zeros((height, width), np.uint8)
    fixed = np.rint((points - (left, top)) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, fixed, 1, cv2.LINE_8, 4)
    return left, top, mask > 0


@lru_cache(maxsize=256)
def _whole(name: str) -> int:
    return int(_stencil(name, 0, 0)[2].sum())


def visible_shares(cells: Iterable[Cell3]) -> dict[tuple[Cell3, str], float]:
    """Return the share of each exposed face that no other cube hides, from 0 to about 1.

    Examples
    --------
    >>> shares = visible_shares([(0, 0, 0)])
    >>> sorted(name for (_, name), share in shares.items() if share > 0.9)
    ['front', 'right', 'top']
    """
    faces = exposed(cells)
    corners = np.array([place(cell, (0, 0), _GRAIN) for cell, _ in faces])
    shift = 4 * _GRAIN - np.floor(corners.min(axis=0))
    size = np.ceil(corners.max(axis=0) + shift).astype(int) + 4 * _GRAIN
    seen = np.zeros((int(size[1]), int(size[0])), np.int16)
    fixed = np.rint((corners + shift) * 16).astype(int).tolist()
    for number, ((_, name), (right, down)) in enumerate(zip(faces, fixed, strict=True), 1):
        left, top, mask = _stencil(name, right % 16, down % 16)
        x, y = right // 16 + left, down // 16 + top
        seen[y : y + mask.shape[0], x : x + mask.shape[1]][mask] = number
    counts = np.bincount(seen.ravel(), minlength=len(faces) + 1)[1:]
    return {one: int(count) / _whole(one[1]) for one, count in zip(faces, counts, strict=True)}


def all_visible(cells: Iterable[Cell3], least: float = 0.3) -> bool:
    """Return True if every cube shows at least the share `least` of one of its faces."""
    cubes = set(cells)
    best: dict[Cell3, float] = {}
    for (cell, _), share in visible_shares(cubes).items():
        best[cell] = max(best.get(cell, 0.0), share)
    return all(best.get(cell, 0.0) >= least for cell in cubes)


TILE: RGB = (226, 232, 238)
GROUT: RGB = (150, 160, 170)


def draw_floor(canvas: Canvas, across: int, deep: int, origin: Point, unit: float) -> None:
    """Draw a floor of tiles, `across` along x and `deep` along y, from the place (0, 0) on."""
    for y in range(deep - 1, -1, -1):
        for x in range(across):
            corners = [(x, y, 0), (x + 1, y, 0), (x + 1, y + 1, 0), (x, y + 1, 0)]
            canvas.polygon([place(p, origin, unit) for p in corners], TILE, GROUT, 1)


HUES: Mapping[str, RGB] = {
    "red": (215, 40, 40),
    "green": (40, 160, 80),
    "blue": (40, 90, 230),
    "yellow": (250, 215, 50),
    "purple": (165, 60, 190),
    "orange": (245, 135, 25),
    "white": (245, 245, 245),
    "pink": (255, 165, 205),
}
"""Colors of single cubes; the front and the right side are darker."""


def shaded(color: RGB) -> tuple[RGB, RGB, RGB]:
    """Return the colors of the top, the front and the right side of a cube."""
    r, g, b = color
    front, right = ((r * n // 100, g * n // 100, b * n // 100) for n in (82, 64))
    return color, front, right
