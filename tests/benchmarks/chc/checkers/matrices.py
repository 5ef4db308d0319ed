"""The definition of a matrix: some rule of the grammar holds in every row, or in every column.

Written as a search over what could stand in the last cell: an option is right if for each of its
attributes some rule holds in all lines once the option stands there.
"""

from itertools import pairwise

SCALE = {
    "size": ["small", "medium", "large"],
    "shade": ["white", "light", "dark", "black"],
    "count": [1, 2, 3, 4, 5, 6],
    "turn": [0, 1, 2, 3, 4, 5, 6, 7],
}


def lines_hold(name, lines):
    """Whether one rule holds in all of the complete lines of an attribute."""
    if all(len({str(v) for v in line}) == 1 for line in lines):
        return True
    if name in SCALE:
        places = [[SCALE[name].index(v) for v in line] for line in lines]
        steps = {b - a for line in places for a, b in pairwise(line)}
        if name == "turn":
            steps = {s % 8 for s in steps}
        if len(steps) == 1:
            return True
    if len(lines) == 2:
        return False
    sets = {frozenset(map(str, line)) for line in lines}
    if name != "marks" and len(sets) == 1 and len(next(iter(sets))) == 3:
        return True
    if name == "count":
        return all(a + b == c for a, b, c in lines) or all(a - b == c for a, b, c in lines)
    if name == "marks":
        sets = [[frozenset(v) for v in line] for line in lines]
        return (
            all(a & b == c for a, b, c in sets)
            or all(a | b == c for a, b, c in sets)
            or all(a ^ b == c for a, b, c in sets)
        )
    return False


def answer(scene, options):
    side, right = scene["side"], []
    for number, option in enumerate(options):
        cells = [*scene["cells"], option]
        rows = [cells[r * side : (r + 1) * side] for r in range(side)]
        columns = [list(column) for column in zip(*rows, strict=False)]
        if all(
            any(
                lines_hold(name, [[c[name] for c in line] for line in way])
                for way in (rows, columns)
            )
            for name in ("form", "size", "shade", "count", "turn", "marks")
        ):
            right.append(number)
    assert len(right) == 1, f"{len(right)} options fit"
    return right[0]
