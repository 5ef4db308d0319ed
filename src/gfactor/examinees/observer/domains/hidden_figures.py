"""hidden_figures: read the strokes of pattern and options; look for each option everywhere."""

from __future__ import annotations

from gfactor.examinees.observer.numbers import board_of
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.examinees.observer.strokes import read_centered, read_strokes
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.lattices import moved
from gfactor.imaging.measures.hidden_figures import STEP

BOARDS = {n: Board((((n - 1) * STEP + 40, (n - 1) * STEP + 40),), 4) for n in (5, 6, 7, 9)}


@solver("hidden_figures")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    board = board_of(pictures[0], list(BOARDS.values()))
    points = next(n for n, listed in BOARDS.items() if listed == board)
    (panel,) = board.panels
    pattern = set(read_strokes(pictures[0], (panel.x + 20, panel.y + 20), STEP, points))
    # Each figure is held while the pattern is searched for it.
    options = [perception.hold(read_centered(pictures[0], p, STEP)) for p in board.option_panels]
    missing = [len(option) for option in options]
    steps = [(dx, dy) for dx in range(points) for dy in range(points)]
    trials = [(k, step) for step in steps for k in range(len(options))]
    for k, (dx, dy) in perception.consider(perception.search(trials)):
        lacking = sum(s not in pattern for s in moved(options[k], dx, dy))
        missing[k] = min(missing[k], lacking)
    best = [k for k, n in enumerate(missing) if n == min(missing)]
    return letter(best[0] if len(best) == 1 else perception.guess(best))
