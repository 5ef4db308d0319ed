"""if_then: follow the arrows from the fact, forwards and, where their tip fails, backwards."""

from __future__ import annotations

from collections.abc import Iterator

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import letter, read_cells, sheet_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, Sheet
from gfactor.imaging.measures.if_then import ACROSS, SIDE

PLANS = [Sheet(rows, 3 * ACROSS + 1, 4, side=SIDE) for rows in range(2, 6)]
_DARK = 128

Sign = tuple[str, bool]
"""Form, and whether it is black."""


@solver("if_then")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels = pictures[0]
    sheet = sheet_of(pixels, PLANS, in_frames=False)
    options = _signs(pixels, sheet.option_boxes)
    rules: list[tuple[Sign, Sign]] = []
    for row in sheet.boxes[:-1]:
        for start in (0, 4):
            if _inked(pixels, row[start + 1]):
                given, then = _signs(pixels, [row[start], row[start + 2]])
                rules.append((given, then))
    (fact,) = _signs(pixels, sheet.boxes[-1][3:4])
    derived = {fact}
    for sign in perception.consider(_followed(perception.hold(rules), fact)):
        derived.add(sign)
    left = [k for k, sign in enumerate(options) if sign in derived]
    denied = [k for k, (form, black) in enumerate(options) if (form, not black) in derived]
    open_ones = [k for k in range(len(options)) if k not in denied]
    return letter(left[0] if len(left) == 1 else perception.guess(left or open_ones))


def _followed(rules: list[tuple[Sign, Sign]], fact: Sign) -> Iterator[Sign]:
    """Yield the inferences, forwards first, as people try them. Rules are tried one after the other
    until one applies; a trial that gives nothing new yields the fact again, and so does (backwards)
    the supposition of a condition that then fails.
    """
    derived = [fact]
    while True:
        for given, then in rules:
            yield fact
            if given in derived and then not in derived:
                derived.append(then)
                break
        else:
            for given, then in rules:
                yield fact
                if _other(then) in derived and _other(given) not in derived:
                    derived.append(_other(given))
                    yield fact
                    break
            else:
                return
        yield derived[-1]


def _other(sign: Sign) -> Sign:
    return sign[0], not sign[1]


def _signs(pixels: Pixels, boxes: list[Box]) -> list[Sign]:
    cells = read_cells(pixels, boxes, 1)
    return [(cell.form, cell.shade in ("black", "dark")) for cell in cells]


def _inked(pixels: Pixels, box: Box) -> bool:
    return bool((box.of(pixels)[4:-4, 4:-4].mean(axis=-1) < _DARK).mean() > 0.02)
