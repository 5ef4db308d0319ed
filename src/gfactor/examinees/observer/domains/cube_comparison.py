"""cube_comparison: read the marks of every cube, turn the first until an option can be it."""

from __future__ import annotations

from gfactor.examinees.observer.marks import read_cube
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.cubes import DIRECTED, NORMALS, UPWARDS, Mark, Seen, clockwise, turned_cube
from gfactor.imaging.measures.cube_comparison import EDGE, OPTION_EDGE
from gfactor.imaging.polycubes import FACES, ROTATIONS, Cell3, angle

BOARD = Board(((300, 210),), 4)


@solver("cube_comparison")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels, (panel,) = pictures[0], BOARD.panels
    faces = list(zip(FACES, read_cube(pixels, panel, EDGE), strict=True))
    # A mark is held, and its direction besides; without it the face is not known.
    parts = [(name, k) for name, (mark, _) in faces for k in range(1 + (mark in DIRECTED))]
    remembered = perception.hold(parts)
    cube = {
        NORMALS[name]: (mark, clockwise(UPWARDS[name], NORMALS[name], quarters))
        for name, (mark, quarters) in faces
        if all(part in remembered for part in parts if part[0] == name)
    }
    options = [read_cube(pixels, option, OPTION_EDGE) for option in BOARD.option_panels]
    trials = [(k, r) for r in sorted(ROTATIONS, key=angle) for k in range(len(options))]
    for k, rotation in perception.consider(trials if len(cube) == len(FACES) else []):
        if _can_be(turned_cube(cube, rotation), options[k]):
            return letter(k)
    return letter(perception.guess(range(len(options))))


def _can_be(cube: dict[Cell3, Mark], option: Seen) -> bool:
    """Return True if three faces, wherever they are now, and a view could belong to one cube."""
    positions = {mark: normal for normal, (mark, _) in cube.items()}
    for name, (mark, quarters) in zip(FACES, option, strict=True):
        normal = NORMALS[name]
        if (mark in positions) != (normal in cube) or positions.get(mark, normal) != normal:
            return False
        if normal in cube:
            up = cube[normal][1]
            # A mark without a direction is read as unturned and looks right in any turn.
            turned = clockwise(UPWARDS[name], normal, quarters)
            if mark in DIRECTED and turned != up:
                return False
    return True
