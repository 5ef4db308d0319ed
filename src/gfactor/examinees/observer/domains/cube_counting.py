"""cube_counting: read the height of every column and add them up."""

from __future__ import annotations

from gfactor.examinees.observer.numbers import chosen_number, read_options
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.solvers import solver
from gfactor.examinees.observer.stacks import PANEL, read_heights
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board

BOARDS = [Board((PANEL,), 4, (110, 60)), Board((PANEL,))]


@solver("cube_counting")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    board, options = read_options(pictures[0], BOARDS)
    columns = perception.hold(list(read_heights(pictures[0], board.panels[0]).values()))
    return chosen_number(sum(perception.consider(columns)), options)
