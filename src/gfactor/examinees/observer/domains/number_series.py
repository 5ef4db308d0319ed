"""number_series: read the numbers, try one kind of program after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reading import options, series
from gfactor.examinees.observer.sheets import framed, letter, read_number, sheet_of
from gfactor.examinees.observer.solvers import reader, solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Sheet
from gfactor.imaging.measures.number_series import ACROSS

PLANS = [
    Sheet(rows, columns, options, side=84)
    for options in (4, 0)
    for rows, columns in [*((1, n) for n in range(3, ACROSS + 1)), (2, ACROSS), (3, ACROSS)]
]

Terms = list[int]


@solver("number_series")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    sheet = sheet_of(pictures[0], PLANS)
    boxes = [box for row in sheet.boxes for box in row if framed(pictures[0], box)][:-1]
    terms = perception.hold([read_number(pictures[0], box) for box in boxes], range(1, 100))
    return _reply(terms, [read_number(pictures[0], box) for box in sheet.option_boxes], perception)


@reader("number_series")
def read(lines: Sequence[str], perception: Perception) -> str:
    terms = perception.hold([int(term) for term in series(lines)], range(1, 100))
    return _reply(terms, [int(option) for option in options(lines)], perception)


def _reply(terms: Terms, options: Sequence[int], perception: Perception) -> str:
    ends = (run() for run in perception.consider(_programs(terms)))
    result = next((end for end in ends if end is not None), None)
    if not options:
        return f"ANSWER:{perception.guess(range(1, 100)) if result is None else result}"
    near = sorted(range(len(options)), key=lambda k: abs(options[k] - (result or 0)))
    return letter(near[0] if result is not None else perception.guess(near))


def _programs(terms: Terms) -> Iterator[Callable[[], int | None]]:
    """Every program on one, two and three streams, to be tried on all streams at once."""
    for streams in (1, 2, 3):
        for program in (_by_differences, _by_quotients, _by_sums, _by_turns):
            yield lambda program=program, streams=streams: _on_streams(terms, streams, program)


def _on_streams(terms: Terms, streams: int, program: Callable[[Terms], int | None]) -> int | None:
    ends = [program(terms[k::streams]) for k in range(streams)]
    return None if None in ends else ends[len(terms) % streams]


def _by_differences(terms: Terms) -> int | None:
    """The next term of a table of differences whose second row is constant (in 3 or more terms)."""
    rows = [terms]
    while len(rows[-1]) > 1 and len(rows) < 4 and len(set(rows[-1])) > 1:
        rows.append([b - a for a, b in zip(rows[-1], rows[-1][1:], strict=False)])
    constant = len(set(rows[-1])) == 1 and len(rows[-1]) >= 2 and len(rows) <= 3
    return sum(row[-1] for row in rows) if constant else None


def _by_quotients(terms: Terms) -> int | None:
    if len(terms) < 3 or 0 in terms:
        return None
    a, b = terms[-2:]
    if any(p * b != q * a for p, q in pairwise(terms)) or b * b % a:
        return None
    return b * b // a


def _by_sums(terms: Terms) -> int | None:
    rests = {c - b - a for a, b, c in zip(terms, terms[1:], terms[2:], strict=False)}
    return terms[-1] + terms[-2] + rests.pop() if len(terms) >= 5 and len(rests) == 1 else None


def _by_turns(terms: Terms) -> int | None:
    """Return the next term if two operations alternate; else None."""
    if len(terms) < 5:
        return None
    nexts = []
    for k in (0, 1):
        pairs = list(pairwise(terms))[k::2]
        step, factor = {b - a for a, b in pairs}, {b / a if a else 0.0 for a, b in pairs}
        if len(step) > 1 and (len(factor) > 1 or not next(iter(factor)).is_integer()):
            return None
        nexts.append((len(step) == 1, next(iter(step)), next(iter(factor))))
    is_step, step_by, factor_by = nexts[(len(terms) - 1) % 2]
    return terms[-1] + step_by if is_step else round(terms[-1] * factor_by)
