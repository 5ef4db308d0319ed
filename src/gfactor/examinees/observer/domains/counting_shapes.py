"""Counting shapes: look at each shape and name its kind."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.reading import shapes, twin_of
from gfactor.examinees.observer.seeing import blobs, differs, ground_of, kind_of
from gfactor.examinees.observer.solvers import reader, solver
from gfactor.imaging import Pixels

KINDS = ("circle", "triangle", "square")


@solver("counting_shapes")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    seen = perception.hold(blobs(differs(picture, ground_of(picture)), picture))
    return _counted([kind_of(shape.mask, KINDS) for shape in seen])


@reader("counting_shapes")
def read(lines: Sequence[str], perception: Perception) -> str:
    return _counted([shape.kind for shape in perception.hold(shapes(twin_of(lines)))])


def _counted(kinds: Sequence[str]) -> str:
    circles, triangles, squares = (kinds.count(kind) for kind in KINDS)
    return f"CIRCLES:{circles} TRIANGLES:{triangles} SQUARES:{squares}"
