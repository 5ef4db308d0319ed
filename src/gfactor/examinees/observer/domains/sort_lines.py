"""Sort lines: measure each line that stands on the common level and read the number above it."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import blobs, differs, ground_of, near, read_glyphs
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import BLACK, Pixels

DIGITS = "0123456789"
_LEVEL_PX = 3


@solver("sort_lines")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    patches = blobs(differs(picture, ground_of(picture), 40), picture)
    dark = near(picture, BLACK, 128)
    longest = max(patches, key=lambda p: p.height)
    level = longest.y + longest.height
    lines = [p for p in patches if abs(p.y + p.height - level) < _LEVEL_PX]
    signs = sorted((p for p in patches if p.y + p.height <= level - _LEVEL_PX), key=lambda p: p.x)
    labels = [""] * len(lines)
    for sign in signs:
        nearest = min(range(len(lines)), key=lambda k: abs(lines[k].cx - sign.cx))
        rows, columns = slice(sign.y, sign.y + sign.height), slice(sign.x, sign.x + sign.width)
        labels[nearest] += read_glyphs(sign.mask & dark[rows, columns], DIGITS)
    ranks = sorted(range(len(lines)), key=lambda k: lines[k].height)
    order = [labels[k] for k in ranks if labels[k]]
    return " ".join(perception.hold(order, guesses=order))
