"""Sort circles: measure each circle by its area and read the number in it."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reading import shapes, twin_of
from gfactor.examinees.observer.seeing import blobs, differs, fill_holes, ground_of, read_glyphs
from gfactor.examinees.observer.solvers import reader, solver
from gfactor.imaging import Pixels

DIGITS = "0123456789"


@solver("sort_circles")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    ink = differs(picture, ground_of(picture), 128)
    sized = []
    for circle in blobs(fill_holes(ink), picture):
        rows, columns = (
            slice(circle.y, circle.y + circle.height),
            slice(circle.x, circle.x + circle.width),
        )
        sized.append((circle.area, read_glyphs(circle.mask & ~ink[rows, columns], DIGITS)))
    labels = [label for _, label in sorted(sized) if label]
    return " ".join(perception.hold(labels, guesses=labels))


@reader("sort_circles")
def read(lines: Sequence[str], perception: Perception) -> str:
    circles = sorted(shapes(twin_of(lines)), key=lambda circle: circle.r)
    labels = [str(circle.number) for circle in circles]
    return " ".join(perception.hold(labels, guesses=labels))
