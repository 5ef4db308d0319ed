"""List shapes: name the kind of each colored patch."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import blobs, kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.examinees.observer.textured import vivid
from gfactor.imaging import Pixels

KINDS = ("circle", "triangle", "triangle_down", "square", "pentagon", "pentagon_down")


@solver("list_shapes")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    shapes = perception.hold(blobs(vivid(picture), picture))
    kinds = {kind_of(shape.mask, KINDS).removesuffix("_down") for shape in shapes}
    return "SHAPES: " + ", ".join(sorted(kinds))
