"""Reading bodies of cubes from their pictures: the positions of the lattice with a cube."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging import Pixels
from gfactor.imaging.polycubes import FACES, SHADES, Cell3, Cells3, Point, face

_REACH = 5
"""Number of cells from the middle that a body can reach."""
_GRID = (0.2, 0.4, 0.6, 0.8)
_INSIDE = tuple((u, v) for u in _GRID for v in _GRID)
_EDGES = tuple(point for t in _GRID for point in ((t, 0.0), (t, 1.0), (0.0, t), (1.0, t)))
_SAMPLES = (*_INSIDE, *_EDGES)
_LEAST = 3
"""Smallest number of visible sample points of a cube; a cube with fewer is not seen."""
_AGREE = 1.0
"""Share of the visible sample points that must look like those of a cube's faces and edges."""
_INK = 78
"""Value of every channel below which a pixel is an edge."""


@lru_cache(maxsize=32)
def _plan(
    origin: Point, unit: float, size: tuple[int, int], reach: int
) -> tuple[list[Cell3], NDArray[np.intp], NDArray[np.intp]]:
    """Cells from the front to the back, and the rows and columns of the sample points of faces."""
    span = range(-reach, reach + 1)
    cells = [(x, y, z) for x in span for y in span for z in span]
    cells.sort(key=lambda c: (-c[0], c[1], -c[2]))
    points = np.empty((len(cells), len(FACES), len(_SAMPLES), 2))
    for f, name in enumerate(FACES):
        p0, p1, _, p3 = (np.array(p) for p in face((0, 0, 0), name, (0, 0), unit))
        inner = np.array([p0 + u * (p1 - p0) + v * (p3 - p0) for u, v in _SAMPLES])
        corner = np.array([face(c, name, origin, unit)[0] for c in cells]) - p0
        points[:, f] = corner[:, None] + inner
    at = np.rint(points).astype(np.intp)
    width, height = size
    inside = np.all((at >= 0) & (at < np.array([width, height])), axis=(1, 2, 3))
    cells_inside = [cells[k] for k in np.flatnonzero(inside)]
    return cells_inside, at[inside][..., 1], at[inside][..., 0]


def read_cells(
    pixels: Pixels,
    origin: Point,
    unit: float,
    shades: tuple[tuple[int, int, int], ...] = SHADES,
    reach: int = _REACH,
) -> Cells3:
    """Return the cubes in a picture, from the front to the back; each must show part of a face.

    Parameters
    ----------
    pixels: the picture, height x width x 3.
    origin: position of the corner (0, 0, 0) of the lattice, in pixels.
    unit: length of an edge, in pixels.
    shades: colors of top, front and right side.
    """
    kinds, ink = _faces_shown(pixels, shades)
    height, width = kinds.shape
    cells, rows, columns = _plan(origin, unit, (width, height), reach)
    agrees = kinds[rows, columns] == np.arange(1, 4)[None, :, None]
    edges = len(_INSIDE)
    agrees[..., edges:] = ink[rows[..., edges:], columns[..., edges:]]
    # Positions that cannot be a cube, hidden or not, are left out before the search.
    likely = np.flatnonzero(agrees[..., :edges].sum(axis=(1, 2)) >= _LEAST)
    hidden = np.zeros((height, width), np.uint8)
    result = []
    for k in likely:
        seen = hidden[rows[k], columns[k]] == 0
        fits = agrees[k] & seen
        if seen[:, :edges].sum() >= _LEAST and fits.sum() >= _AGREE * seen.sum():
            result.append(cells[k])
            for name in FACES:
                corners = np.rint(np.array(face(cells[k], name, origin, unit)) * 16)
                fixed = corners.astype(np.int32)
                cv2.fillConvexPoly(hidden, fixed, 1, cv2.LINE_8, 4)
                cv2.polylines(hidden, [fixed], True, 1, 5, cv2.LINE_8, 4)
    return tuple(sorted(result))


def _faces_shown(
    pixels: Pixels, shades: tuple[tuple[int, int, int], ...]
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """For each pixel the face whose color it has (1 top, 2 front, 3 right, 0 none); the edges."""
    signed = pixels.astype(np.int16)
    apart = np.stack([_highest(np.abs(signed - np.array(s, np.int16))) for s in shades])
    nearest = apart.argmin(axis=0).astype(np.uint8) + 1
    nearest[apart.min(axis=0) > 60] = 0
    dark = (_highest(pixels) < _INK).astype(np.uint8)
    return nearest.astype(np.uint8), cv2.dilate(dark, np.ones((3, 3), np.uint8)).astype(bool)


def _highest(pixels: NDArray[Any]) -> NDArray[Any]:
    """The highest channel of each pixel, many times faster than reducing an axis of three."""
    return np.maximum(np.maximum(pixels[..., 0], pixels[..., 1]), pixels[..., 2])
