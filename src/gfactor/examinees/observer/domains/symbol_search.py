"""symbol_search: hold the targets of a row, compare one figure after the other."""

from __future__ import annotations

from collections.abc import Iterator

from gfactor.examinees.observer.conversations import read_strokes
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import GAP, MARGIN, Sheet
from gfactor.imaging.measures.symbol_search import SIDE
from gfactor.imaging.strokes import Strokes


@solver("symbol_search")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    height, width = pictures[0].shape[:2]
    rows, columns = ((s - 2 * MARGIN + GAP) // (SIDE + GAP) for s in (height, width))
    sheet = Sheet(rows, columns, side=SIDE)
    read = [[read_strokes(pictures[0], box) for box in row] for row in sheet.boxes]
    gap = next(k for k in range(1, columns) if not any(row[k] for row in read))
    remembered = [_remembered(row[:gap], perception) for row in read]
    left, result = set(range(rows)), set()
    for row, target, figure in perception.consider(_comparisons(read, gap)):
        # If only a part of a target is remembered, it is found in every figure with this part.
        if set(remembered[row][target]) <= set(figure):
            result.add(row)
        if figure is read[row][-1] and target == gap - 1:
            left.discard(row)
    answer = len(result) + sum(perception.guess((0, 1)) for row in sorted(left - result))
    return f"ANSWER:{answer}"


def _comparisons(read: list[list[Strokes]], gap: int) -> Iterator[tuple[int, int, Strokes]]:
    for row, figures in enumerate(read):
        for figure in figures[gap + 1 :]:
            for target in range(gap):
                yield row, target, figure


def _remembered(targets: list[Strokes], perception: Perception) -> list[Strokes]:
    """The targets of a row as they are held: pairs of strokes, some of which may be lost."""
    parts = [(k, f[at : at + 2]) for k, f in enumerate(targets) for at in range(0, len(f), 2)]
    left = perception.hold(parts)
    whole = [tuple(s for n, part in left if n == k for s in part) for k in range(len(targets))]
    return [copy or target for copy, target in zip(whole, targets, strict=True)]
