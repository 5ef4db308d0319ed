"""letter_series: read the letters, try numbers of streams until all go on by one step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reading import options, series
from gfactor.examinees.observer.sheets import framed, letter, read_line, sheet_of
from gfactor.examinees.observer.solvers import reader, solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Sheet
from gfactor.imaging.measures.letter_series import ACROSS, ALPHABET, SIDE

PLANS = [
    Sheet(rows, columns, options, side=SIDE)
    for options in (4, 0)
    for rows, columns in [
        *((1, n) for n in range(7, ACROSS + 1)),
        *((r, ACROSS) for r in range(2, 6)),
    ]
]


@solver("letter_series")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    sheet = sheet_of(pictures[0], PLANS)
    boxes = [box for row in sheet.boxes for box in row if framed(pictures[0], box)][:-1]
    letters = perception.hold([read_line(pictures[0], box, ALPHABET) for box in boxes], ALPHABET)
    offered = [read_line(pictures[0], box, ALPHABET) for box in sheet.option_boxes]
    return _reply(letters, offered, perception)


@reader("letter_series")
def read(lines: Sequence[str], perception: Perception) -> str:
    return _reply(perception.hold(series(lines), ALPHABET), options(lines), perception)


def _reply(letters: list[str], options: Sequence[str], perception: Perception) -> str:
    ends = (_continued(letters, *how) for how in perception.consider(_programs()))
    result = next((end for end in ends if end), None)
    if not options:
        return f"ANSWER:{result or perception.guess(ALPHABET)}"
    fitting = [k for k, option in enumerate(options) if option == result]
    return letter(fitting[0] if fitting else perception.guess(range(len(options))))


def _programs() -> Iterator[tuple[int, int]]:
    """(repetitions of a letter, number of streams), the simplest first."""
    yield from sorted(product((1, 2), (1, 2, 3, 4)), key=lambda how: how[0] * how[1])


def _continued(letters: list[str], often: int, streams: int) -> str | None:
    """Return the next letter if every stream has a constant step; else None."""
    groups = [letters[k : k + often] for k in range(0, len(letters), often)]
    if any(len(set(group)) > 1 for group in groups):
        return None
    nexts = []
    for k in range(streams):
        positions = [ALPHABET.index(group[0]) for group in groups[k::streams]]
        steps = {b - a for a, b in pairwise(positions)}
        if len(positions) < 3 or len(steps) != 1:
            return None
        nexts.append(positions[-1] + steps.pop())
    if len(letters) % often:
        return letters[-1]
    position = nexts[len(groups) % streams]
    return ALPHABET[position] if 0 <= position < len(ALPHABET) else None
