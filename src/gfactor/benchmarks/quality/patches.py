"""Small gray patches of pictures, and their neighbors when cropped, turned and mirrored.

A picture has patches of its whole frame, of the frame without borders of one shade, and of its
drawing where it has an even background (centered and scaled by the drawing's moments).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.benchmarks.quality.look import Look
from gfactor.psychometrics.float_arrays import inv

Floats = NDArray[np.float64]

_BASE, _GRID = 48, 8
"""Pixels of the side of a patch, and of the grid that is compared."""

_CENTER = np.full(2, (_BASE - 1) / 2)

_TAPER = np.sin(np.pi * (np.arange(_GRID) + 0.5) / _GRID) ** 0.5
_WINDOW = np.outer(_TAPER, _TAPER)
"""Weights of the grid, lower near the edge, which is the first part to be cropped."""

_NEAREST, _LEAST, _LEAST_DENSE = 8, 0.45, 0.6
"""Candidates per picture, and the correlation of patches that each needs: more if both pictures are
dense."""

_CELLS = 12_000_000
"""Number of correlations in memory at once (48 MB)."""

VARIANTS: dict[str, tuple[tuple[float, float], ...]] = {
    "frame": ((0, 0), (0.05, 0), (0.1, 0), (0, -8), (0, -4), (0, 4), (0, 8)),
    "box": ((0, 0), (0.05, 0), (0.1, 0), (0.08, -10), (0.05, -5), (0.05, 5), (0.08, 10)),
    "drawing": ((0, -10), (0, -5), (0, 0), (0, 5), (0, 10)),
}
"""Variants by kind of patch: the share cropped at each edge, and the rotation in degrees.

Values between these correlate enough with their neighbors, as the grid is coarse.
"""

_MOST_CHANGES = 8 * max(map(len, VARIANTS.values()))

_COMPARED = (("frame", "frame"), ("frame", "box"), ("box", "frame"), ("box", "box"),
             ("drawing", "drawing"))  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Patch:
    """A square of a view: the map from its pixels to the view's (2 x 3), and its gray levels."""

    kind: str
    to_view: Floats
    gray: NDArray[np.float32]


class ComparedPicture:
    """A picture with patches by which it can be compared with and registered on others."""

    def __init__(self, look: Look) -> None:
        self.pixels = look.pixels()
        self.gray = np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_RGB2GRAY), np.float32)
        self.box = look.box

    @cached_property
    def patches(self) -> tuple[_Patch, ...]:
        height, width = self.gray.shape
        turned = _turned_rectangle(self.pixels)
        frame = _rectangle(0, 0, width, height) if turned is None else turned
        patches = [self._patch("frame", frame)]
        left, top, right, bottom = self.box
        if turned is None and (right - left) * (bottom - top) < 0.98:
            box = _rectangle(left * width, top * height, right * width, bottom * height)
            patches.append(self._patch("box", box))
        drawing = self._drawing()
        return (*patches, drawing) if drawing else tuple(patches)

    @cached_property
    def offsets(self) -> dict[str, tuple[_Patch, int]]:
        """The patch of each kind, and the number of its first variant among all variants."""
        offsets, offset = {}, 0
        for patch in self.patches:
            offsets[patch.kind] = (patch, offset)
            offset += 8 * len(VARIANTS[patch.kind])
        return offsets

    @property
    def dense(self) -> bool:
        """Return True if it has no even background."""
        return self.patches[-1].kind != "drawing"

    def _patch(self, kind: str, to_view: Floats, background: float | None = None) -> _Patch:
        scale = math.sqrt(abs(np.linalg.det(to_view[:, :2])))
        source = blurred(self.gray, 0.5 * scale) if scale > 1.2 else self.gray
        edge = cv2.BORDER_REPLICATE if background is None else cv2.BORDER_CONSTANT
        gray = warped(source, to_view, (_BASE, _BASE), edge, background or 0.0)
        return _Patch(kind, to_view, gray)

    def _drawing(self) -> _Patch | None:
        """Return the drawing on an even background, centered and scaled to a fixed spread."""
        gray = self.gray
        border = np.concatenate([gray[0], gray[-1], gray[:, 0], gray[:, -1]])
        background = float(np.median(border))
        ink = np.abs(gray - background)
        ink = np.where(ink < 14, 0.0, np.minimum(ink, 60.0))
        if not 12 < (ink > 0).sum() < 0.6 * ink.size:
            return None
        y, x = np.mgrid[: gray.shape[0], : gray.shape[1]]
        total = ink.sum()
        middle = np.array([(ink * x).sum(), (ink * y).sum()]) / total
        spread = math.sqrt((ink * ((x - middle[0]) ** 2 + (y - middle[1]) ** 2)).sum() / total)
        linear = np.eye(2) * max(spread, 1.0) * 4.2 / _BASE
        return self._patch("drawing", affine(linear, _CENTER, middle), background)


def neighbors(pictures: Sequence[ComparedPicture]) -> Iterator[tuple[int, int, Floats, bool]]:
    """Yield pairs of pictures that may show the same: their numbers, the affine map from the second
    view to the first, and True if one is inverted. A pair may occur twice, with other maps."""
    grids = [(i, k) for i, p in enumerate(pictures) for k in range(len(p.patches))]
    kinds = np.array([pictures[i].patches[k].kind for i, k in grids])
    owner = np.array([i for i, _ in grids])
    plain = np.stack([_grid(pictures[i].patches[k].gray) for i, k in grids])
    columns = {kind: np.flatnonzero(kinds == kind) for kind in VARIANTS}
    reach = {
        kind: np.concatenate([columns[b] for a, b in _COMPARED if a == kind]) for kind in VARIANTS
    }
    units = {kind: _unit(plain[indices]) for kind, indices in reach.items()}
    dense = np.array([p.dense for p in pictures])
    step = max(1, _CELLS // (_MOST_CHANGES * len(grids)))
    for start in range(0, len(pictures), step):
        block_rows = range(start, min(len(pictures), start + step))
        best = np.zeros((len(block_rows), len(grids)), np.float32)
        how = np.zeros((len(block_rows), len(grids)), np.int32)
        for kind, indices in reach.items():
            rows = [r for r, i in enumerate(block_rows) if kind in pictures[i].offsets]
            if not rows or not indices.size:
                continue
            patches = [pictures[block_rows[r]].offsets[kind] for r in rows]
            changed = _changed([patch for patch, _ in patches])
            r = (changed @ units[kind].T).reshape(len(rows), -1, len(indices))
            at, low = r.argmax(axis=1)[:, None], r.argmin(axis=1)[:, None]
            top, bottom = (np.take_along_axis(r, k, axis=1)[:, 0] for k in (at, low))
            value = np.where(top >= -bottom, top, bottom)
            number = np.where(top >= -bottom, at[:, 0], low[:, 0])
            number = number + np.array([offset for _, offset in patches])[:, None]
            block = np.ix_(rows, indices.tolist())
            better = np.abs(value) > np.abs(best[block])
            best[block] = np.where(better, value, best[block])
            how[block] = np.where(better, number, how[block])
        for row, i in enumerate(block_rows):
            yield from _nearest(i, pictures, grids, owner, dense, best[row], how[row])


def _nearest(
    i: int,
    pictures: Sequence[ComparedPicture],
    grids: Sequence[tuple[int, int]],
    owner: NDArray[np.intp],
    dense: NDArray[np.bool_],
    best: NDArray[np.float32],
    how: NDArray[np.int32],
) -> Iterator[tuple[int, int, Floats, bool]]:
    score = np.abs(best)
    score[owner == i] = 0
    least = np.where(dense[owner] & dense[i], _LEAST_DENSE, _LEAST)
    seen: set[int] = set()
    for entry in np.argsort(-score, kind="stable")[: 4 * _NEAREST]:
        j, patch = grids[entry]
        if score[entry] < least[entry] or j in seen or len(seen) == _NEAREST:
            continue
        seen.add(j)
        to_view = pictures[j].patches[patch].to_view
        yield (
            i,
            j,
            composed(_change(pictures[i], int(how[entry])), inverse(to_view)),
            bool(best[entry] < 0),
        )


def whole_on_whole(one: ComparedPicture, other: ComparedPicture) -> Floats:
    """Return the affine map from the view of `other` to that of `one` that aligns their edges."""
    return composed(one.patches[0].to_view, inverse(other.patches[0].to_view))


def _turned_rectangle(pixels: NDArray[np.uint8]) -> Floats | None:
    """Return the map from a patch to a picture that was rotated on a plain background.

    None if the picture has no plain corners around a rotated rectangle.
    """
    height, width = pixels.shape[:2]
    whole = pixels.astype(int)
    corners = whole[[1, 1, -2, -2], [1, -2, 1, -2]]
    if np.ptp(corners, axis=0).max() > 12:
        return None
    alike = np.abs(whole - np.median(corners, axis=0)).max(axis=2) <= 14
    _, labels = cv2.connectedComponents(alike.astype(np.uint8), connectivity=4)
    labels = np.asarray(labels)
    fill = np.isin(labels, labels[[1, 1, -2, -2], [1, -2, 1, -2]]) & alike
    rest = cv2.findNonZero((~fill).astype(np.uint8))
    if rest is None or len(rest) < 0.3 * height * width:
        return None
    middle, (wide, high), degrees = cv2.minAreaRect(rest)
    if len(rest) < 0.92 * (wide + 1) * (high + 1):
        return None
    angle = (degrees + 45) % 90 - 45
    if not 1 <= abs(angle) <= 20:
        return None
    if abs(degrees - angle) > 1:
        wide, high = high, wide
    turn = math.radians(angle)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return affine(rotation @ np.diag([wide / _BASE, high / _BASE]), _CENTER, np.array(middle))


def _rectangle(left: float, top: float, right: float, bottom: float) -> Floats:
    """The map of a patch onto a part of a view."""
    size = np.array([right - left, bottom - top])
    middle = np.array([left + right, top + bottom]) / 2 - 0.5
    return affine(np.diag(size / _BASE), _CENTER, middle)


def _grid(gray: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(gray, (_GRID, _GRID), interpolation=cv2.INTER_AREA), np.float32)


def _unit(grids: NDArray[np.float32]) -> NDArray[np.float32]:
    """Vectors whose products are correlations under the window."""
    mean = (grids * _WINDOW).sum(axis=(1, 2), keepdims=True) / _WINDOW.sum()
    vectors = ((grids - mean) * np.sqrt(_WINDOW)).reshape(-1, _GRID * _GRID)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(length > 1e-3, vectors / np.maximum(length, 1e-3), 0).astype(np.float32)


def _changed(patches: Sequence[_Patch]) -> NDArray[np.float32]:
    """Patches of one kind in every variant, each in the eight ways to turn and mirror a square."""
    grids = []
    for patch in patches:
        for crop, degrees in VARIANTS[patch.kind]:
            gray = patch.gray
            if crop or degrees:
                change = _change_of(crop, degrees, 0)
                gray = warped(gray, change, (_BASE, _BASE), cv2.BORDER_REPLICATE)
            grids.append(_grid(gray))
    small = np.stack(grids)
    turned = [np.rot90(small, way, axes=(1, 2)) for way in range(4)]
    ways = np.stack([*turned, *(grid[:, :, ::-1] for grid in turned)], axis=1)
    return _unit(ways.reshape(-1, _GRID, _GRID))


_WAYS = [
    np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), way % 4)
    @ np.diag([-1 if way >= 4 else 1, 1])
    for way in range(8)
]
"""Effects of `_changed` on the positions in a square."""


def _change_of(crop: float, degrees: float, way: int) -> Floats:
    """The map from a changed patch to the patch."""
    turn = math.radians(degrees)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return affine(rotation * (1 - 2 * crop) @ _WAYS[way], _CENTER, _CENTER)


def _change(picture: ComparedPicture, number: int) -> Floats:
    """The map from the changed patch with this number to the view."""
    for patch in picture.patches:
        ways = list(product(VARIANTS[patch.kind], range(8)))
        if number < len(ways):
            (crop, degrees), way = ways[number]
            return composed(patch.to_view, _change_of(crop, degrees, way))
        number -= len(ways)
    raise ValueError("the picture has fewer patches")


def affine(linear: Floats, origin: Floats, image: Floats) -> Floats:
    """Return the affine map with this linear part that takes `origin` to `image`."""
    return np.column_stack([linear, image - linear @ origin])


def composed(after: Floats, first: Floats) -> Floats:
    linear = after[:, :2] @ first[:, :2]
    shift: Floats = after[:, :2] @ first[:, 2] + after[:, 2]
    return np.column_stack([linear, shift])


def inverse(of: Floats) -> Floats:
    linear = inv(of[:, :2])
    shift: Floats = -linear @ of[:, 2]
    return np.column_stack([linear, shift])


def blurred(source: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(source, (0, 0), sigma), np.float32)


def warped(
    source: NDArray[np.float32],
    to_source: Floats,
    size: tuple[int, int],
    edge: int = cv2.BORDER_CONSTANT,
    value: float = 0.0,
) -> NDArray[np.float32]:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpAffine(
        source, to_source, size, flags=flags, borderMode=edge, borderValue=value
    )
    return np.asarray(warped, np.float32)
