"""Options that are numbers: the right one among wrong ones, each with its error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gfactor.benchmarks.chc.family import Distractor
from gfactor.imaging import Canvas
from gfactor.imaging.boards import Board
from gfactor.items import ItemRandom


def around(
    rng: ItemRandom, right: int, errors: Mapping[int, str], options: int, least: int = 0
) -> tuple[Distractor, ...]:
    """Wrong numbers, of which any count is below the right one, each count as likely.

    Parameters
    ----------
    rng: generator of the item.
    right: the right number.
    errors: wrong number -> the error that leads to it; filled up with numbers that are off by
        one, two, ...
    options: how many options there are with the right one.
    least: the smallest number that may be an option.
    """
    known = {n: error for n, error in errors.items() if n != right and n >= least}
    below = min(rng.integer(0, options - 1), right - least)
    found = []
    for side, count in ((-1, below), (1, options - 1 - below)):
        beside = rng.shuffled([n for n in known if (n - right) * side > 0])[:count]
        step = 1
        while len(beside) < count:
            if (n := right + side * step) not in beside:
                beside.append(n)
            step += 1
        found += [Distractor(n, known.get(n, f"off by {abs(n - right)}")) for n in beside]
    return tuple(found)


def draw_numbers(canvas: Canvas, board: Board, options: Sequence[int]) -> None:
    """The numbers in the option panels of a board."""
    for panel, number in zip(board.option_panels, options, strict=True):
        canvas.text(*panel.middle, str(number), panel.height * 0.5, (0, 0, 0), 3)
