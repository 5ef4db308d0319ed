"""transitive_relations: see which side is down, then follow what is heavier than what."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import letter, read_cells, sheet_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, Sheet
from gfactor.imaging.measures.transitive_relations import ACROSS, SIDE

PLANS = [Sheet(rows, ACROSS, 4, side=SIDE) for rows in (2, 3)]
_DARK, _PALE = 128, 210

Heavier = tuple[str, str]
Seen = tuple[Heavier, int]
"""A heavier and a lighter form, and the number of steps for seeing that."""


@solver("transitive_relations")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels = pictures[0]
    sheet = sheet_of(pixels, PLANS, in_frames=False)
    options = [cell.form for cell in read_cells(pixels, sheet.option_boxes, 1)]
    boxes = [box for row in sheet.boxes[:-1] for box in row]
    premises = [_scale(pixels, box) for box in boxes if _inked(pixels, box)]
    forms = sorted({form for pair, _ in premises for form in pair})
    position = _place(pixels, sheet, len(forms))
    derived: set[Heavier] = set()
    for pair in perception.consider(_inferences(perception.hold(premises))):
        if pair is not None:
            derived.add(pair)
    above = {form: sum(b == form for _, b in derived) for form in forms}
    below = {form: sum(a == form for a, _ in derived) for form in forms}
    left = [
        k
        for k, form in enumerate(options)
        if above.get(form) == position and below.get(form) == len(forms) - 1 - position
    ]
    possible = [
        k
        for k, form in enumerate(options)
        if above.get(form, 0) <= position and below.get(form, 0) <= len(forms) - 1 - position
    ]
    return letter(left[0] if left else perception.guess(possible or range(len(options))))


def _inferences(premises: list[Seen]) -> Iterator[Heavier | None]:
    """Yield the shown relations, then all relations that follow from them, scale by scale.

    A step that gives nothing is None: turning a scale round, undoing a cross, a scale that does not
    help.
    """
    derived: list[Heavier] = []
    for pair, effort in premises:
        yield from [None] * effort
        yield pair
        derived.append(pair)
    grown = True
    while grown:
        grown = False
        for (c, d), _ in premises:
            new = [(a, d) for a, b in derived if b == c and (a, d) not in derived]
            yield from new or [None]
            derived += new
            grown = grown or bool(new)


def _inked(pixels: Pixels, box: Box) -> bool:
    return bool((box.of(pixels)[4:-4, 4:-4].mean(axis=-1) < _DARK).mean() > 0.02)


def _scale(pixels: Pixels, box: Box) -> Seen:
    """The heavier form and the lighter one. The left pan is down where the ink begins lower."""
    tops = [_top(pixels, _strip(box, side)) for side in ("left", "right")]
    left_down = tops[0] > tops[1]
    forms = []
    for side, down in (("left", left_down), ("right", not left_down)):
        x = box.x + (4 if side == "left" else box.side - 44)
        (cell,) = read_cells(pixels, [Box(x, box.y + (30 if down else 6), 40)], 1)
        forms.append(cell.form)
    sign = Box(box.x + box.side - 26, box.y + box.side - 26, 20).of(pixels).astype(np.int16)
    crossed = bool((sign[..., 0] - sign[..., 1] > 80).mean() > 0.1)
    pair = (forms[0], forms[1]) if left_down != crossed else (forms[1], forms[0])
    return pair, int(crossed) + int(pair[0] != forms[0])


def _strip(box: Box, side: str) -> tuple[int, int, int, int]:
    x = box.x + (6 if side == "left" else box.side - 42)
    return box.y + 4, box.y + 40, x, x + 36


def _top(pixels: Pixels, strip: tuple[int, int, int, int]) -> int:
    """The first row with ink; the last if there is none."""
    top, bottom, left, right = strip
    rows = (pixels[top:bottom, left:right].mean(axis=-1) < _DARK).any(axis=1)
    return int(rows.argmax()) if rows.any() else len(rows)


def _place(pixels: Pixels, sheet: Sheet, forms: int) -> int:
    """Return the number of the small box with the question mark, from 0."""
    y = sheet.boxes[-1][0].y + 40
    left = (sheet.width - forms * 60) // 2
    ink = [
        float((pixels[y + 4 : y + 46, x + 4 : x + 46].mean(axis=-1) < _DARK).mean())
        for x in range(left, left + 60 * forms, 60)
    ]
    return ink.index(max(ink))
