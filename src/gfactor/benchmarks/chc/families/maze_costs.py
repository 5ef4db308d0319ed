"""Cheapest way through a grid of costs: what is the lowest cost from S to G? There is only one
cheapest way. Wrong numbers are the cost of the shortest way, of going only right and down, of
always entering the cheapest next cell, and near misses.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.numbers import around, draw_numbers
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import BLACK, WHITE, Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.lattices import Cell2, neighbors
from gfactor.imaging.measures.maze_costs import FIELD
from gfactor.items import ItemRandom, OutputFormat

WALL, START, GOAL = 0, -1, -2
"""Numbers for a wall, the start and the goal among the costs."""
_DRAWS = 60

Grid = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Scene:
    """Costs row by row; `WALL`, `START` and `GOAL` are cells without a number."""

    costs: Grid


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    size, highest, walls, detour = (
        int(levels[name]) for name in ("grid", "highest", "walls", "detour")
    )
    for _ in range(_DRAWS):
        scene = Scene(_grid(rng, size, highest, walls, detour))
        cost, ways, steps, _ = cheapest(scene.costs)
        if ways == 1 and steps == 2 * (size - 1) + detour:
            break
    else:
        return Draft(Scene(()), 0)
    errors = {
        _least(scene.costs, 2 * (size - 1)): "way with the fewest steps",
        _greedy(scene.costs): "always the cheapest next cell",
        cost + highest: "goal or start counted",
    }
    return Draft(scene, cost, around(rng, cost, errors, options, 1), ("steps", steps))


def _grid(rng: ItemRandom, size: int, highest: int, walls: int, detour: int) -> Grid:
    # Detours are cheaper if expensive and cheap cells are side by side.
    near_one, near_highest = range(1, (highest + 4) // 4 + 1), range(highest * 3 // 4, highest + 1)
    values = [*near_one, *near_highest] if detour else range(1, highest + 1)
    cells = [rng.choice(values) for _ in range(size * size)]
    for position in rng.sample(range(1, size * size - 1), walls):
        cells[position] = WALL
    cells[0], cells[-1] = START, GOAL
    return tuple(tuple(cells[r * size : (r + 1) * size]) for r in range(size))


def _next(costs: Grid, cell: Cell2) -> list[Cell2]:
    size = len(costs)
    return [
        (r, c)
        for r, c in neighbors(cell)
        if 0 <= r < size and 0 <= c < size and costs[r][c] != WALL
    ]


def cheapest(costs: Grid) -> tuple[int, int, int, int]:
    """Return the cost, the number and the steps of the cheapest paths, and the number of cells
    settled.

    The number of paths is 0 if the goal cannot be reached.
    """
    size = len(costs)
    best, ways, steps = {(0, 0): 0}, {(0, 0): 1}, {(0, 0): 0}
    queue, settled = [(0, (0, 0))], set()
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in settled:
            continue
        settled.add(cell)
        for r, c in _next(costs, cell):
            through = cost + max(0, costs[r][c])
            if (r, c) in settled:
                # Equal ways through a goal that costs nothing are counted when it is settled.
                continue
            if through < best.get((r, c), 10**9):
                best[r, c], ways[r, c] = through, ways[cell]
                steps[r, c] = steps[cell] + 1
                heapq.heappush(queue, (through, (r, c)))
            elif through == best[r, c]:
                ways[r, c] += ways[cell]
    goal = (size - 1, size - 1)
    return best.get(goal, 0), ways.get(goal, 0), steps.get(goal, 0), len(settled)


def _least(costs: Grid, steps: int) -> int:
    """Return the least cost of a way of `steps` steps; 0 if there is none."""
    size, reached = len(costs), {(0, 0): 0}
    for _ in range(steps):
        following: dict[Cell2, int] = {}
        for cell, cost in reached.items():
            for r, c in _next(costs, cell):
                through = cost + max(0, costs[r][c])
                following[r, c] = min(through, following.get((r, c), through))
        reached = following
    return reached.get((size - 1, size - 1), 0)


def _greedy(costs: Grid) -> int:
    """Return the cost of a way that always enters the cheapest new cell; 0 at a dead end."""
    here, seen, cost, goal = (0, 0), {(0, 0)}, 0, (len(costs) - 1, len(costs) - 1)
    while here != goal:
        nexts = [cell for cell in _next(costs, here) if cell not in seen]
        if not nexts:
            return 0
        here = goal if goal in nexts else min(nexts, key=lambda cell: costs[cell[0]][cell[1]])
        seen.add(here)
        cost += max(0, costs[here[0]][here[1]])
    return cost


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Prove the cost of the cheapest path, if no other path has the same cost."""
    if not scene.costs:
        return Proof((), 0)
    cost, ways, _, settled = cheapest(scene.costs)
    return Proof((cost,) if ways == 1 else (), settled)


def board(size: int, options: int) -> Board:
    """Return the plan of the picture."""
    side = size * FIELD + 24
    return Board(((side, side),), options, (110, 60))


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    plan = board(len(scene.costs), len(options))
    canvas, (panel,) = plan.canvas(), plan.panels
    for r, row in enumerate(scene.costs):
        for c, cost in enumerate(row):
            x, y = panel.x + 12 + c * FIELD, panel.y + 12 + r * FIELD
            corners = [(x, y), (x + FIELD, y), (x + FIELD, y + FIELD), (x, y + FIELD)]
            fill = BLACK if cost == WALL else ENDS if cost < 0 else WHITE
            canvas.polygon(corners, fill, BLACK, 2)
            if cost != WALL:
                text = {START: "S", GOAL: "G"}.get(cost, str(cost))
                canvas.text(x + FIELD / 2, y + FIELD / 2, text, 22, BLACK, 2)
    draw_numbers(canvas, plan, options)
    return (canvas.pixels,)


ENDS = (190, 230, 190)
"""Ground of the start and the goal."""


def _cell(cost: int) -> Say:
    names = {WALL: "wall", START: "start", GOAL: "goal"}
    return say("thing", thing=names[cost]) if cost in names else say("cost", cost=cost)


def twin(scene: Scene) -> tuple[Say, ...]:
    return tuple(
        say("grid_row", row=r + 1, fields=tuple(map(_cell, row)))
        for r, row in enumerate(scene.costs)
    )


def from_twin(lines: Sequence[Say]) -> Scene:
    names = {"wall": WALL, "start": START, "goal": GOAL}
    return Scene(
        tuple(
            tuple(
                names[one["thing"]] if one.template == "thing" else one["cost"]
                for one in line["fields"]  # pyright: ignore
            )
            for line in lines
        )
    )


def fits(levels: Levels) -> bool:
    """Return False if detours are hardly ever cheaper, because costs are similar, or there are few
    cells or walls."""
    grid, highest, walls = (int(levels[name]) for name in ("grid", "highest", "walls"))
    open_field = grid == 5 and highest == 5 and walls == 2
    return levels["detour"] == 0 or (highest > 3 and grid > 4 and not open_field)


register(
    Family(
        fits=fits,
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
        version="2",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)
