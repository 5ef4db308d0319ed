"""cube_nets: read the net, fold it, judge one option after the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from gfactor.examinees.observer.marks import read_cube, read_mark
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import near
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Panel
from gfactor.imaging.cubes import SYMMETRIC, Seen, folded_net
from gfactor.imaging.cubes import views as views_of
from gfactor.imaging.lattices import Cell2
from gfactor.imaging.measures.cube_nets import EDGE, FIELD, board, views_of_option

OPTIONS = 4
INK = (20, 20, 20)

Fields = dict[Cell2, tuple[str, int]]


@solver("cube_nets")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels = pictures[0]
    number = next(n for n in (1, 2) if board(OPTIONS, n).height == len(pixels))
    plan = board(OPTIONS, number)
    (panel,) = plan.panels
    fields = _net(pixels, panel)
    views_by_option = [
        tuple(read_cube(pixels, one, EDGE) for one in views_of_option(option, number))
        for option in plan.option_panels
    ]
    options = [tuple(face for seen in one for face in seen) for one in views_by_option]
    # A mark and its direction are held separately.
    remembered = perception.hold(
        [(cell, part) for cell, (m, _) in fields.items() for part in _parts(m)]
    )
    views, left = views_of(folded_net(fields) or {}), list(range(len(options)))
    order = perception.search(tuple(left))
    for k, done in perception.consider(_folds(fields, options, order)):
        if done:
            complete = all((cell, part) in remembered for cell, part in _needed(fields, options[k]))
            if complete and views.issuperset(views_by_option[k]):
                return letter(k)
            if complete:
                left.remove(k)
    return letter(perception.guess(left))


def _parts(mark: str) -> tuple[str, ...]:
    return ("mark",) if mark in SYMMETRIC else ("mark", "direction")


def _needed(fields: Fields, option: Seen) -> list[tuple[Cell2, str]]:
    """Return the facts about the net that are needed to judge an option."""
    marks = {mark for mark, _ in option}
    return [(cell, part) for cell, (m, _) in fields.items() if m in marks for part in _parts(m)]


def _folds(
    fields: Fields, options: Sequence[Seen], order: Sequence[int]
) -> Iterator[tuple[int, bool]]:
    """Yield, for each option in turn, a step for every field between its faces, then whether it is
    judged."""
    for k in order:
        option = options[k]
        cells = [cell for cell, (m, _) in fields.items() if m in {mark for mark, _ in option}]
        for a, b in itertools.pairwise(cells):
            for _ in range(abs(a[0] - b[0]) + abs(a[1] - b[1])):
                yield k, False
        yield k, True


def _net(pixels: Pixels, panel: Panel) -> Fields:
    """The fields of the net: squares within the box of its ink."""
    ink = near(panel.of(pixels), INK, 60)
    rows, columns = (np.flatnonzero(ink.any(axis=k)) for k in (1, 0))
    top, left = panel.y + 2 + int(rows[0]) + 1, panel.x + 2 + int(columns[0]) + 1
    deep, across = (round((int(n[-1]) - int(n[0])) / FIELD) for n in (rows, columns))
    result: Fields = {}
    for r in range(deep):
        for c in range(across):
            x, y = left + c * FIELD, top + r * FIELD
            inside = pixels[y + 5 : y + FIELD - 5, x + 5 : x + FIELD - 5]
            if (inside[..., 2] < 245).mean() > 0.5:
                corners = [(x, y + FIELD), (x + FIELD, y + FIELD), (x + FIELD, y), (x, y)]
                result[r, c] = read_mark(pixels, corners)
    return result
