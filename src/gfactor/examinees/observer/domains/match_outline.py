"""Match outline: name the shape in each row and the outline in the same row; compare."""

from __future__ import annotations

from gfactor.examinees.observer.mind import Mind
from gfactor.examinees.observer.rows import largest_in_rows
from gfactor.examinees.observer.seeing import Blob, Mask, fill_holes, kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

KINDS = ("circle", "triangle", "square", "pentagon")


@solver("match_outline")
def solve(pictures: tuple[Pixels, ...], mind: Mind) -> str:
    shapes, outlines = (largest_in_rows(picture) for picture in pictures)
    rows = mind.hold(list(zip(shapes, outlines, strict=False)))
    matching = sum(kind_of(a.mask, KINDS) == kind_of(_inside(b), KINDS) for a, b in rows)
    return f"ANSWER:{matching}"


def _inside(outline: Blob) -> Mask:
    """What an outline encloses: its corners are sharp, where the outline's own are rounded."""
    enclosed = fill_holes(outline.mask) & ~outline.mask
    return enclosed if enclosed.any() else outline.mask
