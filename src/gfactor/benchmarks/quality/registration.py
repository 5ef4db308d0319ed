"""Registration of pictures: cropped, padded, mirrored, turned, inverted, scaled, recompressed ones.

A candidate is registered: the affine map that makes the one view lie on the other (enhanced
correlation coefficient), and what still differs there. Pictures with the same layout but other
contents differ somewhere; copies differ nowhere.

References
----------
Evangelidis, G., Psarakis, E. (2008). Parametric image alignment using enhanced correlation
    coefficient maximization. IEEE Transactions on Pattern Analysis and Machine Intelligence 30,
    1858-1865.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.benchmarks.quality.patches import (
    ComparedPicture,
    Floats,
    affine,
    blurred,
    composed,
    inverse,
    warped,
)


@dataclass(frozen=True)
class Registered:
    """Position of one picture on another.

    Parameters
    ----------
    angle: degrees by which it is turned.
    mirrored, inverted: True if it is mirrored or inverted.
    first, second: shares of the two pictures that both show.
    correlation: correlation of their pixels where both show something.
    """

    angle: float
    mirrored: bool
    inverted: bool
    first: float
    second: float
    correlation: float

    def __str__(self) -> str:
        words = []
        if abs(self.angle) >= 1:
            words.append(f"turned by {self.angle:.0f} degrees")
        words += [word for word in ("mirrored", "inverted") if getattr(self, word)]
        share = min(self.first, self.second)
        if share < 0.98:
            words.append(f"{share:.0%} of the larger shown in both")
        return ", ".join(words) or "the same view"


def registered(
    one: ComparedPicture, other: ComparedPicture, start: Floats, inverted: bool
) -> Registered | None:
    """Return the position of `other` on `one`, or None if they are not one picture.

    Parameters
    ----------
    start: a map (2 x 3) from the pixels of the view of `other` to those of `one` that is roughly
        right; it is refined at a quarter, half and the whole of the size. Drawings lose their lines
        at small sizes, so that the last size decides.
    inverted: True if the gray levels of one are those of the other's negative.
    """
    source = 255 - one.gray if inverted else one.gray
    warp, drawn = start, not (one.dense and other.dense)
    steps = ((0.25, 3, 0.45), (0.5, 5, 0.6), (1.0, 3, 0.7))
    for scale, blur, least in steps[1:] if drawn else steps:
        refined = _refined(source, other.gray, warp, scale, blur)
        if refined is not None and refined[0] >= least:
            warp = refined[1]
        elif scale == 1 or not drawn:
            return None
    largest, smallest = np.linalg.svd(warp[:, :2], compute_uv=False)
    if smallest < 0.4 or largest > 2.5 or largest > 1.12 * smallest:
        return None
    return _compared(one, other, warp, math.sqrt(largest * smallest), inverted)


def _refined(
    source: NDArray[np.float32], target: NDArray[np.float32], start: Floats, scale: float, blur: int
) -> tuple[float, Floats] | None:
    """Correlation and map after some steps at a size; None if it does not converge."""
    if scale < 1:
        source, target = (
            np.asarray(
                cv2.resize(g, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.float32
            )
            for g in (source, target)
        )
    down = affine(np.eye(2) * scale, np.full(2, -0.5), np.full(2, -0.5))
    small = composed(down, composed(start, inverse(down))).astype(np.float32)
    everywhere = np.ones(source.shape, np.uint8)
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 25, 3e-4)
    try:
        correlation, warp = cv2.findTransformECC(
            target, source, small, cv2.MOTION_AFFINE, criteria, everywhere, blur
        )
    except cv2.error:
        return None
    return float(correlation), composed(inverse(down), composed(np.asarray(warp, float), down))


ASKEW = 15.0
"""Most degrees that a copy is off the nearest quarter turn."""

FULL, VISIBLE = 0.9, 0.33
"""Share of the one picture that the other must show, and of the other that the one must."""
SAME, OFF_MEAN, OFF, OFF_EDGES = 0.78, 16.0, 118.0, 125.0
"""Least correlation; most gray levels by which registered copies differ on average, in a square of
3 x 3 pixels, and in a pixel beyond its neighbors' range: sharp edges that are resampled do so."""
OFF_COLOR, BLUR, GRAY = 20.0, 1.5, 10.0
"""Most levels by which a color channel less the gray of the same place differs in registered
copies, blurred by a Gaussian of this many pixels, and below which a whole picture is gray. JPEG at
quality 20 changes colors by up to 18 levels; a line in another color differs by 20 or more."""


def _compared(
    one: ComparedPicture, other: ComparedPicture, warp: Floats, scale: float, inverted: bool
) -> Registered | None:
    moved = (255 - one.pixels if inverted else one.pixels).astype(np.float32)
    still = other.pixels.astype(np.float32)
    if scale > 1.15:
        moved = blurred(moved, 0.45 * math.sqrt(scale**2 - 1))
    if scale < 0.87:
        still = blurred(still, 0.45 * math.sqrt(scale**-2 - 1))
    height, width = still.shape[:2]
    size = (width, height)
    moved = warped(moved, warp, size)
    visible = warped(np.ones(one.gray.shape, np.float32), warp, size) > 0.5
    second = float(visible.mean())
    first = second * still[..., 0].size * abs(float(np.linalg.det(warp[:, :2]))) / one.gray.size
    inner = np.asarray(
        cv2.erode(np.pad(visible, 1).astype(np.uint8), np.ones((5, 5), np.uint8)), bool
    )[1:-1, 1:-1]
    if max(first, second) < FULL or min(first, second) < VISIBLE or inner.sum() < 200:
        return None
    a, b = moved[inner], still[inner]
    spread = float(((a - a.mean()) ** 2).mean())
    shared = float(((a - a.mean()) * (b - b.mean())).mean())
    gain = shared / max(spread, 1e-9)
    r = shared / math.sqrt(max(spread * float(((b - b.mean()) ** 2).mean()), 1e-9))
    if r < SAME or not 0.5 < gain < 1.7:
        return None
    moved = ((moved - a.mean()) * gain + b.mean()).astype(np.float32)
    off = np.asarray(cv2.blur(np.abs(moved - still).max(axis=2), (3, 3)))[inner]
    if off.mean() > OFF_MEAN or off.max() > OFF or _beyond(moved, still)[inner].max() > OFF_EDGES:
        return None
    if _colors_differ(moved, still, inner):
        return None
    registered = _registered(warp, inverted, min(first, 1.0), second, r)
    askew = abs((registered.angle + 45) % 90 - 45)
    if askew > ASKEW or (min(registered.first, second) < FULL and _bare(still, visible)):
        return None
    return registered


def _colors_differ(
    moved: NDArray[np.float32], still: NDArray[np.float32], inner: NDArray[np.bool_]
) -> bool:
    """Return True if something has another color in the one picture; a gray copy of a colored
    picture has none."""
    colors = [
        blurred(pixels - pixels.mean(axis=2, keepdims=True), BLUR)[inner]
        for pixels in (moved, still)
    ]
    if any(np.abs(color).max() < GRAY for color in colors):
        return False
    return bool(np.abs(colors[0] - colors[1]).max() > OFF_COLOR)


def _bare(still: NDArray[np.float32], visible: NDArray[np.bool_]) -> bool:
    """Return True for one or two small marks only, which would match a part of many pictures."""
    gray = still.mean(axis=2)
    marks = ((np.abs(gray - np.median(gray[visible])) > 20) & visible).astype(np.uint8)
    return bool(marks.sum() < 0.03 * marks.size and cv2.connectedComponents(marks)[0] - 1 <= 2)


def _beyond(moved: NDArray[np.float32], still: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return, per pixel, its distance from the range of 3 x 3 pixels of the other picture."""
    around = np.ones((3, 3), np.uint8)
    parts = []
    for a, b in ((moved, still), (still, moved)):
        above, below = a - cv2.dilate(b, around), cv2.erode(b, around) - a
        parts.append(np.maximum(above, below))
    return np.asarray(np.maximum(*parts).max(axis=2), np.float32)


def _registered(warp: Floats, inverted: bool, first: float, second: float, r: float) -> Registered:
    linear = warp[:, :2]
    mirrored = bool(np.linalg.det(linear) < 0)
    turned = linear @ np.diag([-1.0, 1.0]) if mirrored else linear
    angle = math.degrees(math.atan2(turned[1, 0] - turned[0, 1], turned[0, 0] + turned[1, 1]))
    return Registered(angle, mirrored, inverted, first, second, r)
