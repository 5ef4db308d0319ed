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
NAMES = ("form", "size", "shade", "count", "turn", "marks")


@solver("figural_analogies")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    sheet = sheet_of(pictures[0], PLANS)
    boxes = [box for row in sheet.boxes for box in row][:-1]
    cells = read_cells(pictures[0], boxes)
    options = read_cells(pictures[0], sheet.option_boxes)
    stay = [name for name in NAMES if getattr(cells[0], name) == getattr(cells[1], name)]
    change = [name for name in NAMES if name not in stay]
    # Every figure and every change are held separately, which makes analogies with many changes
    # hard (Mulholland, Pellegrino and Glaser 1980, Cognitive Psychology 12, 252).
    remembered = set(perception.hold([*map(str, range(len(cells))), *change]))
    cells = [c if str(k) in remembered else perception.guess(GUESSES) for k, c in enumerate(cells)]
    # Constant attributes are seen at once; every change has to be found separately.
    usable = (name for name in (*stay, *change) if name in stay or name in remembered)
    wanted = {
        name: _changed(name, *(getattr(cell, name) for cell in cells))
        for name in perception.consider(usable)
    }
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
