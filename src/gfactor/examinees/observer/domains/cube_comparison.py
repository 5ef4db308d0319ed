"""cube_comparison: read the marks of every cube, turn the first until an option can be it.

If two positions of it are shown, the second is first turned until both are one cube.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gfactor.examinees.observer.marks import read_cube
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.cubes import DIRECTED, Cube, Seen, can_be_one, faces_of, turned_cube
from gfactor.imaging.measures.cube_comparison import EDGE, OPTION_EDGE, board
from gfactor.imaging.polycubes import FACES, ROTATIONS, angle

OPTIONS = 4
DARK = 140
"""Luminance below which a pixel belongs to a cube or a mark; frames of panels are lighter."""


@solver("cube_comparison")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels = pictures[0]
    plan = board(OPTIONS, _views(pixels))
    views = [read_cube(pixels, panel, EDGE) for panel in plan.panels]
    # A mark and its direction are held separately; without the direction the face is not known.
    parts = [
        (number, name, k)
        for number, seen in enumerate(views)
        for name, (mark, _) in zip(FACES, seen, strict=True)
        for k in range(1 + (mark in DIRECTED))
    ]
    forgotten = set(parts) - set(perception.hold(parts))
    cubes = [faces_of(seen) for seen in views]
    options = [read_cube(pixels, option, OPTION_EDGE) for option in plan.option_panels]
    for trial in perception.consider(_trials(cubes, options) if not forgotten else ()):
        if trial is not None and can_be_one(trial[1], faces_of(options[trial[0]])):
            return letter(trial[0])
    return letter(perception.guess(range(len(options))))


def _views(pixels: Pixels) -> int:
    """Return the number of views above the options; a second view is at the left."""
    (only,) = board(OPTIONS, 1).panels
    return 1 + bool((pixels[: only.y + only.height, : only.x] < DARK).any())


def _trials(cubes: Sequence[Cube], options: Sequence[Seen]) -> Iterator[tuple[int, Cube] | None]:
    """Every option beside the cube in every turn; each turn that joins two views is a step, too."""
    rotations, (cube, *others) = sorted(ROTATIONS, key=angle), cubes
    for second in others:
        for rotation in rotations:
            turned = turned_cube(second, rotation)
            if can_be_one(cube, turned):
                cube = {**cube, **turned}
                break
            yield None
    for rotation in rotations:
        for k in range(len(options)):
            yield k, turned_cube(cube, rotation)
