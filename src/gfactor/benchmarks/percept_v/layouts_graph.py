"""Layouts of graphs: edges that can be distinguished (integers only), and the published spring
layout."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from gfactor.items import ItemRandom

Point = tuple[int, int]
Edge = tuple[int, int]
"""The indices of two nodes, the smaller first."""

MEETING = (933, 1000)
"""Squared cosine of 15 degrees: the smallest angle between two edges at a node."""

CROSSING = (750, 1000)
"""Squared cosine of 30 degrees: the smallest angle at which two edges cross."""


def clear_edges(
    rng: ItemRandom, nodes: Sequence[Point], count: int, clearance: int
) -> list[Edge] | None:
    """Return `count` edges between `nodes` that can be followed by eye, or None if none are found.

    No edge comes nearer than `clearance` to the center of a third node, no two edges leave a node
    or cross at a small angle. Short edges are preferred (not strictly), so that few cross.
    """
    pairs = [
        (a, b)
        for a, b in combinations(range(len(nodes)), 2)
        if all(
            squared_distance(nodes[c], nodes[a], nodes[b]) >= clearance**2
            for c in range(len(nodes))
            if c not in (a, b)
        )
    ]
    order = sorted(pairs, key=lambda e: _squared_length(nodes, e) * rng.integer(1, 9))
    chosen: list[Edge] = []
    for edge in order:
        if len(chosen) == count:
            break
        if all(_are_apart(nodes, edge, other) for other in chosen):
            chosen.append(edge)
    return sorted(chosen) if len(chosen) == count else None


def squared_distance(point: Point, a: Point, b: Point) -> int:
    """Return the square of the distance from `point` to the segment from `a` to `b`, rounded
    down."""
    ab, ap = _minus(b, a), _minus(point, a)
    along, length = _dot(ab, ap), _dot(ab, ab)
    if along <= 0:
        return _dot(ap, ap)
    if along >= length:
        bp = _minus(point, b)
        return _dot(bp, bp)
    return _cross(ab, ap) ** 2 // length


def _are_apart(nodes: Sequence[Point], one: Edge, other: Edge) -> bool:
    shared = set(one) & set(other)
    if shared:
        hub = shared.pop()
        u = _minus(nodes[one[0] + one[1] - hub], nodes[hub])
        v = _minus(nodes[other[0] + other[1] - hub], nodes[hub])
        return _dot(u, v) <= 0 or _is_wide(u, v, MEETING)
    a, b, c, d = (nodes[k] for k in (*one, *other))
    u, v = _minus(b, a), _minus(d, c)
    crosses = (
        _cross(u, _minus(c, a)) * _cross(u, _minus(d, a)) < 0
        and _cross(v, _minus(a, c)) * _cross(v, _minus(b, c)) < 0
    )
    return not crosses or _is_wide(u, v, CROSSING)


def _is_wide(u: Point, v: Point, squared_cosine: tuple[int, int]) -> bool:
    over, under = squared_cosine
    return under * _dot(u, v) ** 2 <= over * _dot(u, u) * _dot(v, v)


def _squared_length(nodes: Sequence[Point], edge: Edge) -> int:
    along = _minus(nodes[edge[1]], nodes[edge[0]])
    return _dot(along, along)


def _minus(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1]


def _dot(u: Point, v: Point) -> int:
    return u[0] * v[0] + u[1] * v[1]


def _cross(u: Point, v: Point) -> int:
    return u[0] * v[1] - u[1] * v[0]


def spring_layout(
    rng: ItemRandom, count: int, edges: Sequence[Edge], low: int, high: int
) -> list[Point]:
    """Return positions of `count` nodes by springs (Fruchterman and Reingold 1991), in [low, high].

    Nodes repel with k^2 / d and edges attract with d^2 / k, k = 1 / sqrt(count), for fifty steps
    of shrinking length from random positions, without minimum distances. Sums are taken in a fixed
    order and rounded at the end, so that every machine gets the same integers.
    """
    positions = [[rng.integer(0, 9999) / 10000 for _ in range(2)] for _ in range(count)]
    k, joined = 1 / math.sqrt(count), set(edges)
    reach = 0.1
    for _ in range(50):
        moves = [[0.0, 0.0] for _ in range(count)]
        for a, b in combinations(range(count), 2):
            x, y = positions[a][0] - positions[b][0], positions[a][1] - positions[b][1]
            d = max(math.sqrt(x * x + y * y), 0.01)
            force = k * k / (d * d) - (d / k if (a, b) in joined else 0)
            for node, sign in ((a, force), (b, -force)):
                moves[node][0] += sign * x
                moves[node][1] += sign * y
        for position, (x, y) in zip(positions, moves, strict=True):
            length = max(math.sqrt(x * x + y * y), 0.01)
            position[0] += reach * x / length
            position[1] += reach * y / length
        reach -= 0.1 / 51
    return _scaled(positions, low, high)


def _scaled(positions: Sequence[Sequence[float]], low: int, high: int) -> list[Point]:
    """Stretch each axis so that the outermost nodes lie at `low` and `high`, as plots do."""
    axes = []
    for values in zip(*positions, strict=True):
        least, span = min(values), max(values) - min(values)
        axes.append([
            round(low + (high - low) * ((v - least) / span if span else 0.5)) for v in values
        ])  # fmt: skip
    return list(zip(*axes, strict=True))
