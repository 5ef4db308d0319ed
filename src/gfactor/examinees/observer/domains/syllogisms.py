"""syllogisms: read the arrows, then join statements that share a group, two at a time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import letter, read_cells, sheet_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, Sheet
from gfactor.imaging.measures.syllogisms import SIDE

PLANS = [Sheet(rows, 3, 4, side=SIDE) for rows in range(3, 8)]
_DARK = 128

Statement = tuple[str, str, str]
"""Group, mood (all, no, some, some_not), group."""


@solver("syllogisms")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels = pictures[0]
    sheet = sheet_of(pixels, PLANS)
    *rows, last = sheet.boxes
    premises = []
    for left, arrow, right in rows:
        ends = [cell.form for cell in read_cells(pixels, [left, right], 1)]
        mood, leftwards = _arrow(pixels, arrow)
        premises.append((ends[leftwards], mood, ends[1 - leftwards]))
    first, final = (cell.form for cell in read_cells(pixels, [last[0], last[2]], 1))
    moods = [_arrow(pixels, box)[0] for box in sheet.option_boxes]
    for one in perception.consider(_steps(perception.hold(premises))):
        for a, mood, b in (one, *_converted(one)) if one else ():
            if (a, b) == (first, final) and mood in moods:
                return letter(moods.index(mood))
    return letter(perception.guess(range(len(moods))))


def _arrow(pixels: Pixels, box: Box) -> tuple[str, int]:
    """The mood that an arrow stands for, and 1 if it points to the left."""
    inside = box.of(pixels)[4:-4, 4:-4].astype(np.int16)
    red = (inside[..., 0] - inside[..., 1] > 80).mean() > 0.01
    ink = inside[..., 0] < _DARK
    rows, columns = np.nonzero(ink)
    black = ink.mean() > _FILLED
    heights = [rows[columns == c].max() - rows[columns == c].min() for c in np.unique(columns)]
    highest = columns.min() + int(np.argmax(heights))
    # The barbs are before the middle of the arrow, towards its tip.
    leftwards = int(highest < (columns.min() + columns.max()) / 2)
    return ("no" if red else "all") if black else ("some_not" if red else "some"), leftwards


_FILLED = 0.13
"""Smallest share of the box that a filled arrow covers; an outlined one covers less."""


def _converted(one: Statement) -> list[Statement]:
    """The statement with its groups exchanged, if that is equivalent."""
    a, mood, b = one
    return [(b, mood, a)] if mood in ("no", "some") else []


def _steps(premises: list[Statement]) -> Iterator[Statement | None]:
    """Yield the premises as shown, then the conclusion from each two, in the order shown. Two
    premises without a new conclusion are a step too: None.
    """
    derived = list(dict.fromkeys(premises))
    yield from derived
    done: set[tuple[Statement, Statement]] = set()
    grown = True
    while grown:
        grown = False
        for pair in itertools.permutations(list(derived), 2):
            if pair in done:
                continue
            done.add(pair)
            new = [one for one in _joined(*pair) if one not in derived]
            yield from new or [None]
            derived += new
            grown = grown or bool(new)


def _joined(one: Statement, two: Statement) -> list[Statement]:
    """Return the direct conclusion from a first and a second statement."""
    result = []
    for a, first, b in (one, *_converted(one)):
        for c, second, d in (two, *_converted(two)):
            if b == c and first == "all" and second in ("all", "no"):
                result.append((a, second, d))
            if b == c and first == "some" and second in ("all", "no"):
                result.append((a, "some" if second == "all" else "some_not", d))
            if b == d and first == "some_not" and second == "all":
                result.append((a, "some_not", c))
            if a == c and first == "some_not" and second == "all":
                result.append((d, "some_not", b))
    return [(a, mood, b) for a, mood, b in result if a != b]
