"""n_back: hold the last figures, compare each with the one n turns before."""

from __future__ import annotations

from gfactor.examinees.observer.conversations import reply_to_turns
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import read_cells, read_number
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Sheet
from gfactor.imaging.measures.n_back import MOST

BOXES = Sheet(1, 2).boxes[0]


@solver("n_back")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    back = read_number(pictures[0], BOXES[0])
    cells = [read_cells(picture, BOXES[1:], MOST)[0] for picture in pictures]
    answers = []
    for now in range(back, len(cells)):
        # Each figure is held with the one before it, because their order is needed; this causes the
        # errors at lures.
        window = cells[max(0, now - back - 1) : now]
        ago = range(len(window), 0, -1)
        remembered = perception.hold(window, window, turns=[a - 1 for a in ago])
        answers.append(int(remembered[-back] == cells[now]))
    return reply_to_turns(answers)
