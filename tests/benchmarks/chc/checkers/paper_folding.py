"""Unfolding step by step: a sheet with holes is laid back over each crease, the last one first.

Every hole of the folded paper is followed backwards: at each crease a point on the side that was
covered may have come from there or from its mirror image; what was possible is checked forwards.
"""

from fractions import Fraction


def mirror(fold, point):
    a, b, c = fold
    t = Fraction(2 * (a * point[0] + b * point[1] - c), a * a + b * b)
    return point[0] - t * a, point[1] - t * b


def value(fold, point):
    return fold[0] * point[0] + fold[1] * point[1] - fold[2]


def unfold(folds, point):
    """Every point of the flat sheet that lies at `point` when the folds are made."""
    if not folds:
        return [point] if 0 < point[0] < 12 and 0 < point[1] < 12 else []
    *earlier, last = folds
    if value(last, point) > 0:
        return []
    assert value(last, point) != 0 or not unfold(earlier, point), "a punch on a crease"
    return unfold(earlier, point) + unfold(earlier, mirror(last, point))


def answer(scene, options):
    found = set()
    for punch in scene["punches"]:
        for x, y in unfold(scene["folds"], tuple(punch)):
            found.add((int(x), int(y)))
    return [{tuple(hole) for hole in option} for option in options].index(found)
