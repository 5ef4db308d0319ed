"""Figures counted in other ways: crossings by fractions, regions by Euler's formula on the graph of
all pieces of lines, areas by looking at the quarters of every square of the grid."""

from fractions import Fraction
from itertools import combinations, pairwise

UNITS = 8


def crossings(lines):
    found = set()
    for (a, b), (c, d) in combinations(lines, 2):
        # a + t (b - a) = c + u (d - c), by Cramer's rule.
        m = [[b[0] - a[0], c[0] - d[0]], [b[1] - a[1], c[1] - d[1]]]
        det = m[0][0] * m[1][1] - m[0][1] * m[1][0]
        if det:
            rhs = [c[0] - a[0], c[1] - a[1]]
            t = Fraction(rhs[0] * m[1][1] - m[0][1] * rhs[1], det)
            u = Fraction(m[0][0] * rhs[1] - rhs[0] * m[1][0], det)
            if 0 <= t <= 1 and 0 <= u <= 1:
                found.add((a[0] + t * m[0][0], a[1] + t * m[1][0]))
    return found


def regions(lines):
    """E - V + C of the graph whose vertices are corners, ends and crossings."""
    square = [((0, 0), (UNITS, 0)), ((UNITS, 0), (UNITS, UNITS)),
              ((UNITS, UNITS), (0, UNITS)), ((0, UNITS), (0, 0))]  # fmt: skip
    points = crossings([*lines, *square])
    edges = 0
    for (ax, ay), (bx, by) in [*lines, *square]:
        on = [
            p for p in points
            if (bx - ax) * (p[1] - ay) == (by - ay) * (p[0] - ax)
            and min(ax, bx) <= p[0] <= max(ax, bx) and min(ay, by) <= p[1] <= max(ay, by)
        ]  # fmt: skip
        edges += len(on) - 1
    return edges - len(points) + 1


def area(corners):
    """Quarters of squares whose middle lies inside, by the even-odd rule."""
    third = Fraction(1, 3)
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
    quarters = 0
    for x in range(UNITS):
        for y in range(UNITS):
            for dx, dy in ((0, -third), (third, 0), (0, third), (-third, 0)):
                px, py = x + Fraction(1, 2) + dx, y + Fraction(1, 2) + dy
                inside = False
                for (ax, ay), (bx, by) in sides:
                    if (ay > py) != (by > py):
                        inside ^= px < ax + (py - ay) * Fraction(bx - ax, by - ay)
                quarters += inside
    assert quarters % 4 == 0
    return quarters // 4


def counts(figure):
    if figure["lines"]:
        lines = [tuple(map(tuple, line)) for line in figure["lines"]]
        return {
            "lines": len(lines), "crossings": len(crossings(lines)), "regions": regions(lines),
        }  # fmt: skip
    if figure["corners"]:
        corners = list(map(tuple, figure["corners"]))
        return {"area": area(corners), "corners": len(corners)}
    black, white = len(figure["black"]), len(figure["white"])
    return {"black": black, "white": white, "all": black + white}


def goes_on(row, following):
    if len(row) == 4:
        steps = [b - a for a, b in zip(row, [*row[1:], following], strict=True)]
        growth = {b - a for a, b in pairwise(steps)}
        return len(growth) == 1
    first, second, third = row[:3], row[3:6], [*row[6:], following]
    return any(all(a + sign * b == c for a, b, c in (first, second, third)) for sign in (1, -1))


def answer(scene, options):
    shown = [counts(figure) for figure in scene["figures"]]
    offered = [counts(option) for option in options]
    names = [scene["counted"]] if scene["counted"] else list(offered[0])
    fitting = {
        k
        for name in names
        for k, option in enumerate(offered)
        if goes_on([one[name] for one in shown], option[name])
    }
    (key,) = fitting
    return key
