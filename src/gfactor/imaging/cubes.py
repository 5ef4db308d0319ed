"""Cubes with marks on their faces, and nets that fold to them.

A face is named by its outward normal; a mark on it has an upward direction. A net lies on the
table with its printed side up and is folded away from the viewer, so that the marks are outside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from gfactor.imaging.canvas import RGB, Canvas
from gfactor.imaging.lattices import Cell2, Cells2, canonical, connected, flipped
from gfactor.imaging.polycubes import (
    FACES,
    INK,
    ROTATIONS,
    Cell3,
    Point,
    Rotation,
    face,
    turn,
)

SYMMETRIC = ("disc", "ring", "plus", "cross", "square", "diamond")
"""Marks that look the same after a quarter turn."""
DIRECTED = ("arrow", "triangle", "tee", "cup", "half", "pin", "ell", "flag")
"""Marks with one upward direction."""
MARKS = (*SYMMETRIC, *DIRECTED)

Mark = tuple[str, Cell3]
"""A mark and the direction of its upper side (a unit vector in the plane of its face)."""
Cube = Mapping[Cell3, Mark]
"""The mark of each face, by the face's outward normal."""
Seen = tuple[tuple[str, int], ...]
"""View of top, front and right: each face's mark and its clockwise quarter turns."""

NORMALS: Mapping[str, Cell3] = {"top": (0, 0, 1), "front": (0, -1, 0), "right": (1, 0, 0)}
UPWARDS: Mapping[str, Cell3] = {"top": (0, 1, 0), "front": (0, 0, 1), "right": (0, 0, 1)}
"""The direction that is up on each visible face as it is drawn."""


def _cross(a: Cell3, b: Cell3) -> Cell3:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _minus(a: Cell3) -> Cell3:
    return -a[0], -a[1], -a[2]


def clockwise(up: Cell3, normal: Cell3, quarters: int) -> Cell3:
    """Return a direction in a face after clockwise quarter turns, as the face is seen from
    outside."""
    for _ in range(quarters % 4):
        up = _cross(up, normal)
    return up


def turned_cube(cube: Cube, rotation: Rotation) -> dict[Cell3, Mark]:
    """Return a cube after a rotation."""
    return {turn(rotation, n): (mark, turn(rotation, up)) for n, (mark, up) in cube.items()}


def view(cube: Cube) -> Seen:
    """Return the visible faces of a cube; a mark of `SYMMETRIC` counts as unturned."""
    seen = []
    for name in FACES:
        mark, up = cube[NORMALS[name]]
        turns = next(k for k in range(4) if clockwise(UPWARDS[name], NORMALS[name], k) == up)
        seen.append((mark, 0 if mark in SYMMETRIC else turns))
    return tuple(seen)


def views(cube: Cube) -> set[Seen]:
    """Return the different views of a cube in its 24 orientations."""
    return {view(turned_cube(cube, rotation)) for rotation in ROTATIONS}


def faces_of(seen: Seen) -> dict[Cell3, Mark]:
    """Return the faces of a cube that a view shows; a mark of `SYMMETRIC` counts as unturned."""
    return {
        NORMALS[name]: (mark, clockwise(UPWARDS[name], NORMALS[name], quarters))
        for name, (mark, quarters) in zip(FACES, seen, strict=True)
    }


def can_be_one(some: Cube, others: Cube) -> bool:
    """Return True if faces that are known and others could be faces of one cube, in the positions
    that both have now: the same mark on the same face in the same direction, and no mark twice."""
    positions = {mark: normal for normal, (mark, _) in some.items()}
    for normal, (mark, up) in others.items():
        if positions.get(mark, normal) != normal or (normal in some) != (mark in positions):
            return False
        if normal in some and mark in DIRECTED and some[normal][1] != up:
            return False
    return True


def folded_net(net: Mapping[Cell2, tuple[str, int]]) -> dict[Cell3, Mark] | None:
    """Fold a net to a cube whose top is the net's first cell; None if two faces coincide.

    Parameters
    ----------
    net: mark of each cell (row, column) and the mark's clockwise quarter turns.
    """
    start = min(net)
    frames: dict[Cell2, tuple[Cell3, Cell3]] = {start: ((0, 0, 1), (0, 1, 0))}
    queue = [start]
    for cell in queue:
        normal, up = frames[cell]
        right = _cross(up, normal)
        r, c = cell
        for step, frame in (
            ((r - 1, c), (up, _minus(normal))),
            ((r, c + 1), (right, up)),
            ((r + 1, c), (_minus(up), normal)),
            ((r, c - 1), (_minus(right), up)),
        ):
            if step in net and step not in frames:
                frames[step] = frame
                queue.append(step)
    if len({normal for normal, _ in frames.values()}) < len(net):
        return None
    return {
        normal: (net[cell][0], clockwise(up, normal, net[cell][1]))
        for cell, (normal, up) in frames.items()
    }


def _nets() -> tuple[Cells2, ...]:
    shapes: set[Cells2] = {((0, 0),)}
    for _ in range(5):
        grown = set()
        for shape in shapes:
            for r, c in shape:
                for cell in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                    if cell not in shape:
                        grown.add(free((*shape, cell)))
        shapes = grown
    flat = {shape for shape in shapes if folded_net({cell: ("disc", 0) for cell in shape})}
    return tuple(sorted(flat))


def free(cells: Iterable[Cell2]) -> Cells2:
    """Return the canonical form of a polyomino, the smallest of its eight turns and reflections."""
    positions = tuple(cells)
    return min(canonical(positions), canonical(flipped(positions)))


NETS: tuple[Cells2, ...] = _nets()
"""The eleven nets of the cube, up to turns and reflections."""


def net_class(cells: Iterable[Cell2]) -> str:
    """Return the class of a net: `1-4-1`, `2-3-1`, `2-2-2` or `3-3`, by its longest straight
    rows."""
    positions = free(cells)
    if not connected(positions) or positions not in NETS:
        raise ValueError("these cells are not a net of a cube")
    rows, columns = ([sum(1 for c in positions if c[k] == n) for n in range(6)] for k in (0, 1))
    by_rows = [n for n in (rows if max(rows) >= max(columns) else columns) if n]
    if max(by_rows) == 4:
        return "1-4-1"
    if len(by_rows) == 2:
        return "3-3"
    return "2-2-2" if by_rows == [2, 2, 2] else "2-3-1"


def _circle(r: float) -> list[Point]:
    return [
        (0.5 + r * math.cos(k * math.pi / 12), 0.5 + r * math.sin(k * math.pi / 12))
        for k in range(24)
    ]


_OUTLINES: Mapping[str, tuple[Sequence[Point], ...]] = {
    "disc": (_circle(0.3),),
    "plus": (
        (
            *((0.4, 0.15), (0.6, 0.15), (0.6, 0.4), (0.85, 0.4), (0.85, 0.6), (0.6, 0.6)),
            *((0.6, 0.85), (0.4, 0.85), (0.4, 0.6), (0.15, 0.6), (0.15, 0.4), (0.4, 0.4)),
        ),
    ),
    "cross": (
        ((0.17, 0.29), (0.29, 0.17), (0.83, 0.71), (0.71, 0.83)),
        ((0.71, 0.17), (0.83, 0.29), (0.29, 0.83), (0.17, 0.71)),
    ),
    "diamond": (((0.5, 0.1), (0.9, 0.5), (0.5, 0.9), (0.1, 0.5)),),
    "arrow": (
        ((0.42, 0.12), (0.58, 0.12), (0.58, 0.5), (0.42, 0.5)),
        ((0.2, 0.48), (0.8, 0.48), (0.5, 0.9)),
    ),
    "triangle": (((0.15, 0.2), (0.85, 0.2), (0.5, 0.82)),),
    "tee": (
        ((0.18, 0.68), (0.82, 0.68), (0.82, 0.86), (0.18, 0.86)),
        ((0.41, 0.14), (0.59, 0.14), (0.59, 0.7), (0.41, 0.7)),
    ),
    "cup": (
        ((0.18, 0.16), (0.82, 0.16), (0.82, 0.34), (0.18, 0.34)),
        ((0.18, 0.16), (0.36, 0.16), (0.36, 0.86), (0.18, 0.86)),
        ((0.64, 0.16), (0.82, 0.16), (0.82, 0.86), (0.64, 0.86)),
    ),
    "half": (((0.14, 0.5), (0.86, 0.5), (0.86, 0.86), (0.14, 0.86)),),
    "ell": (
        ((0.25, 0.14), (0.78, 0.14), (0.78, 0.32), (0.25, 0.32)),
        ((0.25, 0.14), (0.43, 0.14), (0.43, 0.86), (0.25, 0.86)),
    ),
    "flag": (
        ((0.24, 0.1), (0.36, 0.1), (0.36, 0.9), (0.24, 0.9)),
        ((0.36, 0.46), (0.84, 0.68), (0.36, 0.9)),
    ),
    "pin": (
        ((0.44, 0.1), (0.56, 0.1), (0.56, 0.6), (0.44, 0.6)),
        [(x, y + 0.2) for x, y in _circle(0.17)],
    ),
}
"""Filled parts of each mark in the unit square, (right, up)."""

_RINGS: Mapping[str, Sequence[Point]] = {
    "ring": _circle(0.28),
    "square": ((0.22, 0.22), (0.78, 0.22), (0.78, 0.78), (0.22, 0.78)),
}
"""Marks that are outlines: drawn as a thick line."""


def draw_mark(
    canvas: Canvas, corners: Sequence[Point], mark: str, quarters: int = 0, color: RGB = INK
) -> None:
    """Draw a mark on a face.

    Parameters
    ----------
    canvas: canvas to draw on.
    corners: the face's corners in the picture: lower left, lower right, upper right, upper left.
    mark: one of `MARKS`.
    quarters: clockwise quarter turns.
    color: color of the mark.
    """
    # Turning a mark clockwise moves its lower left corner to the face's upper left corner.
    (x0, y0), (x1, y1), _, (x3, y3) = (corners[(k - quarters) % 4] for k in range(4))

    def on_face(point: Point) -> Point:
        u, v = point
        return x0 + u * (x1 - x0) + v * (x3 - x0), y0 + u * (y1 - y0) + v * (y3 - y0)

    for part in _OUTLINES.get(mark, ()):
        canvas.polygon([on_face(p) for p in part], color, color, 1)
    if mark in _RINGS:
        edge = math.hypot(x1 - x0, y1 - y0)
        canvas.polygon([on_face(p) for p in _RINGS[mark]], None, color, max(3, round(edge / 10)))


def draw_cube(
    canvas: Canvas,
    seen: Seen,
    origin: Point,
    unit: float,
    shades: tuple[RGB, RGB, RGB] = ((255, 250, 235), (238, 222, 190), (216, 192, 150)),
) -> None:
    """Draw a cube from the front, above and the right, with the marks of a view.

    `origin` is the position of its lower left back corner (0, 0, 0), `unit` the edge length.
    """
    for name, shade, (mark, quarters) in zip(FACES, shades, seen, strict=True):
        corners = face((0, 0, 0), name, origin, unit)
        canvas.polygon(corners, shade, INK, 3)
        draw_mark(canvas, corners, mark, quarters)
