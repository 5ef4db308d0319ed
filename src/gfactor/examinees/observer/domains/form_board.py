"""form_board: read outline and pieces, lay the pieces of each set into the outline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import blobs, near
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.lattices import Cell2, Cells2, rotations
from gfactor.imaging.measures.form_board import FILL, OPTION_UNIT, PIECE, UNIT

BOARD = Board(((280, 270),), 4, (170, 170))


@solver("form_board")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (outline,) = _figures(BOARD.panels[0].of(pictures[0]), FILL, UNIT, 8)
    options = []
    for panel in BOARD.option_panels:
        pieces = _figures(panel.of(pictures[0]), PIECE, OPTION_UNIT, 30)
        # The squares of the pieces are held while they are laid.
        remembered = perception.hold(
            [(k, cell) for k, piece in enumerate(pieces) for cell in piece]
        )
        remembered_pieces = [
            tuple(c for c in p if (k, c) in remembered) for k, p in enumerate(pieces)
        ]
        options.append([piece for piece in remembered_pieces if piece])
    for k, fits in perception.consider(_trials(frozenset(outline), options)):
        if fits:
            return letter(k)
    return letter(perception.guess(range(len(options))))


def _trials(
    outline: frozenset[Cell2], options: Sequence[Sequence[Cells2]]
) -> Iterator[tuple[int, bool]]:
    """Yield the sets in turn, one placement at a time: the set's number, and True if all is
    covered."""
    searches = [_cover(outline, tuple(pieces)) for pieces in options]
    running = list(range(len(options)))
    while running:
        for k in list(running):
            fits = next(searches[k], None)
            if fits is None:
                running.remove(k)
            else:
                yield k, fits


def _cover(left: frozenset[Cell2], unused: tuple[Cells2, ...]) -> Iterator[bool]:
    if not unused or not left:
        yield not unused and not left
        return
    r, c = min(left)
    for k, piece in enumerate(unused):
        # Unrotated pieces first.
        for shape in dict.fromkeys(rotations(piece)):
            top, at = shape[0]
            placed = frozenset((a - top + r, b - at + c) for a, b in shape)
            yield False
            if placed <= left:
                yield from _cover(left - placed, (*unused[:k], *unused[k + 1 :]))
    yield False


def _figures(pixels: Pixels, fill: tuple[int, int, int], unit: int, least: int) -> list[Cells2]:
    """The polyominoes of a color, as cells."""
    result = []
    for blob in blobs(near(pixels, fill, 14 if unit == UNIT else 40), pixels, least):
        deep, across = (round((n + 2) / unit) for n in (blob.height, blob.width))
        if blob.area < 0.4 * unit * unit:
            continue
        rows = [min(blob.height - 1, round((r + 0.5) * blob.height / deep)) for r in range(deep)]
        columns = [
            min(blob.width - 1, round((c + 0.5) * blob.width / across)) for c in range(across)
        ]
        occupied = blob.mask[np.ix_(rows, columns)]
        result.append(tuple(sorted((int(r), int(c)) for r, c in np.argwhere(occupied))))
    return result
