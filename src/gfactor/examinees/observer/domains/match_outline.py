"""Match outline: name the shape in each row and the outline in the same row; compare."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.rows import forms_in_rows
from gfactor.examinees.observer.seeing import Mask, fill_holes, kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

KINDS = ("circle", "triangle", "square", "pentagon")


_LEAST = 0.3
"""Share of ink from which on a thin outline, blended with the paper, is one closed line."""


@solver("match_outline")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    shapes, outlines = forms_in_rows(pictures[0]), forms_in_rows(pictures[1], _LEAST)
    rows = perception.hold(list(zip(shapes, outlines, strict=False)))
    matching = sum(kind_of(a, KINDS) == kind_of(_inside(b), KINDS) for a, b in rows)
    return f"ANSWER:{matching}"


def _inside(outline: Mask) -> Mask:
    """Return the inside of an outline, which has sharp corners, while those of the outline are
    round."""
    enclosed = fill_holes(outline) & ~outline
    return enclosed if enclosed.any() else outline
