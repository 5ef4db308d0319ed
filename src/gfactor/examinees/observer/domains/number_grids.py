"""number_grids: try rules on the whole lines, simple ones first, and use one on the broken line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gfactor.examinees.observer.numbers import chosen_number
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reading import options, rows
from gfactor.examinees.observer.sheets import letter, read_number, sheet_of
from gfactor.examinees.observer.solvers import reader, solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, Sheet
from gfactor.imaging.measures.number_grids import SIDE

PLANS = [
    Sheet(rows, columns, options, side=SIDE)
    for rows, columns in ((3, 3), (3, 4), (4, 3))
    for options in (0, 4)
]

Rule = Callable[[int, int], int]
Grid = list[list["int | None"]]


@solver("number_grids")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels = pictures[0]
    sheet = sheet_of(pixels, PLANS)
    offered = [read_number(pixels, box) for box in sheet.option_boxes]
    numbers = [_number(pixels, box) for row in sheet.boxes for box in row]
    return _reply(numbers, sheet.columns, offered, perception)


@reader("number_grids")
def read(lines: Sequence[str], perception: Perception) -> str:
    entries = rows(lines)
    numbers = [None if entry == "?" else int(entry) for row in entries for entry in row]
    offered = [int(option) for option in options(lines)]
    return _reply(numbers, len(entries[0]), offered, perception)


def _reply(
    numbers: list[int | None], wide: int, options: Sequence[int], perception: Perception
) -> str:
    """The reply to the numbers of a grid, row by row, `wide` in each."""
    present = [n for n in numbers if n is not None]
    remembered = iter(perception.hold(present, present))
    numbers = [None if n is None else next(remembered) for n in numbers]
    grid = [numbers[k : k + wide] for k in range(0, len(numbers), wide)]
    for lines, rule in perception.consider(_hypotheses(grid)):
        result = _applied(lines, rule)
        if result is not None:
            return chosen_number(result, options)
    if options:
        return letter(perception.guess(range(len(options))))
    return f"ANSWER:{perception.guess(present)}"


def _number(pixels: Pixels, box: Box) -> int | None:
    """The number in a box, None for a question mark: it is higher than a digit."""
    inked = (box.of(pixels)[4:-4, 4:-4].mean(axis=-1) < _DARK).any(axis=1).nonzero()[0]
    if inked.size and inked[-1] - inked[0] > _HIGHEST:
        return None
    return read_number(pixels, box)


_DARK, _HIGHEST = 128, 22


def _hypotheses(grid: Grid) -> Iterator[tuple[Grid, Rule]]:
    """A rule along rows or columns of three; rules with a constant take it from a whole line."""
    plain: list[Rule] = [
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: 2 * b - a,
        lambda a, b: 2 * a + b,
        lambda a, b: a + 2 * b,
    ]
    ways = [grid, [list(column) for column in zip(*grid, strict=True)]]
    ways = [lines for lines in ways if len(lines[0]) == 3]
    for rule in plain:
        for lines in ways:
            yield lines, rule
    for rule in (plain[0], plain[1], lambda a, b: -a - b):
        for lines in ways:
            a, b, c = next(line for line in lines if None not in line)
            assert a is not None
            assert b is not None
            assert c is not None
            rest = c - rule(a, b)
            yield lines, lambda a, b, rule=rule, rest=rest: rule(a, b) + rest


def _applied(lines: Grid, rule: Rule) -> int | None:
    """The missing number, where every whole line follows the rule; tried out one by one."""
    broken: list[int | None] = []
    for line in lines:
        a, b, c = line
        if a is None or b is None or c is None:
            broken = line
        elif rule(a, b) != c:
            return None
    a, b, c = broken
    if a is not None and b is not None:
        return rule(a, b)
    for n in range(1, 1000):
        if b is not None and rule(n, b) == c:
            return n
        if a is not None and rule(a, n) == c:
            return n
    return None
