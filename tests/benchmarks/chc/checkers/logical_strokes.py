"""The definition of a logical operation: what becomes of a place depends on that place alone.

The rows that are whole say, for each of the four cases (empty or filled in the first, in the second
picture), whether the place is filled in the third, once that is turned back by some quarters. An
option is right if it agrees with all that the whole rows say, for some number of quarters, and the
cases that they leave open may be anything.
"""

import numpy as np


def picture(panel, element, size):
    """A panel as arrays of filled places: cells, or horizontal and vertical strokes."""
    flat = np.zeros(size * size if element == "cells" else 2 * size * (size - 1), bool)
    flat[[number - 1 for number in panel]] = True
    if element == "cells":
        return [flat.reshape(size, size)]
    half = size * (size - 1)
    return [flat[:half].reshape(size, size - 1), flat[half:].reshape(size - 1, size)]


def turned_back(arrays):
    """A picture turned by a quarter against the clock: rows of strokes become columns."""
    return [np.rot90(array) for array in reversed(arrays)]


def cases(first, second, third):
    """(filled in first, filled in second) -> what it became."""
    found = {}
    for a, b, c in zip(first, second, third, strict=True):
        for case in zip(a.ravel(), b.ravel(), c.ravel(), strict=True):
            found.setdefault((bool(case[0]), bool(case[1])), set()).add(bool(case[2]))
    return found


def answer(scene, options):
    element, size = scene["element"], scene["size"]
    panels = [picture(panel, element, size) for panel in scene["panels"]]
    *whole, last = [panels[k : k + 3] for k in range(0, len(panels), 3)]
    right = set()
    for number, option in enumerate(options):
        thirds = [*(row[2] for row in whole), picture(option, element, size)]
        for _ in range(4):
            merged = {}
            for row, third in zip([*whole, last], thirds, strict=True):
                for case, became in cases(row[0], row[1], third).items():
                    merged.setdefault(case, set()).update(became)
            if all(len(became) == 1 for became in merged.values()):
                right.add(number)
            thirds = [turned_back(third) for third in thirds]
    assert len(right) == 1, f"{len(right)} options follow"
    return right.pop()
