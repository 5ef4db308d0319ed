"""spatial_span: hold the places of the black blocks, read the numbers, give them in order.

Recalling backwards goes through the sequence again and again, each time up to the one before.
"""

from __future__ import annotations

from gfactor.examinees.observer.conversations import points_left, recalled, reply_to_turns
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import read_glyphs
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, Sheet
from gfactor.imaging.measures.spatial_span import ACROSS, GRID, ONE, frames_sheet

_MOST = 2 * ACROSS
FRAMES = {
    (sheet.width, sheet.height): sheet.option_boxes or [box for row in sheet.boxes for box in row]
    for sheet in (
        *map(frames_sheet, range(2, _MOST + 1)), Sheet(2, 4, side=190), Sheet(2, 4, side=120)
    )
}  # fmt: skip
"""Boxes of the frames by the size of their picture, those of earlier versions too."""
_DARK = 128

Place = tuple[int, int]


@solver("spatial_span")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    *pictures_of_blocks, last = pictures
    boards = [(picture, ONE.boxes[0][0]) for picture in pictures_of_blocks]
    height, width = pictures_of_blocks[0].shape[:2]
    if boxes := FRAMES.get((width, height)):
        boards = [
            (pictures_of_blocks[0], box) for box in boxes if _is_used(pictures_of_blocks[0], box)
        ]
    positions = [_black(picture, box) for picture, box in boards]
    numbers = _numbers(last, ONE.boxes[0][0])
    ago = [0 if len(pictures_of_blocks) == 1 else k for k in range(len(positions), 0, -1)]
    remembered = perception.hold(positions, list(numbers), turns=ago)
    block_numbers = list(numbers.values())
    given = recalled(
        [numbers[position] for position in remembered],
        points_left(last[:15]),
        block_numbers,
        perception,
    )
    return reply_to_turns([given])


def _is_used(pixels: Pixels, board: Box) -> bool:
    """Return True if there are blocks on a board."""
    return bool((board.of(pixels)[5:-5, 5:-5] < _DARK).mean() > 0.01)


def _box(position: Place, board: Box) -> Box:
    step = board.side * 18 // 100
    margin = (board.side - GRID * step) // 2
    row, column = position
    return Box(board.x + margin + column * step, board.y + margin + row * step, step * 8 // 10)


def _black(pixels: Pixels, board: Box) -> Place:
    positions = [(row, column) for row in range(GRID) for column in range(GRID)]
    return min(
        positions, key=lambda position: float(_box(position, board).of(pixels)[3:-3, 3:-3].mean())
    )


def _numbers(pixels: Pixels, board: Box) -> dict[Place, str]:
    """The numbers of the blocks, by place."""
    result = {}
    for row in range(GRID):
        for column in range(GRID):
            inside = _box((row, column), board).of(pixels)[4:-4, 4:-4].mean(axis=-1) < _DARK
            if inside.any():
                result[row, column] = read_glyphs(inside, "123456789")
    return result
