"""Layered shapes: find every outline along rays from the center and see how it turns."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.layers import RAYS, figure, flat_runs, rays
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

CORNERS = {"diamond": 4, "hexagon": 6, "octagon": 8}
"""Each kind's number of corners; one of them points right."""

PER_PX = 2
INK = 50
"""Value of every channel below which a pixel belongs to an outline, not a filling."""


@solver("layered_shapes")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    x, y, half_width, half_height = figure(picture)
    seen = rays(picture, x, y, max(half_width, half_height) + 6, PER_PX)
    edges = [_edges(line) for line in seen]
    layers = Counter(len(e) for e in edges).most_common(1)[0][0]
    clear = [k for k in range(RAYS) if len(edges[k]) == layers]
    radii = np.array([edges[k] for k in clear])
    kinds = [_kind(radii[:, layer], clear) for layer in range(layers)]
    return "SHAPES: " + ", ".join(perception.hold(kinds, guesses=list(CORNERS)))


def _edges(line: Pixels) -> list[float]:
    """Return the positions along a ray where one filling ends and the next begins."""
    light = line.max(axis=1) >= INK
    fillings = [run for run in flat_runs(line, 3) if light[sum(run) // 2]]
    return [(a[1] + b[0]) / 2 for a, b in pairwise(fillings)]


def _kind(radii: NDArray[np.float64], directions: list[int]) -> str:
    """The kind whose outline keeps its proportions to `radii` best."""

    def unevenness(kind: str) -> float:
        sector = 2 * math.pi / CORNERS[kind]
        angles = 2 * math.pi * np.array(directions) / RAYS % sector - sector / 2
        scale = radii * np.cos(angles)
        middle = np.median(scale)
        return float(np.median(np.abs(scale - middle)) / middle)

    return min(CORNERS, key=unevenness)
