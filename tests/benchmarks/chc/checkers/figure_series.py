"""The definition of a figure series: each attribute of the row is one regular sequence.

A sequence is regular if it never changes, goes on by one step of its scale, or repeats after two or
three figures, and is shown long enough to see it. An option continues the row if every attribute,
with the option's value at its end, is still the regular sequence that it was.
"""

from itertools import pairwise

SCALES = {
    "size": ["small", "medium", "large"],
    "shade": ["white", "light", "dark", "black"],
    "count": [1, 2, 3, 4, 5, 6],
    "turn": [0, 1, 2, 3, 4, 5, 6, 7],
}
STEPS = {"size": 1, "shade": 1, "count": 1, "turn": 3}


def regular(name, values):
    """The names of the regularities of a sequence."""
    n, found = len(values), set()
    if len(set(map(str, values))) == 1:
        return {"same"}
    if name in SCALES:
        places = [SCALES[name].index(v) for v in values]
        steps = [b - a for a, b in pairwise(places)]
        if name == "turn":
            steps = [(s + 4) % 8 - 4 for s in steps]
        if len(set(steps)) == 1 and 1 <= abs(steps[0]) <= STEPS[name]:
            found.add(f"step {steps[0]}")
    for period in (2, 3):
        if n >= period + 2 and all(values[k] == values[k + period] for k in range(n - period)):
            found.add(f"period {period}")
    return found


def answer(scene, options):
    cells, right = scene["cells"], []
    for number, option in enumerate(options):
        goes_on = []
        for name in ("form", "size", "shade", "count", "turn", "marks"):
            values = [cell[name] for cell in cells]
            goes_on.append(bool(regular(name, values) & regular(name, [*values, option[name]])))
        if all(goes_on):
            right.append(number)
    assert len(right) == 1, f"{len(right)} options continue {cells}"
    return right[0]
