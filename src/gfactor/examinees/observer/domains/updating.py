"""updating: hold all counters from turn to turn, change the one that is shown."""

from __future__ import annotations

from gfactor.examinees.observer.conversations import reply_to_turns
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import read_cells, read_number
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, Sheet
from gfactor.imaging.measures.updating import SIDE

WIDE = Sheet(1, 3, side=SIDE).width
_DARK = 128


@solver("updating")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    values: dict[str, int] = {}
    answers = []
    for turn, picture in enumerate(pictures):
        if turn and picture.shape[1] == WIDE:
            # Elements held until now have to last one more turn.
            numbers = perception.hold(list(values.values()), range(1, 10), 1)
            values = dict(zip(values, numbers, strict=True))
        if picture.shape[1] != WIDE:
            form = read_cells(picture, Sheet(1, 2, side=SIDE).boxes[0][:1], 1)[0].form
            answers.append(values[form] if form in values else perception.guess(range(1, 10)))
            continue
        rows = Sheet((picture.shape[0] - 22) // (SIDE + 10), 3, side=SIDE).boxes
        for form, arrow, number in rows:
            _change(values, picture, (form, arrow, number))
    return reply_to_turns(answers)


def _change(values: dict[str, int], picture: Pixels, boxes: tuple[Box, Box, Box]) -> None:
    """Set the counter of a row to what it says, or move it."""
    form = read_cells(picture, boxes[:1], 1)[0].form
    number = read_number(picture, boxes[2])
    if (boxes[1].of(picture)[5:-5, 5:-5] < _DARK).mean() < 0.01:
        values[form] = number
        return
    down = read_cells(picture, boxes[1:2], 1)[0].turn == 4
    values[form] = max(0, values.get(form, 0) + (-number if down else number))
