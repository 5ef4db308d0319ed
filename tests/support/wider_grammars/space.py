"""Wider grammars of figures and bodies in space, folded paper, stacks of cubes and symmetry.

What a picture does not show may be anything: cubes behind others, the hidden faces of a cube.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

Cell = tuple[int, ...]
Cells = frozenset[Cell]

TO_THE_VIEWER = (0.469, -0.695, 0.545)
"""Direction from a stack to the viewer: to the right, to the front, up."""

DIRECTED = {"arrow", "triangle", "tee", "cup", "half", "pin", "ell", "flag"}
"""Marks of a cube that look different after every quarter turn."""


def at_zero(cells: Iterable[Sequence[int]]) -> Cells:
    """The cells moved so that each least coordinate is 0."""
    listed = [tuple(cell) for cell in cells]
    low = [min(axis) for axis in zip(*listed, strict=True)]
    return frozenset(tuple(c - o for c, o in zip(cell, low, strict=True)) for cell in listed)


def turns_of(cells: Iterable[Sequence[int]]) -> set[Cells]:
    """A body in all positions that rotations by quarters give it, in two or three dimensions."""
    first = at_zero(cells)
    seen, todo = {first}, [first]
    axes = len(next(iter(first)))
    while todo:
        body = todo.pop()
        for a, b in itertools.combinations(range(axes), 2):
            turned = [list(cell) for cell in body]
            for cell in turned:
                cell[a], cell[b] = -cell[b], cell[a]
            one = at_zero(turned)
            if one not in seen:
                seen.add(one)
                todo.append(one)
    return seen


def least_turn(cells: Iterable[Sequence[int]]) -> tuple[Cell, ...]:
    """One of the positions of a body, the same for all of them."""
    return min(tuple(sorted(body)) for body in turns_of(cells))


def rotation_2d(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """Turned by any angle: figures of squares agree after quarters only."""
    own = turns_of(scene["figure"])
    return {k: "turned" for k, (cells, _) in enumerate(options) if at_zero(cells) in own}


def rotation_3d(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """Turned in space, and with what a view hides: every body of which the option shows as much."""
    own = turns_of(scene["body"])
    found = {k: "turned" for k, body in enumerate(options) if at_zero(body) in own}
    drawn = {_seen_faces(other) for other in own}
    for number, body in enumerate(options):
        alike = len(body) == len(scene["body"]) and _seen_faces(map(tuple, body)) in drawn
        if number not in found and alike:
            found[number] = "turned, with a cube hidden"
    return found


def _seen_faces(body: Iterable[Cell]) -> frozenset[tuple[Cell, int]]:
    """Faces of a body towards the viewer of which something can be seen, wherever it stands."""
    cells = set(body)
    faces = [
        (cell, axis)
        for cell in cells
        for axis, sign in ((0, 1), (1, -1), (2, 1))
        if _is_seen(cell, axis, sign, cells)
    ]
    low = [min(cell[k] for cell, _ in faces) for k in range(3)]
    return frozenset(
        (tuple(c - o for c, o in zip(cell, low, strict=True)), axis) for cell, axis in faces
    )


def _is_seen(cell: Cell, axis: int, sign: int, body: set[Cell]) -> bool:
    """Return True if the way to the viewer is free from one of 16 points of a face."""
    # The way to the viewer goes to the right, to the front and up.
    x, y, z = cell
    before = [one for one in body if one[0] >= x and one[1] <= y and one[2] >= z]
    others = [k for k in range(3) if k != axis]
    for i, j in itertools.product((1, 3, 5, 7), repeat=2):
        point = [cell[k] + 0.0 for k in range(3)]
        point[axis] += (sign + 1) / 2 + sign * 1e-6
        point[others[0]] += i / 8
        point[others[1]] += j / 8
        if not any(_through(point, one) for one in before):
            return True
    return False


def _through(point: Sequence[float], cell: Cell) -> bool:
    """Return True if the way from a point to the viewer goes through a cube."""
    low, high = 0.0, float("inf")
    for start, along, edge in zip(point, TO_THE_VIEWER, cell, strict=True):
        near, far = sorted(((edge - start) / along, (edge + 1 - start) / along))
        low, high = max(low, near), min(high, far)
    return high - low > 1e-9


def form_board(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """Pieces put down in any order, each in any of its turns, wherever the first free square is."""
    outline = frozenset(map(tuple, scene["outline"]))
    return {k: "fills" for k, pieces in enumerate(options) if _fills(outline, tuple(pieces))}


def _fills(free: Cells, pieces: Sequence[Any]) -> bool:
    if not pieces:
        return not free
    if sum(map(len, pieces)) != len(free):
        return False
    corner = min(free)
    for number, piece in enumerate(pieces):
        for turned in turns_of(piece):
            for anchor in turned:
                put = {tuple(c + p - a for c, p, a in zip(cell, corner, anchor, strict=True))
                       for cell in turned}  # fmt: skip
                if put <= free and _fills(free - put, (*pieces[:number], *pieces[number + 1 :])):
                    return True
    return False


def pieces_seen(option: Sequence[Any]) -> tuple[Any, ...]:
    """A set of pieces however each is turned, in any order."""
    return tuple(sorted(least_turn(piece) for piece in option))


# Cubes with marks: a cube is the mark and direction on each of six faces.

CORNERS = tuple(itertools.product((0, 1), repeat=3))
VIEW = (
    ((0, 1, 1), (1, 1, 1), (1, 0, 1), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 1), (1, 0, 0), (0, 0, 0)),
    ((1, 0, 1), (1, 1, 1), (1, 1, 0), (1, 0, 0)),
)
"""Corners of the three faces that are seen, from the upper left of each."""


def mark_seen(option: Sequence[Any]) -> tuple[Any, ...]:
    """A view of a cube: directions of marks that have one."""
    return tuple((mark, turn % 4 if mark in DIRECTED else 0) for mark, turn in option)


def _printed(view: Sequence[Any]) -> dict[str, tuple[Cell, ...]]:
    rings = {}
    for (mark, turn), ring in zip(view, VIEW, strict=True):
        turned = tuple(ring[(k + turn) % 4] for k in range(4))
        rings[mark] = turned if mark in DIRECTED else tuple(sorted(turned))
    return rings


def _rotations() -> Iterator[dict[Cell, Cell]]:
    """The 24 rotations of a cube as maps of its corners."""
    for order in itertools.permutations(range(3)):
        for flips in itertools.product((0, 1), repeat=3):
            swaps = sum(a > b for a, b in itertools.combinations(order, 2))
            if (swaps + sum(flips)) % 2 == 0:
                yield {c: tuple(c[order[k]] ^ flips[k] for k in range(3)) for c in CORNERS}


def _turned(rings: dict[str, tuple[Cell, ...]], map_: dict[Cell, Cell]) -> dict[str, Any]:
    moved = {mark: tuple(map_[corner] for corner in ring) for mark, ring in rings.items()}
    return {m: ring if m in DIRECTED else tuple(sorted(ring)) for m, ring in moved.items()}


def cube_comparison(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """Some rotation of each view carries the marks that views share onto each other, and no two
    marks of different names onto one face; the hidden faces may be anything."""
    seen = [_printed(scene[name]) for name in ("seen", "second") if name in scene]
    turned = [[_turned(one, map_) for map_ in _rotations()] for one in seen]
    joined = [one for one in itertools.product(*turned) if _are_one_cube(one)]
    return {
        number: "turned"
        for number, option in enumerate(options)
        if any(_are_one_cube((*views, _printed(option))) for views in joined)
    }


def _are_one_cube(views: Sequence[dict[str, Any]]) -> bool:
    """Return True if no mark is on two faces (or in two directions), and no face has two marks."""
    return all(
        (ring == other) if mark == name else (set(ring) != set(other))
        for one, two in itertools.combinations(views, 2)
        for mark, ring in one.items()
        for name, other in two.items()
    )


def cube_nets(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """The die rolls over the net in any order; views fit from any side, marks outside. Two views
    of an option may be from any two sides."""
    rings = _folded(scene["net"])
    shown = [_turned(rings, map_) for map_ in _rotations()]
    found = {}
    for number, option in enumerate(options):
        views = [_printed(option[k : k + 3]) for k in range(0, len(option), 3)]
        if all(any(view.items() <= cube.items() for cube in shown) for view in views):
            found[number] = "folded"
    return found


def _folded(net: Sequence[Any]) -> dict[str, tuple[Cell, ...]]:
    """Mark -> the corners of the cube round it: frames of three directions carried over the net."""
    fields = {(r, c): (mark, turn) for r, c, mark, turn in net}
    frames: dict[Any, tuple[Cell, Cell, Cell]] = {min(fields): ((1, 0, 0), (0, -1, 0), (0, 0, 1))}
    todo = [min(fields)]
    while todo:
        here = todo.pop()
        right, down, out = frames[here]
        for step, frame in (
            ((0, 1), (_minus(out), down, right)), ((0, -1), (out, down, _minus(right))),
            ((1, 0), (right, _minus(out), down)), ((-1, 0), (right, out, _minus(down))),
        ):  # fmt: skip
            there = (here[0] + step[0], here[1] + step[1])
            if there in fields and there not in frames:
                frames[there] = frame
                todo.append(there)
    rings = {}
    for place, (mark, turn) in fields.items():
        right, down, out = frames[place]
        around = [_corner(out, _minus(right), _minus(down)), _corner(out, right, _minus(down)),
                  _corner(out, right, down), _corner(out, _minus(right), down)]  # fmt: skip
        rings[mark] = tuple(around[(k + turn) % 4] for k in range(4))
    return {mark: ring if mark in DIRECTED else tuple(sorted(ring)) for mark, ring in rings.items()}


def _minus(step: Sequence[int]) -> Cell:
    return tuple(-x for x in step)


def _corner(*steps: Sequence[int]) -> Cell:
    return tuple((sum(axis) + 1) // 2 for axis in zip(*steps, strict=True))


# Paper, stacks, symmetry.


def paper_folding(scene: Any, options: Sequence[Any]) -> dict[int, str]:
    """The flat sheet folded forwards: every field of a lattice finer than the holes is followed to
    where it comes to lie."""
    holes = set()
    for point in itertools.product(range(1, 24), repeat=2):
        at = tuple(Fraction(x, 2) for x in point)
        for a, b, c in scene["folds"]:
            beyond = a * at[0] + b * at[1] - c
            if beyond > 0:
                at = tuple(x - 2 * n * beyond / (a * a + b * b)
                           for x, n in zip(at, (a, b), strict=True))  # fmt: skip
        if list(at) in [[Fraction(x) for x in punch] for punch in scene["punches"]]:
            holes.add(tuple(Fraction(x, 2) for x in point))
    return {k: "unfolded" for k, one in enumerate(options) if set(map(tuple, one)) == holes}


def cube_counting(scene: Any, options: Sequence[int]) -> dict[int, str]:
    """Every number of cubes with which the picture is the same: a column may stand unseen, or be
    higher or lower behind others."""
    heights = [list(row) for row in scene["heights"]]
    found = {sum(map(sum, heights)): "as drawn"}
    for y, x in itertools.product(range(len(heights)), repeat=2):
        for other in range(max(map(max, heights)) + 1):
            low, high = sorted((heights[y][x], other))
            changed = [list(row) for row in heights]
            changed[y][x] = high
            # A cube that shows no face can be there or not.
            if low < high and not any(_shows((x, y, z), changed) for z in range(low, high)):
                changed[y][x] = other
                found.setdefault(sum(map(sum, changed)), f"{other} cubes at {x}, {y}")
    return {k: found[option] for k, option in enumerate(options) if option in found}


def _shows(cell: Cell, heights: Sequence[Sequence[int]]) -> bool:
    body = {(x, y, z) for y, row in enumerate(heights) for x, n in enumerate(row) for z in range(n)}
    return any(
        tuple(c + sign * (k == axis) for k, c in enumerate(cell)) not in body
        and _is_seen(cell, axis, sign, body)
        for axis, sign in ((0, 1), (1, -1), (2, 1))
    )


def block_views(scene: Any, options: Sequence[Sequence[int]]) -> dict[int, str]:
    """The outline from the side that is asked for, from the middle of each place on."""
    heights, side = scene["heights"], scene["side"]
    columns = [list(column) for column in zip(*heights, strict=True)]
    lines = {"front": columns, "right": heights, "left": heights[::-1], "back": columns[::-1]}[side]
    outline = [max(line) for line in lines]
    return {k: "seen" for k, option in enumerate(options) if list(option) == outline}


def relative_positions(scene: Any, options: Sequence[str]) -> dict[int, str]:
    """The way in the picture's own directions, taken in any order of its steps."""
    turns = {"front": 0, "right": 1, "back": 2, "left": 3}[scene["side"]]
    steps = {"right": (1, 0, 0), "left": (-1, 0, 0), "farther": (0, 1, 0), "nearer": (0, -1, 0),
             "up": (0, 0, 1), "down": (0, 0, -1)}  # fmt: skip
    total = [sum(axis) for axis in zip(*(steps[move] for move in scene["moves"]), strict=True)]
    for _ in range(turns):
        total[0], total[1] = -total[1], total[0]
    cubes = {tuple(cube[:3]): cube[3] for cube in scene["cubes"]}
    here = next(cell for cell, hue in cubes.items() if hue == scene["start"])
    end = tuple(a + b for a, b in zip(here, total, strict=True))
    return {k: "reached" for k, option in enumerate(options) if cubes.get(end) == option}


def symmetry_axes(scene: Any, options: Sequence[int]) -> dict[int, str]:
    """Axes of the pattern, counted on the rows, columns and diagonals of its fields."""
    fields = [list(row) for row in scene["fields"]]
    across = [list(column) for column in zip(*fields, strict=True)]
    count = sum((
        fields == fields[::-1],
        fields == [row[::-1] for row in fields],
        fields == across,
        fields == [row[::-1] for row in across[::-1]],
    ))  # fmt: skip
    return {k: "counted" for k, option in enumerate(options) if option == count}


FITTING = {
    "rotation_2d": rotation_2d,
    "rotation_3d": rotation_3d,
    "form_board": form_board,
    "cube_comparison": cube_comparison,
    "cube_nets": cube_nets,
    "paper_folding": paper_folding,
    "cube_counting": cube_counting,
    "block_views": block_views,
    "relative_positions": relative_positions,
    "symmetry_axes": symmetry_axes,
}
SEEN = {
    "rotation_2d": lambda option: least_turn(option[0]),
    "rotation_3d": least_turn,
    "form_board": pieces_seen,
    "cube_comparison": mark_seen,
    "cube_nets": mark_seen,
    "paper_folding": lambda option: tuple(sorted(map(tuple, option))),
}
