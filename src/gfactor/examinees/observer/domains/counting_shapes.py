"""Counting shapes: look at each shape and name its kind."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import blobs, differs, ground_of, kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

KINDS = ("circle", "triangle", "square")


@solver("counting_shapes")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    shapes = perception.hold(blobs(differs(picture, ground_of(picture)), picture))
    kinds = [kind_of(shape.mask, KINDS) for shape in shapes]
    circles, triangles, squares = (kinds.count(kind) for kind in KINDS)
    return f"CIRCLES:{circles} TRIANGLES:{triangles} SQUARES:{squares}"
