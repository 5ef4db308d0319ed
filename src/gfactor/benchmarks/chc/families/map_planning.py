"""Planning on a map: which house does the shortest way from S to G pass?

Roadblocks close streets so that one way is the shortest. Houses stand at its streets and at streets
of ways that would be as short, or shorter, without roadblocks.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.numbers import draw_numbers
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import BLACK, WHITE, Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.lattices import Point2, Stroke, stroke
from gfactor.imaging.measures.map_planning import BLOCK, EDGE, HOUSE, STEP, streets_of
from gfactor.items import ItemRandom, OutputFormat

STREET = (205, 205, 205)
_DRAWS = 40


@dataclass(frozen=True)
class Scene:
    """Crossings across and down; S and G; closed streets; streets with houses 1, 2, ..."""

    crossings: int
    start: Point2
    goal: Point2
    closed: tuple[Stroke, ...]
    houses: tuple[Stroke, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    size, detour, decoys, houses = (
        int(levels[name]) for name in ("crossings", "detour", "decoys", "houses")
    )
    for _ in range(_DRAWS):
        start, goal = _ends(rng, size)
        way = _way(rng, size, start, goal, detour)
        closed = _closing(rng, size, way) if way else None
        if closed is None:
            continue
        on_way = [stroke(a, b) for a, b in itertools.pairwise(way)]
        streets = [s for s in streets_of(size) if s not in on_way and s not in closed]
        free = rng.shuffled(streets)
        lures = [s for s in free if _is_between(s, start, goal)]
        passed = rng.choice(on_way)
        beside: list[Stroke] = []
        for street in [*lures, *(s for s in free if s not in lures)]:
            blocks = {_block(s) for s in (passed, *beside)}
            if len(beside) < houses - 1 and _block(street) not in blocks:
                beside.append(street)
        spare = [s for s in free if s not in beside][:decoys]
        if len(beside) < houses - 1 or len(spare) < decoys:
            continue
        placed = rng.shuffled([passed, *beside])
        scene = Scene(size, start, goal, tuple(sorted([*closed, *spare])), tuple(placed))
        right = placed.index(passed) + 1
        if len(shortest(scene)) == 1:
            return Draft(scene, right, _wrong(rng, scene, right, options), ("way", tuple(way)))
    return Draft(Scene(0, (0, 0), (0, 0), (), ()), 0)


def _ends(rng: ItemRandom, size: int) -> tuple[Point2, Point2]:
    """Two crossings in opposite parts of the map."""
    low, high = (0, 1), (size - 2, size - 1)
    xs = rng.shuffled([rng.choice(low), rng.choice(high)])
    ys = rng.shuffled([rng.choice(low), rng.choice(high)])
    return (xs[0], ys[0]), (xs[1], ys[1])


def _way(rng: ItemRandom, size: int, start: Point2, goal: Point2, detour: int) -> list[Point2]:
    """Draw a way without loops that is `detour` longer than the distance; [] if none was found."""
    wanted = abs(start[0] - goal[0]) + abs(start[1] - goal[1]) + detour
    for _ in range(30):
        way = [start]
        while way[-1] != goal and len(way) <= wanted:
            left = wanted - len(way)
            nexts = [
                p
                for p in _beside(way[-1], size)
                if p not in way and abs(p[0] - goal[0]) + abs(p[1] - goal[1]) <= left
            ]
            # A way that touches itself could be cut short.
            nexts = [p for p in nexts if sum(q in way for q in _beside(p, size)) == 1]
            if not nexts:
                break
            way.append(rng.choice(nexts))
        if way[-1] == goal and len(way) == wanted + 1:
            return way
    return []


def _beside(point: Point2, size: int) -> list[Point2]:
    x, y = point
    near = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
    return [(a, b) for a, b in near if 0 <= a < size and 0 <= b < size]


def _closing(rng: ItemRandom, size: int, way: list[Point2]) -> list[Stroke] | None:
    """Streets to close so that the way is the only shortest one; None if there are too many."""
    inner = {stroke(a, b) for a, b in itertools.pairwise(way)}
    closed: list[Stroke] = []
    while len(closed) < 3 * size:
        scene = Scene(size, way[0], way[-1], tuple(closed), ())
        other = next((w for w in shortest(scene, 3) if w != way), None)
        if other is None:
            return closed
        streets = [stroke(a, b) for a, b in itertools.pairwise(other)]
        closed.append(rng.choice([s for s in streets if s not in inner]))
    return None


def _block(street: Stroke) -> Point2:
    """Return the block with the house of a street, as the block's upper left crossing.

    The house is above a horizontal street and to the right of a vertical one. Two houses in one
    block would cover each other.
    """
    (ax, ay), (_, by) = street
    return (ax, ay - 1) if ay == by else (ax, ay)


def _is_between(street: Stroke, start: Point2, goal: Point2) -> bool:
    """Return True if a street lies in the rectangle of S and G, with all ways without blocks."""
    return all(
        min(start[k], goal[k]) <= p[k] <= max(start[k], goal[k]) for p in street for k in (0, 1)
    )


def shortest(scene: Scene, most: int = 2) -> list[list[Point2]]:
    """Return the shortest paths from S to G, at most `most` of them."""
    closed, far = set(scene.closed), {scene.goal: 0}
    queue = [scene.goal]
    for point in queue:
        for other in _beside(point, scene.crossings):
            if other not in far and stroke(point, other) not in closed:
                far[other] = far[point] + 1
                queue.append(other)
    ways = [[scene.start]] if scene.start in far else []
    while ways and ways[0][-1] != scene.goal:
        ways = [
            [*way, p]
            for way in ways
            for p in _beside(way[-1], scene.crossings)
            if far.get(p, -1) == far[way[-1]] - 1 and stroke(way[-1], p) not in closed
        ][:most]
    return ways


def _wrong(rng: ItemRandom, scene: Scene, right: int, options: int) -> tuple[Distractor, ...]:
    numbers = [n for n in range(1, len(scene.houses) + 1) if n != right]
    return tuple(
        Distractor(
            n,
            "roadblock overlooked"
            if _is_between(scene.houses[n - 1], scene.start, scene.goal)
            else "longer way",
        )
        for n in rng.sample(numbers, options - 1)
    )


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Return the houses on the shortest path, if there is only one."""
    if not scene.crossings:
        return Proof((), 0)
    ways = shortest(scene)
    streets = {stroke(a, b) for a, b in zip(ways[0], ways[0][1:], strict=False)} if ways else set()
    passed = [n for n, street in enumerate(scene.houses, 1) if street in streets]
    return Proof(tuple(passed) if len(ways) == 1 else (), scene.crossings**2)


def board(crossings: int, options: int) -> Board:
    """Return the plan of the picture."""
    side = (crossings - 1) * STEP + 2 * EDGE
    return Board(((side, side),), options, (80, 60))


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    plan = board(scene.crossings, len(options))
    canvas, (panel,) = plan.canvas(), plan.panels

    def at(point: Sequence[float]) -> tuple[float, float]:
        return panel.x + EDGE + STEP * point[0], panel.y + EDGE + STEP * point[1]

    for a, b in streets_of(scene.crossings):
        canvas.line(*at(a), *at(b), STREET, 14)
    for (ax, ay), (bx, by) in scene.closed:
        x, y = at(((ax + bx) / 2, (ay + by) / 2))
        canvas.disc(x, y, 11, BLOCK)
        canvas.polygon([(x - 7, y - 2), (x + 7, y - 2), (x + 7, y + 2), (x - 7, y + 2)], WHITE)
    for number, ((ax, ay), (bx, by)) in enumerate(scene.houses, 1):
        x, y = at(((ax + bx) / 2, (ay + by) / 2))
        x, y = (x, y - 21) if ay == by else (x + 21, y)
        corners = [(x - 13, y - 13), (x + 13, y - 13), (x + 13, y + 13), (x - 13, y + 13)]
        canvas.polygon(corners, HOUSE, BLACK, 2)
        canvas.text(x, y, str(number), 14, BLACK, 2)
    for letter, point in (("S", scene.start), ("G", scene.goal)):
        canvas.disc(*at(point), 16, (30, 110, 60))
        canvas.text(*at(point), letter, 16, WHITE, 3)
    draw_numbers(canvas, plan, options)
    return (canvas.pixels,)


def _street_said(street: Stroke) -> Say:
    (ax, ay), (bx, by) = street
    return say("street", x=ax + 1, y=ay + 1, x2=bx + 1, y2=by + 1)


def _street_read(one: Say) -> Stroke:
    x, y, x2, y2 = (int(str(one[name])) - 1 for name in ("x", "y", "x2", "y2"))
    return (x, y), (x2, y2)


def twin(scene: Scene) -> tuple[Say, ...]:
    (sx, sy), (gx, gy) = scene.start, scene.goal
    return (
        say("map", side=scene.crossings),
        say("ends", x=sx + 1, y=sy + 1, x2=gx + 1, y2=gy + 1),
        say("closed", streets=tuple(map(_street_said, scene.closed))),
        *(
            say("house", number=n, streets=(_street_said(street),))
            for n, street in enumerate(scene.houses, 1)
        ),
    )


def from_twin(lines: Sequence[Say]) -> Scene:
    start, goal = _street_read(lines[1])
    closed: tuple[Say, ...] = lines[2]["streets"]  # pyright: ignore
    houses: list[Say] = [line["streets"][0] for line in lines[3:]]  # pyright: ignore
    return Scene(
        int(str(lines[0]["side"])),
        start,
        goal,
        tuple(map(_street_read, closed)),
        tuple(map(_street_read, houses)),
    )


register(
    Family(
        fits=lambda levels: (
            int(levels["crossings"]) > 4
            or (
                int(levels["detour"]) < 4
                and int(levels["decoys"]) < 6
                and int(levels["houses"]) < 8
            )
        ),
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        scene_type=Scene,
        option=lambda number: say("number", number=number),
        answer_types=("choice", "open"),
        options=(4,),
        output_format=OutputFormat("value", labels=("ANSWER",)),
        **declared(__file__, COMMON),
    )
)
