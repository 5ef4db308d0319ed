"""Figures on the square lattice: polyominoes (cells) and strokes (edges between lattice points).

Cells are (row, column), lattice points (x, y); rows and y grow downwards. A quarter turn is
clockwise as it is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Cell2 = tuple[int, int]
"""A cell (row, column)."""
Cells2 = tuple[Cell2, ...]
"""Cells in ascending order."""
Point2 = tuple[int, int]
"""A lattice point (x, y)."""
Stroke = tuple[Point2, Point2]
"""A straight stroke between two adjacent lattice points (or diagonal ones), the lesser first."""
Strokes = tuple[Stroke, ...]
"""Strokes in ascending order."""

SIDES: tuple[Cell2, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Steps to the cells above, on the right, below and on the left."""


def normalized(cells: Iterable[Cell2]) -> Cells2:
    """Return the cells moved so that rows and columns begin at 0, in ascending order."""
    points = list(cells)
    top, left = min(r for r, _ in points), min(c for _, c in points)
    return tuple(sorted((r - top, c - left) for r, c in points))


def turned(cells: Iterable[Cell2], quarters: int = 1) -> Cells2:
    """Return the cells after clockwise quarter turns, normalized.

    Examples
    --------
    >>> turned(((0, 0), (0, 1), (0, 2), (1, 0)))
    ((0, 0), (0, 1), (1, 1), (2, 1))
    """
    points = list(cells)
    for _ in range(quarters % 4):
        points = [(c, -r) for r, c in points]
    return normalized(points)


def flipped(cells: Iterable[Cell2]) -> Cells2:
    """Return the mirror image in a vertical line, normalized."""
    return normalized((r, -c) for r, c in cells)


def rotations(cells: Iterable[Cell2]) -> tuple[Cells2, ...]:
    """Return the four quarter turns of the cells, beginning with none."""
    points = list(cells)
    return tuple(turned(points, k) for k in range(4))


def canonical(cells: Iterable[Cell2]) -> Cells2:
    """Return the smallest of the four rotations, which is equal for two polyominoes that are
    rotations of one figure."""
    return min(rotations(cells))


def is_chiral(cells: Iterable[Cell2]) -> bool:
    """Return True if no turn in the plane brings the cells to their mirror image."""
    points = tuple(cells)
    return canonical(points) != canonical(flipped(points))


def neighbors(cell: Cell2) -> tuple[Cell2, ...]:
    """Return the four cells that share a side with a cell."""
    r, c = cell
    return tuple((r + dr, c + dc) for dr, dc in SIDES)


def connected(cells: Iterable[Cell2]) -> bool:
    """Return True if the cells are connected by their sides."""
    left = set(cells)
    front = [left.pop()]
    while front:
        for cell in neighbors(front.pop()):
            if cell in left:
                left.remove(cell)
                front.append(cell)
    return not left


def has_hole(cells: Iterable[Cell2]) -> bool:
    """Return True if cells enclose an empty one, or touch by a corner only (no simple outline)."""
    points = set(cells)
    rows, columns = [r for r, _ in points], [c for _, c in points]
    around = {
        (r, c)
        for r in range(min(rows) - 1, max(rows) + 2)
        for c in range(min(columns) - 1, max(columns) + 2)
    } - points
    if not connected(around):
        return True
    pinched = (((r, c), (r + 1, c + 1), (r, c + 1), (r + 1, c)) for r, c in around | points)
    return any(
        ((a in points) + (b in points) - (p in points) - (q in points)) in (2, -2)
        for a, b, p, q in pinched
    )


def outline(cells: Iterable[Cell2]) -> tuple[Point2, ...]:
    """Return the corners of a polyomino without holes, clockwise, from its topmost leftmost corner
    on.

    Examples
    --------
    >>> outline([(0, 0), (0, 1)])
    ((0, 0), (2, 0), (2, 1), (0, 1))
    """
    points = set(cells)
    following: dict[Point2, Point2] = {}
    for r, c in points:
        ring = ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1))
        for side, (dr, dc) in enumerate(SIDES):
            if (r + dr, c + dc) not in points:
                following[ring[side]] = ring[(side + 1) % 4]
    start = min(following, key=lambda p: (p[1], p[0]))
    ring, point = [start], following[start]
    while point != start:
        ring.append(point)
        point = following[point]
    return tuple(
        p for k, p in enumerate(ring) if not _straight(ring[k - 1], p, ring[(k + 1) % len(ring)])
    )


def _straight(a: Point2, b: Point2, c: Point2) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) == (b[1] - a[1]) * (c[0] - b[0])


def stroke(a: Point2, b: Point2) -> Stroke:
    """Return the stroke between two points, the smaller point first."""
    return (a, b) if a <= b else (b, a)


def moved(strokes: Iterable[Stroke], dx: int, dy: int) -> Strokes:
    """Move the strokes to the right and downwards."""
    return tuple(sorted(((ax + dx, ay + dy), (bx + dx, by + dy)) for (ax, ay), (bx, by) in strokes))


def mapped(strokes: Iterable[Stroke], where: Callable[[Point2], Point2]) -> Strokes:
    """Map the points of the strokes, and move the result so that the smallest x and y are 0."""
    moved_strokes = [stroke(where(a), where(b)) for a, b in strokes]
    left = min(p[0] for s in moved_strokes for p in s)
    top = min(p[1] for s in moved_strokes for p in s)
    return moved(moved_strokes, -left, -top)


def extent(strokes: Iterable[Stroke]) -> Point2:
    """Return the greatest x and the greatest y of the ends of the strokes."""
    all_strokes = list(strokes)
    return max(p[0] for s in all_strokes for p in s), max(p[1] for s in all_strokes for p in s)


def places_in(figure: Strokes, pattern: Iterable[Stroke]) -> list[Point2]:
    """Return every shift of a figure that puts each of its strokes on a stroke of the pattern.

    Examples
    --------
    >>> corner = (((0, 0), (0, 1)), ((0, 1), (1, 1)))
    >>> places_in(corner, [((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (2, 1))])
    [(0, 0)]
    """
    pattern_strokes = set(pattern)
    (fx, fy), end = figure[0]
    result = []
    for (ax, ay), b in sorted(pattern_strokes):
        dx, dy = ax - fx, ay - fy
        if (end[0] + dx, end[1] + dy) == b and all(
            s in pattern_strokes for s in moved(figure, dx, dy)
        ):
            result.append((dx, dy))
    return result


def is_whole(strokes: Sequence[Stroke]) -> bool:
    """Return True if shared ends connect all strokes."""
    left = set(strokes)
    points = set(left.pop())
    while True:
        joined = {s for s in left if s[0] in points or s[1] in points}
        if not joined:
            return not left
        left -= joined
        points.update(p for s in joined for p in s)


def lattice_strokes(points: int, diagonal: bool) -> tuple[Stroke, ...]:
    """Return every stroke of a lattice of points x points, with or without diagonals."""
    steps = ((1, 0), (0, 1), (1, 1), (1, -1)) if diagonal else ((1, 0), (0, 1))
    return tuple(
        sorted(
            stroke((x, y), (x + dx, y + dy))
            for x in range(points)
            for y in range(points)
            for dx, dy in steps
            if x + dx < points and 0 <= y + dy < points
        )
    )
