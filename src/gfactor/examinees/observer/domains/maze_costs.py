"""maze_costs: read the costs, then settle cells in the order of their cost until the goal."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from gfactor.examinees.observer.numbers import chosen_number, read_options
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import read_glyphs
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.lattices import Cell2, neighbors
from gfactor.imaging.measures.maze_costs import FIELD

BOARDS = [
    Board(((size * FIELD + 24, size * FIELD + 24),), options, (110, 60))
    for size in (4, 5, 6, 8)
    for options in (4, 0)
]


@solver("maze_costs")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    board, options = read_options(pictures[0], BOARDS)
    size = board.panels[0].width // FIELD
    costs = _costs(pictures[0], board.panels[0], size)
    cells = list(costs)
    remembered = perception.hold([costs[cell] for cell in cells], range(1, 10))
    cost_of = dict(zip(cells, remembered, strict=True)) | {(0, 0): 0, (size - 1, size - 1): 0}
    for cell, cost in perception.consider(_settled(cost_of)):
        if cell == (size - 1, size - 1):
            return chosen_number(cost, options)
    return (
        letter(perception.guess(range(len(options))))
        if options
        else f"ANSWER:{perception.guess(range(9, 40))}"
    )


def _settled(costs: dict[Cell2, int]) -> Iterator[tuple[Cell2, int]]:
    """Cells with what it costs to get there, the cheapest first."""
    queue, done = [(0, (0, 0))], set()
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in done:
            continue
        done.add(cell)
        yield cell, cost
        for other in neighbors(cell):
            if other in costs:
                heapq.heappush(queue, (cost + costs[other], other))


def _costs(pixels: Pixels, panel: Panel, size: int) -> dict[Cell2, int]:
    """The cost of every cell that is no wall; the first and the last one have letters."""
    result: dict[Cell2, int] = {(0, 0): 0, (size - 1, size - 1): 0}
    for r in range(size):
        for c in range(size):
            x, y = panel.x + 12 + c * FIELD, panel.y + 12 + r * FIELD
            inside = pixels[y + 4 : y + FIELD - 4, x + 4 : x + FIELD - 4].mean(axis=-1) < 128
            if (r, c) not in result and inside.mean() < 0.5:
                result[r, c] = int(read_glyphs(inside, "123456789"))
    return result
