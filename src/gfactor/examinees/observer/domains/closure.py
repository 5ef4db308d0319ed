"""closure: read the fragments, lay them on every option."""

from __future__ import annotations

import itertools

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import blobs
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.examinees.observer.strokes import drawn, read_centered
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.lattices import Stroke, Strokes, lattice_strokes, moved, stroke
from gfactor.imaging.measures.closure import CORNER, OPTION_STEP, POINTS, QUARTERS, UNIT

SIDE = QUARTERS * (POINTS - 1) * UNIT + 2 * CORNER
BOARD = Board(((SIDE, SIDE),), 4)
_DARK = 110


@solver("closure")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    seen = _fragments(pictures[0], BOARD.panels[0])
    # Specks take up memory like fragments.
    specks = [None] * _specks(pictures[0], BOARD.panels[0])
    fragments = [one for one in perception.hold([*seen, *specks]) if one is not None]
    options = [
        set(_pieces(read_centered(pictures[0], panel, OPTION_STEP)))
        for panel in BOARD.option_panels
    ]
    most = [0] * len(options)
    reach = range(-QUARTERS * (POINTS - 1), QUARTERS * (POINTS - 1) + 1, QUARTERS)
    shifts = sorted(((x, y) for x in reach for y in reach), key=lambda s: abs(s[0]) + abs(s[1]))
    for k, (dx, dy) in perception.consider((k, s) for s in shifts for k in range(len(options))):
        most[k] = max(most[k], sum(s in options[k] for s in moved(fragments, dx, dy)))
    best = [k for k, n in enumerate(most) if n == max(most)]
    return letter(best[0] if len(best) == 1 else perception.guess(best))


def _specks(pixels: Pixels, panel: Panel) -> int:
    """Return the number of small round patches in a panel."""
    patches = blobs(panel.of(pixels).mean(axis=-1) < _DARK, panel.of(pixels), 20)
    return sum(patch.size < UNIT * 0.75 for patch in patches)


def _pieces(figure: Strokes) -> list[Stroke]:
    result = []
    for (ax, ay), (bx, by) in figure:
        across, down = bx - ax, by - ay
        points = [(QUARTERS * ax + k * across, QUARTERS * ay + k * down) for k in range(5)]
        result += [stroke(a, b) for a, b in itertools.pairwise(points)]
    return result


def _fragments(pixels: Pixels, panel: Panel) -> list[Stroke]:
    """Return the fragments of all possible strokes."""
    corner = (panel.x + CORNER, panel.y + CORNER)
    return drawn(pixels, _pieces(lattice_strokes(POINTS, True)), corner, UNIT, (0.3, 0.5, 0.7))
