"""figural_analogies: read three figures, see what changes in the first, change the third alike."""

from __future__ import annotations

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
from gfactor.imaging.figures import SPOTS, Sheet

PLANS = [Sheet(2, 2, options) for options in (4, 8)]


@solver("figural_analogies")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    sheet = sheet_of(pictures[0], PLANS)
    boxes = [box for row in sheet.boxes for box in row][:-1]
    cells = perception.hold(read_cells(pictures[0], boxes), GUESSES)
    options = read_cells(pictures[0], sheet.option_boxes)
    changes = [
        (name, *(getattr(cell, name) for cell in cells))
        for name in ("form", "size", "shade", "count", "turn", "marks")
    ]
    # What stays is seen at once; every change has to be made out by itself.
    changes.sort(key=lambda change: change[1] != change[2])
    wanted = {name: _changed(name, *values) for name, *values in perception.consider(changes)}
    return chosen(narrowed(options, wanted), perception)


def _changed(name: str, first: Any, second: Any, third: Any) -> Any:
    """The third value after the change from the first to the second."""
    if first == second:
        return third
    if name == "marks":
        return tuple(
            spot for spot in SPOTS if (spot in third) ^ ((spot in first) ^ (spot in second))
        )
    if name not in SCALES or third == first:
        return second
    scale = list(SCALES[name])
    position = scale.index(third) + scale.index(second) - scale.index(first)
    if name == "turn":
        return scale[position % len(scale)]
    return scale[position] if 0 <= position < len(scale) else second
