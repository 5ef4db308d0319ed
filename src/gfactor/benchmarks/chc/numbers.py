"""Options that are numbers: the right one, and wrong ones with the errors that lead to them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from gfactor.benchmarks.chc.family import Distractor
from gfactor.imaging import Canvas
from gfactor.imaging.boards import Board
from gfactor.items import ItemRandom


def around(
    rng: ItemRandom, right: int, errors: Mapping[int, str], options: int, least: int = 0
) -> tuple[Distractor, ...]:
    """Return wrong numbers such that the right one has the same position among the options as any
    other.

    Steps of different lengths, up or down with equal probability, lead from the right number to the
    others: every sum of some steps is an option. From any option the others have the same pattern,
    so that the original cannot be recognized (`common.crossed` for numbers).

    Parameters
    ----------
    rng: generator of the item.
    right: the right number.
    errors: wrong number -> the error that leads to it. The distance of one of them from the right
        number is the first step, unless it is so long that only one of the numbers would be usual;
        others are 1, 2, ...
    options: number of options with the right one; a power of two.
    least: the smallest number that may be an option.
    """
    need = options.bit_length() - 1
    if 2**need != options:
        raise ValueError(f"{options} options are not a power of two")
    usual = {abs(n - right) for n in errors} & set(range(1, max(2, right // 12) + 1))
    usual_step = rng.shuffled(sorted(usual))[:1]
    steps = list(usual_step)
    for step in rng.shuffled([1, 2, 3]):
        if len(steps) < need and step not in steps:
            steps.append(step)
    numbers = [right]
    for step in steps:
        sign = rng.choice((-1, 1)) if min(numbers) - step >= least else 1
        numbers += [n + sign * step for n in numbers]
    return tuple(Distractor(n, errors.get(n, f"off by {abs(n - right)}")) for n in numbers[1:])


def draw_numbers(canvas: Canvas, board: Board, options: Sequence[int]) -> None:
    """Draw the numbers in the option panels of a board."""
    for panel, number in zip(board.option_panels, options, strict=True):
        canvas.text(*panel.middle, str(number), panel.height * 0.5, (0, 0, 0), 3)


def follows_rival(lines: Sequence[Sequence[int]]) -> bool:
    """Return True if all lines of three numbers follow a rule that is never drawn.

    Such rules are: the sum of the first two numbers, or their difference or its negative, plus a
    constant of all lines; up to three times either number without a constant; a distance, a mean or
    a product in any order; a product plus a constant.

    Parameters
    ----------
    lines : sequence of three numbers each
        At least three lines, because two cannot determine a constant and verify it.
    """
    for p, q in itertools.product(range(-3, 4), repeat=2):
        rests = {c - p * a - q * b for a, b, c in lines}
        if (p or q) and (rests == {0} or (len(rests) == 1 and max(abs(p), abs(q)) == 1)):
            return True
    if len({a * b - c for a, b, c in lines}) == 1:
        return True
    for turned in ([(*line[r:], *line[:r]) for line in lines] for r in range(3)):
        of_three = (
            all(a * b == c for a, b, c in turned),
            all(abs(a - b) == c for a, b, c in turned),
            all(a + c == 2 * b for a, b, c in turned),
        )
        if any(of_three):
            return True
    return False
