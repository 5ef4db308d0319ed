"""Identifying shapes: name the kind of the shape in each row."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.rows import forms_in_rows
from gfactor.examinees.observer.seeing import kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

KINDS = ("circle", "triangle", "diamond", "pentagon", "hexagon")


@solver("identifying_shapes")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    kinds = [kind_of(form, KINDS) for form in forms_in_rows(picture)]
    return f"ANSWER: {' '.join(perception.hold(kinds, guesses=KINDS)).title()}"
