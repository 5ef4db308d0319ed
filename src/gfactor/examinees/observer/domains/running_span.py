"""running_span: hold the digits as they come, give the last ones when the list has ended.

The window of digits that may be asked for is held; recall backwards goes through the window from
its start for every digit.
"""

from __future__ import annotations

from gfactor.examinees.observer.conversations import points_left, recalled, reply_to_turns
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import read_glyphs
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Sheet

SHEETS = {sheet.width: sheet for sheet in (Sheet(1, k, side=72) for k in range(1, 13))}
DIGITS = "123456789"
_DARK = 128


@solver("running_span")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    *boards, last = pictures
    digits: list[str] = []
    ago: list[int] = []
    for k, picture in enumerate(boards):
        boxes = SHEETS[picture.shape[1]].boxes[0]
        digits += [
            read_glyphs(box.of(picture)[4:-4, 4:-4].mean(axis=-1) < _DARK, DIGITS) for box in boxes
        ]
        ago += [len(boards) - k] * len(boxes)
    wanted = SHEETS[last.shape[1]].columns
    # It is unknown which digit will be the last one, so older ones are held too.
    window = min(len(digits), wanted + (len(digits) - wanted) // 2)
    remembered = perception.hold(digits[-window:], DIGITS, turns=ago[-window:])[-wanted:]
    return reply_to_turns([recalled(remembered, points_left(last[-15:]), DIGITS, perception)])
