"""figure_series: read the figures, find a rule for each attribute along the row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import (
    GUESSES,
    SCALES,
    chosen,
    narrowed,
    read_cells,
    sheet_of,
)
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import APART, CLOSE, SIDE, Sheet
from gfactor.imaging.measures.figure_series import SIDE_APART

SPACINGS = {SIDE: CLOSE, SIDE_APART: APART}
"""Spacing of figures by the side of the boxes."""
PLANS = [
    Sheet(1, length + 1, options, side=side)
    for side in SPACINGS
    for options in (4, 8)
    for length in (4, 5)
]
NAMES = ("form", "size", "shade", "count", "turn")


@solver("figure_series")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    sheet = sheet_of(pictures[0], PLANS)
    spacing = SPACINGS[sheet.side]
    cells = read_cells(pictures[0], sheet.boxes[0][:-1], spacing=spacing)
    options = read_cells(pictures[0], sheet.option_boxes, spacing=spacing)
    change = [name for name in NAMES if len({getattr(cell, name) for cell in cells}) > 1]
    # Every figure and every changing attribute are held separately, because rules take up memory
    # too (Carpenter, Just and Shell 1990, Psychological Review 97, 404).
    remembered = set(perception.hold([*map(str, range(len(cells))), *change]))
    cells = [c if str(k) in remembered else perception.guess(GUESSES) for k, c in enumerate(cells)]
    wanted: dict[str, Any] = {}
    for name, rule in perception.consider(_trials(wanted)):
        if (end := rule([getattr(cell, name) for cell in cells])) is not None:
            wanted[name] = end
    usable = {name: end for name, end in wanted.items() if name in remembered or name not in change}
    return chosen(narrowed(options, usable), perception)


def _trials(done: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """One attribute after the other, rule by rule until it is done."""
    for name in NAMES:
        for rule in _rules(name):
            if name not in done:
                yield name, rule


def _rules(name: str) -> Iterator[Any]:
    """Rules of one attribute, the simplest first: each gives the next value or None."""
    yield partial(_repeating, period=1)
    if name in SCALES:
        for by in (1, -1, 2, -2, 3, -3):
            yield partial(_stepping, scale=list(SCALES[name]), by=by, whole=name == "turn")
    yield partial(_repeating, period=2)
    yield partial(_repeating, period=3)


def _repeating(values: Sequence[Any], period: int) -> Any:
    is_long_enough = len(values) >= period + 2
    again = all(values[k] == values[k - period] for k in range(period, len(values)))
    return values[-period] if is_long_enough and again else None


def _stepping(values: Sequence[Any], scale: list[Any], by: int, whole: bool) -> Any:
    positions = [scale.index(value) for value in values]
    nexts = [position + by for position in positions]
    if whole:
        nexts = [position % len(scale) for position in nexts]
    if nexts[:-1] != positions[1:] or not 0 <= nexts[-1] < len(scale):
        return None
    return scale[nexts[-1]]
